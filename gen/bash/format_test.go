package bash

import (
	"bytes"
	"testing"
)

func TestFormat(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"indent", "if true; then\n    x\nfi\n", "if true; then\n  x\nfi\n"},
		{"case", "case $a in\nb) c ;;\nesac\n", "case $a in\n  b) c ;;\nesac\n"},
		{"operator first", "true &&\nfalse\n", "true \\\n  && false\n"},
		{"blank lines", "a\n\n\n\nb  \n", "a\n\nb\n"},
		{"comments", "# why\na # how\n", "# why\na # how\n"},
		{"array", "a=(\n--b c\n\n)\n", "a=(\n  --b c\n\n)\n"},
		{"prose", "a='x\n    y'\n", "a='x\n    y'\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Format([]byte(test.in))
			if err != nil || string(got) != test.want {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
			again, err := Format(got)
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("again: got %q, %v", again, err)
			}
		})
	}
}

func TestFormatRefuses(t *testing.T) {
	for _, src := range []string{"if true", "a=(", "'", "}"} {
		if got, err := Format([]byte(src)); err == nil {
			t.Errorf("Format(%q) = %q", src, got)
		}
	}
}
