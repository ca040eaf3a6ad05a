package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestRepositoryLikeOption: a file .git that names a dash, which is where bash has
// been before, is taken for the name that it is, and nothing is said in its place
// where the command would speak. That name is no repository, and with one it is.
func TestRepositoryLikeOption(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.Dir = filepath.Join(w.Project, "new")
		w.Put(t, filepath.Join(l.Dir, ".git"), []byte("gitdir: -\n"))
		w.Give(t, w.Top)
		r := l.Run(t, "true")
		r.Refused(t, "a dash", "there is no repository -\n")
		if strings.TrimSpace(r.Stdout) != "" {
			t.Errorf("it says %q", r.Stdout)
		}
		l.shell(t, `cd new && mkdir -- - && printf '[core]\n\tworktree = ..\n' >./-/config`)
		w.Give(t, w.Top)
		l.Run(t, "echo", "ran").Expect(t, "with a repository of that name", 0, "ran\n")
	})
}
