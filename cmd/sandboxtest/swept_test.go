package sandboxtest

import (
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestSwept: what stands for absent names goes with the launcher, or with the next start
// where that was ended by a signal, and not before the command, which tries all the time to
// make what it stands for.
func TestSwept(t *testing.T) {
	t.Parallel()
	for i, text := range []string{"", "\ncaches.mode = \"ephemeral\""} {
		t.Run(map[bool]string{true: "kept", false: "thrown away"}[i == 0], func(t *testing.T) {
			harness.Crossed(t, i, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, `extends = ["default"]`+"\nproject.protect = [\"deploy/own\"]"+text)
				l.shell(t, `rm -rf .git/hooks; mkdir .git/hooks`)
				names := func() (all []string) {
					_ = filepath.WalkDir(w.Project, func(path string, _ fs.DirEntry, err error) error {
						if err == nil { // or else it has just gone
							all = append(all, path)
						}
						return nil
					})
					return all
				}
				before := names()
				for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP} {
					ended := l.waits(t)
					harness.Complete(t, ended.word)
					ended.write(t, `{ while :; do mkdir -p .git/hooks deploy/own; echo evil >.git/hooks/pre-commit; echo evil >deploy/own/it; done 2>/dev/null & }; echo tried`)
					if err := ended.command.Process.Signal(signal); err != nil {
						t.Fatal(err)
					}
					_ = ended.command.Wait()
					harness.Eventually(t, signal.String()+" leaves no processes", func() bool { return len(harness.Running(t, ended.word)) == 0 })
					l.Run(t, "true").Succeeds(t, "the next start")
					if now := names(); !slices.Equal(before, now) {
						t.Errorf("%v: %q, was %q", signal, now, before)
					}
				}
			})
		})
	}
}
