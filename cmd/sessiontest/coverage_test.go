package sessiontest

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/profiles"
)

// TestCoverage holds the table of what other systems do to its word: every row
// once, and the tests that it names.
func TestCoverage(t *testing.T) {
	table := harness.Read(t, "../../profiles/README.md")
	for _, row := range regexp.MustCompile(`(?m)^\| ([A-Z][A-Z0-9-]*\d) \| .* \| ([^|]*) \|$`).FindAllStringSubmatch(table, -1) {
		for test := range strings.SplitSeq(row[2], ", ") {
			if err := harness.Shown(t, test); err != nil {
				t.Errorf("%s: %v", row[1], err)
			}
		}
	}
	for letter, last := range map[string]int{
		"P": 59, "A": 29, "R": 45, "X": 35, // what they do, and gaps
		"A-T": 19, "A-P": 3, "A-X": 14, "A-E": 11, "R-T": 24, "R-C": 11, "P-T": 14, "X-T": 16, "B": 10, // tests
	} {
		for i := 1; i <= last; i++ {
			absent := letter == "P" && i > 35 && i < 40 // numbers that nobody gave
			if n := strings.Count(table, fmt.Sprintf("\n| %s%d |", letter, i)); n != 1 && !absent {
				t.Errorf("%s%d has %d rows", letter, i, n)
			}
		}
	}
}

// TestComments has each profile say what it follows.
func TestComments(t *testing.T) {
	for _, name := range guests() {
		text, err := fs.ReadFile(profiles.FS, name+".toml")
		if err != nil || !strings.Contains(strings.ReplaceAll(string(text), "\n# ", " "), "is stricter, or knows more, where") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoBwrap has PATHs without bwrap, or with what only looks like it.
func TestNoBwrap(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, `extends = ["pikuri"]`)
		w.write(t, "outside/bwrap", "#!/bin/sh\necho ran\n") // not executable
		w.Put(t, w.Project+"/bwrap", []byte("#!/bin/sh\necho ran\n"))
		if err := os.Chmod(w.Project+"/bwrap", 0o755); err != nil {
			t.Fatal(err)
		}
		bin := w.Top + "/bin"
		if err := os.Mkdir(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, program := range []string{"bash", "env"} {
			if err := os.Symlink("/usr/bin/"+program, bin+"/"+program); err != nil {
				t.Fatal(err)
			}
		}
		for path, want := range map[string]string{
			bin: "bwrap is not installed", w.Outside + ":" + bin: "bwrap is not installed", w.Project + ":" + bin: "bwrap",
		} {
			w.Set("PATH=" + path)
			w.Run(t, "true").Ends(t, 125).Says(t, want).Prints(t, "")
			w.launch(t, `extends = ["trusted-maintenance"]`).Run(t, "true").Ends(t, 125)
			if harness.Exists(w.Home + "/.local") {
				t.Error("directories were made for nothing")
			}
			w.launch(t, `extends = ["pikuri"]`)
		}
	})
}

// TestLinkedCache has a cache that is a link, as one on another disk.
func TestLinkedCache(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w.write(t, "disk/registry/index", "index\n")
		if err := os.Mkdir(w.Home+"/.cargo", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(w.Top+"/disk/registry", w.Home+"/.cargo/registry"); err != nil {
			t.Fatal(err)
		}
		w.Give(t, w.Top)
		w = w.launch(t, `extends = ["pikuri"]`)
		w.bash(t, "cat ~/.cargo/registry/index; echo x >~/.cargo/registry/new && cat "+w.Top+"/disk/registry/new").Ends(t, 0).Prints(t, "index\nx\n")
		if harness.Read(t, w.Top+"/disk/registry/new") != "" {
			t.Error("the host's cache has changed")
		}
	})
}
