package bash

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	tests := []struct {
		lines []string
		want  string
	}{
		{nil, "''"},
		{[]string{"a b"}, "'a b'"},
		{[]string{"one", "", "it's"}, "'one\n\nit'\\''s'"},
		{[]string{"a\nb"}, "'a\nb'"},
		{[]string{`$x "y" \z`}, `'$x "y" \z'`},
	}
	for _, test := range tests {
		got, err := Text(test.lines...)
		if err != nil || got.String() != test.want {
			t.Errorf("Text(%q) = %s, %v; want %s", test.lines, got, err, test.want)
		}
	}
}

func TestTextHostile(t *testing.T) {
	for _, test := range hostile {
		t.Run(test.name, func(t *testing.T) {
			word, err := Text("first", test.text, "last")
			if !printable(strings.ReplaceAll(test.text, "\n", "")) {
				refused(t, word, err)
				return
			}
			expandsTo(t, word, nil, "first\n"+test.text+"\nlast")
		})
	}
}
