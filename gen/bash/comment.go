package bash

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Comment is one or more whole lines of comment, without a newline at the
// end. Only NewComment makes one; the zero Comment is an empty line.
type Comment struct{ s string }

// String returns the comment as it stands in a script.
func (c Comment) String() string { return c.s }

// CommentWidth is the column at which comments usually wrap.
const CommentWidth = 78

// NewComment wraps text so that no line is wider than width columns, unless a
// single word is; every line begins with "# ". Newlines, control bytes,
// unprintable characters and bytes that are not UTF-8 become spaces, and
// spaces in a row become one. A width of 0 means CommentWidth.
func NewComment(text string, width int) Comment {
	if width <= 0 {
		width = CommentWidth
	}
	var lines []string
	line := "#"
	for _, word := range strings.Fields(strings.Map(plain, text)) {
		if line != "#" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = "#"
		}
		line += " " + word
	}
	return Comment{strings.Join(append(lines, line), "\n")}
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
