package bash

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Comment wraps text so that no line is wider than width columns, unless a
// single word is; every line begins with "# ". Newlines, control bytes,
// unprintable characters and bytes that are not UTF-8 become spaces, and
// spaces in a row become one. There is no newline at the end.
func Comment(text string, width int) string {
	var lines []string
	line := "#"
	for _, word := range strings.Fields(strings.Map(plain, text)) {
		if line != "#" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = "#"
		}
		line += " " + word
	}
	return strings.Join(append(lines, line), "\n")
}

func plain(r rune) rune {
	if !shown(r) {
		return ' '
	}
	return r
}

// Prose returns a comment of several lines that stand as they are: a script
// that prints its own head shows them so. Control bytes, unprintable characters
// and bytes that are not UTF-8 are refused.
func Prose(lines ...string) (string, error) {
	commented := make([]string, len(lines))
	for i, line := range lines {
		if !printable(line) {
			return "", fmt.Errorf("prose cannot hold unprintable characters: %q", line)
		}
		commented[i] = strings.TrimRight("# "+line, " ")
	}
	return strings.Join(commented, "\n"), nil
}
