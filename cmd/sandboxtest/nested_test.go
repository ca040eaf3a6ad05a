package sandboxtest

import (
	"os"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestNestedMisled: a repository inside the project whose hooks and settings are
// protected cannot be led to others: what would do that is named at the end, and
// moved aside, so that the host's git runs nothing. Git works there meanwhile,
// whether the profile names these files or not.
func TestNestedMisled(t *testing.T) {
	t.Parallel()
	for name, protect := range map[string]string{
		"hooks and settings": `"sub/.git/hooks", "sub/.git/config"`,
		"hooks alone":        `"sub/.git/hooks"`,
		"all by name":        `"sub/.git/hooks", "sub/.git/config", "sub/.git/commondir", "sub/.git/config.worktree"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			harness.Ends(t, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\n[project]\nprotect = ["+protect+"]")
				const lead = `cp -a sub/.git made-evil && git config -f made-evil/config core.fsmonitor "touch '$PWD/made-pwned'; false #" && echo ../../made-evil >sub/.git/commondir`
				r := l.Run(t, "bash", "-c", `git -C sub commit -qm second --allow-empty --no-verify && echo committed; `+lead)
				r.Prints(t, "committed\n")
				if !strings.Contains(r.Stderr, w.Project+"/sub/.git/commondir, which") {
					t.Errorf("it is not named: %s", r.Stderr)
				}
				l.shell(t, `git -C sub status --short`)
				if harness.Exists(w.Project + "/made-pwned") {
					t.Error("the host's git has run what the command left")
				}
				l.shell(t, lead+`; git -C sub status --short`)
				if !harness.Exists(w.Project + "/made-pwned") {
					t.Error("the control: outside, git does not run it either")
				}
				_ = os.Remove(w.Project + "/made-pwned")
			})
		})
	}
}

// TestNestedMade: where a command makes a repository of a directory, a launcher that
// is started there keeps the names that the profile has for the project around it. A
// .git is named at the end, also one that only a launcher takes for a repository.
func TestNestedMade(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/code/p/a/key": secret, "home/code/p/a/other": "other\n", "home/code/p/b/c/key": secret})
		w.Give(t, w.Project)
		l := w.launch(t, `extends = ["default"]
			[project]
			protect = ["a/file", "b/c"]
			hide    = ["a/key", "b/c/key"]
			report  = true`)
		r := l.Run(t, "bash", "-c", `git init -q a && mkdir b/.git && cat a/key`)
		for _, name := range []string{"a/.git/config", "b/.git"} {
			if !strings.Contains(r.Stderr, "warning: "+w.Project+"/"+name+" is new or changed") {
				t.Errorf("%s is not named: %s", name, r.Stderr)
			}
		}
		r = l.in(w.Project+"/a").Run(t, "bash", "-c", `cat key; echo more >>file; echo changed >>other; cat file other`)
		r.Prints(t, "a\nother\nchanged\n")
		r = l.in(w.Project+"/b").Run(t, "bash", "-c", `cat c/key; echo more >c/more; echo changed >>file; ls c; cat file`)
		r.Prints(t, "key\nb\nchanged\n")
	})
}

// in is a launcher that is started elsewhere.
func (l launcher) in(dir string) launcher {
	l.Dir = dir
	return l
}
