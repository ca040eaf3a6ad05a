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

// TestFilesCheck: such a word may stand in a list, and nowhere else.
func TestFilesCheck(t *testing.T) {
	rules := Rules{Builtins: []string{"printf"}, ListGlobs: true}
	for script, good := range map[string]bool{
		"a=(\"$HOME\"/*.kdbx)\n":    true,
		"a=(\"$HOME\"/*.kd?x)\n":    false,
		"a=($HOME/*.kdbx)\n":        false,
		"printf \"$HOME\"/*.kdbx\n": false,
		"a=(\"$HOME\"/*$HOME/x)\n":  false,
	} {
		if err := Check([]byte(script), rules); (err == nil) != good {
			t.Errorf("%s: %v", script, err)
		}
	}
}
