package host

import (
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf8"

	"bwrapgen/gen/problem"
)

// escape writes a text of the machine's as JSON can hold it. JSON holds Unicode only, a
// path any bytes: a byte that is not UTF-8 is written \xff, a backslash \\.
func escape(text string) string {
	var b []byte
	for rest := text; rest != ""; {
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
	return string(b)
}

var escapes = regexp.MustCompile(`\\(?:\\|x[0-9a-fA-F]{2})?`)

// unescape undoes it, and refuses any other use of a backslash.
func unescape(text string) (string, error) {
	var wrong error
	plain := escapes.ReplaceAllStringFunc(text, func(one string) string {
		switch len(one) {
		case 1:
			wrong = problem.Problem{
				What: fmt.Sprintf(`%q has a backslash that is neither \\ nor \x and two digits`, text),
				Hint: `double the backslash, which JSON doubles once more: "\\\\"`,
			}
			return one
		case 2:
			return `\`
		}
		n, _ := strconv.ParseUint(one[2:], 16, 8)
		return string([]byte{byte(n)})
	})
	return plain, wrong
}
