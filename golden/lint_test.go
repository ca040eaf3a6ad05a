package golden_test

import (
	"path/filepath"
	"testing"

	"bwrapgen/gen/lint"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestLint: bwrapgen lint has nothing to say about what bwrapgen generates, and
// can tell all that it asks for.
func TestLint(t *testing.T) {
	names, err := filepath.Glob("*/launcher.sh")
	if err != nil || len(names) < 50 {
		t.Fatalf("found %d launchers: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Dir(name), func(t *testing.T) {
			t.Parallel()
			clean(t, name, read(t, name))
		})
	}
	l := profile.Loader{Builtin: profiles.FS}
	for _, name := range l.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script, err := launcher(t, l, name, readHost(t, "caches-go/host.json"), plan.Options{Name: name})
			if err != nil {
				t.Fatal(err)
			}
			clean(t, name, script)
		})
	}
}

func clean(t *testing.T, name string, script []byte) {
	t.Helper()
	result, err := lint.Script(name, script, tools(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(result.Findings, result.Notes...) {
		t.Error(f)
	}
}
