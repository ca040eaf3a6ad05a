package bash

import (
	"strings"
	"testing"
)

func TestProse(t *testing.T) {
	tests := []struct {
		lines []string
		want  string
	}{
		{nil, ""},
		{[]string{"a b"}, "# a b"},
		{[]string{"one", "", "  it's"}, "# one\n#\n#   it's"},
		{[]string{`$x "y" \z`}, `# $x "y" \z`},
	}
	for _, test := range tests {
		got, err := Prose(test.lines...)
		if err != nil || got != test.want {
			t.Errorf("Prose(%q) = %s, %v; want %s", test.lines, got, err, test.want)
		}
	}
}

func TestProseHostile(t *testing.T) {
	for _, test := range hostile {
		t.Run(test.name, func(t *testing.T) {
			comment, err := Prose("first", test.text, "last")
			if !printable(test.text) {
				if err == nil {
					t.Errorf("Prose takes %q", test.text)
				}
				return
			}
			if want := "# first\n" + strings.TrimRight("# "+test.text, " ") + "\n# last"; err != nil || comment != want {
				t.Errorf("%q, %v; want %q", comment, err, want)
			}
		})
	}
}
