package bash

import "testing"

func TestFiles(t *testing.T) {
	for want, c := range map[string]struct {
		names string
		parts []Part
	}{
		`"$home"/*.kdbx`:                {"/*.kdbx", []Part{{Var: "home"}}},
		`"${X:-$home/.cache}"/green*/a`: {"/green*/a", []Part{{Var: "X", Default: []Part{{Var: "home"}, {Text: "/.cache"}}}}},
		`/etc/ssh/*_key`:                {"/etc/ssh/*_key", nil},
	} {
		if w, err := Files(c.names, c.parts...); err != nil || w.String() != want {
			t.Errorf("Files(%q) = %s, %v, want %s", c.names, w, err, want)
		}
	}
	for _, names := range []string{"", "*", "/a b*", "/$x*", "/[a]*", "/a?", "/'*", "/a*\n", "//*"} {
		if w, err := Files(names, Part{Var: "home"}); err == nil {
			t.Errorf("Files(%q) = %s", names, w)
		}
	}
}

func TestBraces(t *testing.T) {
	directory := []Part{{Var: "home"}, {Text: "/a b"}}
	word, err := Braces([]string{".x", "y-1"}, directory...)
	if want := `"$home/a b"/{.x,y-1}`; err != nil || word.String() != want {
		t.Errorf("got %s, %v, want %s", word, err, want)
	}
	word, err = Braces([]string{"x"}, directory...)
	if want := `"$home/a b/x"`; err != nil || word.String() != want {
		t.Errorf("got %s, %v, want %s", word, err, want)
	}
	for _, name := range []string{"", "a b", "a,b", "{", "$x", "é", "a/b"} {
		if word, err := Braces([]string{"x", name}, directory...); err == nil {
			t.Errorf("%q is no plain name: %s", name, word)
		}
	}
}
