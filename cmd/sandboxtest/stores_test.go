package sandboxtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"bwrapgen/cmd/harness"
)

// TestStoresOddNames: whatever a project is called, what is kept for it stays as long as the project exists, and
// can be removed afterwards. What stores list prints has no control or bidirectional characters.
func TestStoresOddNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long", 60)
	names := []string{
		"plain", "line\nfeed", "end\n", "\nbegin", "two\n\nfeeds\n", "trailing ", "a -> b", "a[b]*?", `back\slash`, "per%2Fcent", "tilde", "tilde~",
		"\xff\xfe", "\x1b[31mred\r", "\u202egnp", long + "/" + long,
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		profile, launcher := filepath.Join(w.Top, "kept.toml"), filepath.Join(w.Top, "kept")
		w.Put(t, profile, []byte("extends = [\"base\"]\nproject.root = \"cwd\"\nhome.mode = \"keep\"\n"))
		for _, name := range names {
			if err := os.MkdirAll(filepath.Join(w.Top, "all", name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		w.Give(t, w.Top)
		bwrapgen := w.bwrapgen(t)
		if r := bwrapgen.Run(t, "generate", profile, "-o", launcher); r.Status != 0 {
			t.Fatalf("generate: %+v", r)
		}
		in := func(name, script string) string {
			start := harness.Start{As: w.Account, Program: launcher, Dir: filepath.Join(w.Top, "all", name), Environment: w.environment()}
			r := start.Run(t, "sh", "-c", script)
			if r.Status != 0 {
				t.Errorf("%q: %+v", name, r)
			}
			return r.Stdout
		}
		for i, name := range names {
			in(name, "echo "+string(rune('a'+i))+" >~/kept")
		}
		bwrapgen.Run(t, "stores", "prune", "-y")
		for i, name := range names {
			if got, want := in(name, "cat ~/kept"), string(rune('a'+i))+"\n"; got != want {
				t.Errorf("%q: prune removed what was kept, or it is another project's: %q", name, got)
			}
		}
		list := bwrapgen.Run(t, "stores", "list").Stdout
		if strings.Count(list, "\n") != len(names)+1 || strings.ContainsFunc(list, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Errorf("list prints %q", list)
		}
		// The control: what is gone is removed, one after the other, and nothing else.
		for i, name := range names {
			if err := os.Remove(filepath.Join(w.Top, "all", name)); err != nil {
				t.Fatal(err)
			}
			r := bwrapgen.Run(t, "stores", "prune", "-y")
			left, err := os.ReadDir(filepath.Join(w.Home, ".local/state/bwrapgen"))
			if err != nil || r.Status != 0 || len(left) != len(names)-i-1 {
				t.Errorf("%q is gone, and %d stores are left: %+v", name, len(left), r)
			}
		}
	})
}
