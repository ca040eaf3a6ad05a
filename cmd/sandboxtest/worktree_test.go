package sandboxtest

import (
	"fmt"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestPrune: git inside does not take another worktree, which is not shown, for
// one that is gone: what it has staged and committed stays.
func TestPrune(t *testing.T) {
	t.Parallel()
	const numbers = 5 // where git begins to remove depends on the names
	for name, profile := range map[string]string{
		"as it is":          "extends = [\"default\"]\nfilesystem.write = [\"~/shown\"]",
		"a view":            "extends = [\"default\"]\nproject.access = \"overlay\"",
		"the host's root":   "extends = [\"default\"]\nfilesystem.base = \"host\"\nhome.mode = \"empty\"",
		"elsewhere":         "extends = [\"default\"]\nproject.at = \"/w\"",
		"home is elsewhere": "extends = [\"default\"]\nhome.at = \"/home/sandbox\"",
	} {
		harness.Crossed(t, len(name), func(t *testing.T, s harness.Setting) {
			w := newWorld(t, s)
			l := w.launch(t, profile)
			w.shell(t, fmt.Sprintf(`for n in $(seq %d); do git worktree add -q --detach "../linked$n" && (cd "../linked$n" && echo x >made && git add made); done; git worktree add -q --detach ~/shown/tree`, numbers))
			w.Give(t, w.Top)
			for _, dir := range []string{"/../linked2", ""} {
				l.Dir = w.Project + dir
				r := l.Run(t, "sh", "-c", "git worktree prune && git worktree list && git status --short")
				if r.Status != 0 || strings.Count(r.Stdout, "(detached HEAD)\n") != numbers+1 || dir != "" && !strings.HasSuffix(r.Stdout, "A  made\n") {
					t.Errorf("%s, %s: %d, %s%s", name, dir, r.Status, r.Stdout, r.Stderr)
				}
				w.shell(t, `for d in ../linked*; do [ "$(git -C "$d" status --short)" = 'A  made' ]; done`)
			}
			if r := l.Run(t, "git", "-C", "../linked1", "status"); r.Status != 128 {
				t.Errorf("%s: what is not shown can be used: %d, %s", name, r.Status, r.Stdout)
			}
			if r := l.Run(t, "git", "-C", w.Home+"/shown/tree", "status"); (r.Status == 0) != (name == "as it is") {
				t.Errorf("%s: what the profile lists: %d, %s", name, r.Status, r.Stderr)
			}
			w.shell(t, `rm -rf ../linked1 ../linked2/.git`)
			if r := l.Run(t, "git", "worktree", "list"); strings.Count(r.Stdout, "prunable") != 2 {
				t.Errorf("%s, without two: %d, %s%s", name, r.Status, r.Stdout, r.Stderr)
			}
			w.shell(t, `echo ../../../../linked3/.git >.git/worktrees/linked3/gitdir`) // as git 2.48 can
			l.Run(t, "test", "-e", w.Home+"/code/linked3/.git").Succeeds(t, name+", by a relative path")
		})
	}
}
