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
