package sandboxtest

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// state is what a sandbox must leave as it was: all but the stores and the project; of
// that, the names at its top, and what git would run. Names that begin with "made-"
// are a row's own, and "ours" is a profile's writable file. Where a repository has no
// hooks, an empty folder of them is as good as none: git init makes it.
func (w world) state(t *testing.T) harness.State {
	t.Helper()
	s := harness.State{}
	stores := filepath.Join(w.Home, ".local/state/bwrapgen")
	s.Tree(t, w.Top, w.Project, w.linked(), stores)
	delete(s, filepath.Dir(stores))
	for _, name := range []string{".git/config", ".git/commondir", "../linked/.git"} {
		if path := filepath.Join(w.Project, name); harness.Exists(path) {
			s.Tree(t, path)
		}
	}
	if hooks, err := os.ReadDir(filepath.Join(w.Project, ".git/hooks")); err == nil && len(hooks) > 0 {
		s.Tree(t, filepath.Join(w.Project, ".git/hooks"))
	}
	maps.DeleteFunc(s, func(path, _ string) bool { return filepath.Base(path) == "ours" })
	entries, err := os.ReadDir(w.Project)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "made-") {
			s[filepath.Join(w.Project, e.Name())] = "there"
		}
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm", "/run", "/etc", "/usr", "/"} {
		made, err := filepath.Glob(filepath.Join(dir, "made-*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range made {
			s[name] = "there"
		}
	}
	return s
}
