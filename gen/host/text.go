package host

import (
	"fmt"
	"regexp"
	"strconv"

	"bwrapgen/gen/problem"
)

// special are a backslash and U+FFFD, which also stands for a byte that is not UTF-8.
var special = regexp.MustCompile(`[\\\x{FFFD}]`)

// escape writes a text of the machine's as JSON can hold it. JSON holds Unicode only, a
// path any bytes: a byte that is not UTF-8 is written \xff, a backslash \\.
func escape(text string) string {
	return special.ReplaceAllStringFunc(text, func(one string) string {
		switch {
		case one == `\`:
			return `\\`
		case len(one) == 1:
			return fmt.Sprintf(`\x%02x`, one[0])
		}
		return one
	})
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
