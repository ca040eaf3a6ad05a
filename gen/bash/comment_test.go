package bash

import (
	"strings"
	"testing"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

func TestComment(t *testing.T) {
	tests := []struct {
		text  string
		width int
		want  string
	}{
		{"", 78, "#"},
		{"One sentence.", 78, "# One sentence."},
		{"a bb ccc dddd", 8, "# a bb\n# ccc\n# dddd"},
		{"exact fit", 11, "# exact fit"},
		{"a incomprehensible b", 8, "# a\n# incomprehensible\n# b"},
		{"a\nrm -rf /", 78, "# a rm -rf /"},
		{"a\r\tb\x00c\xffd\u202ee", 78, "# a b c d e"},
		{"!/bin/sh", 78, "# !/bin/sh"},
		{"ends in \\\nrm", 11, "# ends in \\\n# rm"},
	}
	for _, test := range tests {
		if got := Comment(test.text, test.width); got != test.want {
			t.Errorf("Comment(%q, %d) = %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

func TestCommentHostile(t *testing.T) {
	for _, test := range hostile {
		t.Run(test.name, func(t *testing.T) {
			for _, width := range []int{0, 1, 12, 78} {
				onlyComment(t, test.text, width)
			}
		})
	}
}

func FuzzComment(f *testing.F) {
	for _, test := range hostile {
		f.Add(test.text, 20)
	}
	f.Fuzz(onlyComment)
}

// onlyComment fails unless every line begins with "#" and the parser finds
// one statement between two comments.
func onlyComment(t *testing.T, text string, width int) {
	t.Helper()
	comment := Comment(text, width)
	for line := range strings.Lines(comment) {
		line = strings.TrimSuffix(line, "\n")
		if line != "#" && !strings.HasPrefix(line, "# ") || !printable(line) {
			t.Errorf("%q: line %q", text, line)
		}
		if utf8.RuneCountInString(line) > max(width, 1) && strings.Count(line, " ") > 1 {
			t.Errorf("%q: line too wide: %q", text, line)
		}
	}
	file, err := parse([]byte(comment + "\ntrue\n" + comment + "\n"))
	if err != nil || len(file.Stmts) != 1 {
		t.Fatalf("%q: %v", comment, err)
	}
	if call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr); !ok || len(call.Args) != 1 || call.Args[0].Lit() != "true" {
		t.Errorf("%q changes the statement after it", comment)
	}
}
