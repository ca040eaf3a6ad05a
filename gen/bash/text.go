package bash

import (
	"fmt"
	"strings"
)

// Prose returns a comment of several lines that stand as they are: a script
// that prints its own head shows them so. Control bytes, unprintable characters
// and bytes that are not UTF-8 are refused.
func Prose(lines ...string) (Comment, error) {
	commented := make([]string, len(lines))
	for i, line := range lines {
		if !printable(line) {
			return Comment{}, fmt.Errorf("prose cannot hold unprintable characters: %q", line)
		}
		commented[i] = strings.TrimRight("# "+line, " ")
	}
	return Comment{strings.Join(commented, "\n")}, nil
}
