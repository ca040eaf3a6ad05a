package sandboxtest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"bwrapgen/cmd/harness"
)

// TestSize: a start does not grow with the project. No directory is opened in it,
// of those that no rule names, whatever is protected, hidden or overlaid.
func TestSize(t *testing.T) {
	t.Parallel()
	named := map[string]int{"rules": 2} // files there that the profile names
	for name, text := range map[string]string{
		"default": `extends = ["default"]`,
		"rules":   "extends = [\"default\"]\n[project]\nprotect = [\"many/1/file\", \"own\"]\nhide = [\"many/2/file\", \"none\"]",
		"nested":  "extends = [\"default\"]\n[project]\nprotect = [\"sub/.git/hooks\", \"sub/.git/config\"]",
		"agent":   "extends = [\"agent-code\"]\ncommand = []",
	} {
		t.Run(name, func(t *testing.T) {
			harness.Ends(t, func(t *testing.T, s harness.Setting) {
				if name == "agent" && filepath.Base(s.Bwrap) == "0.4.1" {
					return // TestSecrets: it refuses
				}
				w := newWorld(t, s)
				l := w.launch(t, text)
				for i := range 100 {
					w.Write(t, map[string]string{fmt.Sprintf("home/code/p/many/%d/file", i): "x\n", fmt.Sprintf("home/code/p/sub/many/%d/deep/file", i): "x\n"})
				}
				w.shell(t, `git add many && git commit -qm many --no-verify`)
				w.Give(t, w.Top)
				opened := watch(t, filepath.Join(w.Project, "many"), filepath.Join(w.Project, "sub/many"))
				l.Run(t, "true").Succeeds(t, "a start")
				if n := opened(); n > named[name] {
					t.Errorf("%d times something was opened below the project, and %d names are there", n, named[name])
				}
				l.Run(t, "ls", "-R", "many", "sub").Succeeds(t, "to look at all")
				if n := opened(); n < 300 {
					t.Errorf("the control: only %d times something was opened", n)
				}
			})
		})
	}
}

// watch gives a function that says how often something has been opened since, of
// trees and what lies in them.
func watch(t *testing.T, trees ...string) func() int {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	for _, tree := range trees {
		err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				_, err = unix.InotifyAddWatch(fd, path, unix.IN_OPEN)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	buffer := make([]byte, 64*os.Getpagesize())
	count := func() (n int) {
		for {
			size, err := unix.Read(fd, buffer)
			if err != nil || size == 0 {
				return n
			}
			for at := 0; at < size; n++ {
				at += unix.SizeofInotifyEvent + int(buffer[at+12]) + int(buffer[at+13])<<8
			}
		}
	}
	count() // WalkDir opens them, too
	return count
}
