package host

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"bwrapgen/gen/problem"
)

// text is a string of the machine's in the JSON form. JSON holds Unicode only,
// a path any bytes: a byte that is not UTF-8 is written \xff, a backslash \\.
type text string

// MarshalText escapes.
func (t text) MarshalText() ([]byte, error) {
	var b []byte
	for rest := string(t); rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			b = fmt.Appendf(b, `\x%02x`, rest[0])
		case r == '\\':
			b = append(b, `\\`...)
		default:
			b = append(b, rest[:size]...)
		}
		rest = rest[size:]
	}
	return b, nil
}

// UnmarshalText undoes it, and refuses any other use of a backslash.
func (t *text) UnmarshalText(data []byte) error {
	var b strings.Builder
	for rest := string(data); rest != ""; {
		plain, escape, found := strings.Cut(rest, `\`)
		b.WriteString(plain)
		if !found {
			break
		}
		c, size, ok := unescape(escape)
		if !ok {
			return problem.Problem{
				What: fmt.Sprintf(`%q has a backslash that is neither \\ nor \x and two digits`, data),
				Hint: `double the backslash, which JSON doubles once more: "\\\\"`,
			}
		}
		b.WriteByte(c)
		rest = escape[size:]
	}
	*t = text(b.String())
	return nil
}

// unescape reads what stands behind a backslash: the byte, and how long that was.
func unescape(s string) (c byte, size int, ok bool) {
	if strings.HasPrefix(s, `\`) {
		return '\\', 1, true
	}
	if len(s) < 3 || s[0] != 'x' {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), 3, err == nil
}

func texts(list []string) []text {
	all := make([]text, len(list))
	for i, s := range list {
		all[i] = text(s)
	}
	return all
}

func strs(list []text) []string {
	var all []string
	for _, t := range list {
		all = append(all, string(t))
	}
	return all
}
