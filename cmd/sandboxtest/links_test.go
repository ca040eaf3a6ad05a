package sandboxtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestProtectedLink: C5, a protected name that is a link: its target is held,
// or the launch is refused.
func TestProtectedLink(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ link, attack string }{
		"relative":  {`mv .envrc envrc-real && ln -s envrc-real .envrc`, `echo evil >>envrc-real`},
		"absolute":  {`mv .envrc envrc-real && ln -s "$P/envrc-real" .envrc`, `echo evil >>envrc-real`},
		"dangling":  {`rm .envrc && ln -s "$O/absent" .envrc`, `rm -f .envrc; echo evil >.envrc`},
		"circle":    {`rm .envrc && ln -s .envrc .envrc`, `true`},
		"directory": {`rm -r .vscode && mkdir real && touch real/tasks.json && ln -s real .vscode`, `echo evil >>real/tasks.json`},
		"parent":    {`mv .vscode real && ln -s real .vscode`, `echo evil >>.vscode/tasks.json`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			harness.Crossed(t, len(name), func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\n[project]\nprotect = [\".envrc\", \".vscode/tasks.json\", \".vscode\"]")
				l.shell(t, c.link)
				l.Give(t, l.Project)
				before := w.state(t)
				r := l.Run(t, "bash", "-c", "P=$PWD; cd $P; "+c.attack+"; true")
				if r.Status != 0 && (r.Status != 125 || r.Stderr == "") {
					t.Errorf("status %d: %s", r.Status, r.Stderr)
				}
				if out := l.shell(t, `grep -rl evil . --include='*envrc*' --include='tasks.json' || true`); out != "" && !strings.Contains(r.Stderr, ".envrc") {
					t.Errorf("what is protected has changed, and nothing was said: %s", out)
				}
				before.Same(t, w.state(t))
			})
		})
	}
}

// TestOldroot: C7 and C8, a link through the directory that bwrap keeps the
// host at while it works.
func TestOldroot(t *testing.T) {
	t.Parallel()
	for i, target := range []string{"/oldroot$O", "/newroot$O", "../../../../../../../../oldroot$O", "/proc/1/root$O", "/proc/self/root$O", "$O"} {
		t.Run(strings.ReplaceAll(strings.Trim(target, "/.$O"), "/", "-"), func(t *testing.T) {
			t.Parallel()
			harness.Crossed(t, i, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\n[project]\nprotect = [\".claude/settings.json\"]\nhide = [\".claude/secret\"]")
				if err := os.Symlink(strings.ReplaceAll(target, "$O", w.Outside), filepath.Join(w.Project, ".claude")); err != nil {
					t.Fatal(err)
				}
				before := w.state(t)
				r := l.Run(t, "sh", "-c", "echo x >.claude/made; true")
				if strings.Contains(target, "newroot") || strings.Contains(target, "oldroot") {
					r.Refused(t, target, "refusing .claude: it links to where bwrap mounts the host")
				} else if r.Status != 0 && (r.Status != 125 || r.Stderr == "") {
					t.Errorf("status %d: %s", r.Status, r.Stderr)
				}
				before.Same(t, w.state(t))
			})
		})
	}
}

// TestWay: a launcher that starts in a directory behind a symbolic link runs the command in the
// directory that it leads to, wherever the link is.
func TestWay(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `mkdir -p deep/er && echo here >deep/er/file
			ln -s "$P" "$H/way"; ln -s "$P" "$O/way"; ln -s way "$O/way2"; ln -s . self
			ln -s "$P" "$H/.cache/go-build/way"; ln -s "$H" "$O/home"`)
		l.Give(t, w.Top)
		for _, way := range []string{
			w.Home + "/way", w.Outside + "/way", w.Outside + "/way2", w.Outside + "/home" + strings.TrimPrefix(w.Project, w.Home),
			w.Project + "/self", w.Project + "/self/self", w.Home + "/.cache/go-build/way",
		} {
			at := l
			at.Dir = way + "/deep/er"
			at.Set("PWD=" + at.Dir)
			at.Run(t, "sh", "-c", "echo $PWD; cat file; cat ../../deep/er/file").
				Expect(t, way, 0, w.Project+"/deep/er\nhere\nhere\n")
		}
	})
}
