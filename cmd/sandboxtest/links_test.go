package sandboxtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProtectedLink: C5, a protected name that is a link: its target is held,
// or the launch is refused.
func TestProtectedLink(t *testing.T) {
	for name, c := range map[string]struct{ link, attack string }{
		"relative":  {`mv .envrc envrc-real && ln -s envrc-real .envrc`, `echo evil >>envrc-real`},
		"absolute":  {`mv .envrc envrc-real && ln -s "$P/envrc-real" .envrc`, `echo evil >>envrc-real`},
		"dangling":  {`rm .envrc && ln -s "$O/absent" .envrc`, `rm -f .envrc; echo evil >.envrc`},
		"circle":    {`rm .envrc && ln -s .envrc .envrc`, `true`},
		"directory": {`rm -r .vscode && mkdir real && touch real/tasks.json && ln -s real .vscode`, `echo evil >>real/tasks.json`},
		"parent":    {`mv .vscode real && ln -s real .vscode`, `echo evil >>.vscode/tasks.json`},
	} {
		t.Run(name, func(t *testing.T) {
			ends(t, func(t *testing.T, s setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\n[project]\nprotect = [\".envrc\", \".vscode/tasks.json\", \".vscode\"]")
				l.shell(t, c.link)
				l.give(t, l.project)
				before := w.state(t)
				r := l.run(t, "bash", "-c", "P=$PWD; cd $P; "+c.attack+"; true")
				if r.status != 0 && (r.status != 125 || r.stderr == "") {
					t.Errorf("status %d: %s", r.status, r.stderr)
				}
				if out := l.shell(t, `grep -rl evil . --include='*envrc*' --include='tasks.json' || true`); out != "" && !strings.Contains(r.stderr, ".envrc") {
					t.Errorf("what is protected has changed, and nothing was said: %s", out)
				}
				before.unchanged(t, w)
			})
		})
	}
}

// TestOldroot: C7 and C8, a link through the directory that bwrap keeps the
// host at while it works.
func TestOldroot(t *testing.T) {
	for _, target := range []string{"/oldroot$O", "/newroot$O", "../../../../../../../../oldroot$O", "/proc/1/root$O", "/proc/self/root$O", "$O"} {
		t.Run(strings.ReplaceAll(strings.Trim(target, "/.$O"), "/", "-"), func(t *testing.T) {
			ends(t, func(t *testing.T, s setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\n[project]\nprotect = [\".claude/settings.json\"]\nhide = [\".claude/secret\"]")
				if err := os.Symlink(strings.ReplaceAll(target, "$O", w.outside), filepath.Join(w.project, ".claude")); err != nil {
					t.Fatal(err)
				}
				before := w.state(t)
				r := l.run(t, "sh", "-c", "echo x >.claude/made; true")
				if r.status != 0 && (r.status != 125 || r.stderr == "") {
					t.Errorf("status %d: %s", r.status, r.stderr)
				}
				before.unchanged(t, w)
			})
		})
	}
}
