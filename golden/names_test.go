package golden_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestNames: what a launcher has for itself are variables of which no profile may
// set or pass on one, so that neither takes the other's place.
func TestNames(t *testing.T) {
	for name, script := range launchers(t) {
		own(t, name, script)
	}
}

// launchers are those of the cases, by the names of their files, and of all built-in
// profiles, by theirs.
func launchers(t *testing.T) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("*/launcher.sh")
	if err != nil || len(names) < 50 {
		t.Fatalf("found %d launchers: %v", len(names), err)
	}
	scripts := map[string][]byte{}
	for _, name := range names {
		scripts[name] = read(t, name)
	}
	l := profile.Loader{Builtin: profiles.FS}
	for _, name := range l.Names() {
		script, err := launcher(t, l, name, readHost(t, "caches-go/host.json"), plan.Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		scripts[name] = script
	}
	return scripts
}

// own looks at the names that a script assigns to, and that are not the
// command's own.
func own(t *testing.T, name string, script []byte) {
	t.Helper()
	file, err := syntax.NewParser().Parse(bytes.NewReader(script), name)
	if err != nil {
		t.Fatal(err)
	}
	ofBash := []string{"LC_ALL", "IFS", "PATH", "REPLY", "POSIXLY_CORRECT"}
	syntax.Walk(file, func(n syntax.Node) bool {
		var lit *syntax.Lit
		switch n := n.(type) {
		case *syntax.DeclClause:
			if n.Variant.Value == "export" {
				return false
			}
		case *syntax.Assign:
			lit = n.Name
		case *syntax.WordIter:
			lit = n.Name
		}
		if lit != nil && lit.Value != "_" && !expr.OfLauncher(lit.Value) && !slices.Contains(ofBash, lit.Value) {
			t.Errorf("%s:%s: %s is no name of the launcher's", name, lit.Pos(), lit.Value)
		}
		return true
	})
}
