package source

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		line       int
		what       string
	}{
		{"no value", "\na =\n", 2, "not valid TOML: "},
		{"doubled key", "a = 1\na = 2", 2, "not valid TOML: "},
		{"control byte", "a = 1 # \x01", 1, "not valid TOML: "},
		{"not UTF-8", "a = \"\xff\"", 1, "not valid TOML: "},
		{"open brackets", "\na = " + strings.Repeat("[", 1<<16), 2, "not valid TOML: "},
		{"deep", "a = " + strings.Repeat("[", 1<<16) + strings.Repeat("]", 1<<16), 1, "not valid TOML: "},
		{"open braces", "a = " + strings.Repeat("{a=", 1<<16), 1, "not valid TOML: "},
		{"large", strings.Repeat("#", MaxBytes+1), 0, "larger than "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, wrong := Read([]byte(test.text))
			switch {
			case wrong == nil:
				t.Fatal("was read")
			case wrong.Line != test.line || !strings.HasPrefix(wrong.What, test.what):
				t.Errorf("got %d: %s\nwant %d: %s", wrong.Line, wrong.What, test.line, test.what)
			case wrong.Hint == "" || strings.ContainsAny(wrong.What, "\x01\n") || !utf8.ValidString(wrong.What):
				t.Errorf("not for a reader: %q, hint %q", wrong.What, wrong.Hint)
			}
		})
	}
	for _, deep := range []string{
		"a = " + strings.Repeat("[", 9999) + strings.Repeat("]", 9999), strings.Repeat("a.", 1<<16) + "a = 1",
		"[" + strings.Repeat("a.", 1<<16) + "a]", "a = " + strings.Repeat("{a=", 9999) + "1" + strings.Repeat("}", 9999),
	} {
		if _, wrong := Read([]byte(deep)); wrong != nil {
			t.Errorf("as deep as may be: %v", wrong)
		}
	}
}

func TestText(t *testing.T) {
	text, wrong := Read([]byte("b = 1\na = 2\n[c]\nd = [\n  1,\n  2,\n]\n"))
	if wrong != nil {
		t.Fatal(wrong)
	}
	if got := text.Names(text.Values, ""); !slices.Equal(got, []string{"b", "a", "c"}) {
		t.Errorf("in the order of the text: %q", got)
	}
	for key, want := range map[string]int{"a": 2, "c.d[1]": 6, "c.d[7]": 4, "c.e": 3, "e": 0} {
		if got := text.Line(key); got != want {
			t.Errorf("%s: line %d, want %d", key, got, want)
		}
	}
}
