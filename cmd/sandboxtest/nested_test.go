package sandboxtest

import (
	"os"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestNestedMisled: a repository inside the project whose hooks and settings are
// protected cannot be led to others: what would do that is named at the end, and
// moved aside, so that the host's git runs nothing. Git works there meanwhile,
// whether the profile names these files or not.
func TestNestedMisled(t *testing.T) {
	for name, protect := range map[string]string{
		"hooks and settings": `"sub/.git/hooks", "sub/.git/config"`,
		"hooks alone":        `"sub/.git/hooks"`,
		"all by name":        `"sub/.git/hooks", "sub/.git/config", "sub/.git/commondir", "sub/.git/config.worktree"`,
	} {
		t.Run(name, func(t *testing.T) {
			trial.Ends(t, func(t *testing.T, s trial.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\n[project]\nprotect = ["+protect+"]")
				const lead = `cp -a sub/.git made-evil && git config -f made-evil/config core.fsmonitor "touch '$PWD/made-pwned'; false #" && echo ../../made-evil >sub/.git/commondir`
				r := l.Run(t, "bash", "-c", `git -C sub commit -qm second --allow-empty --no-verify && echo committed; `+lead)
				r.Prints(t, "committed\n")
				if !strings.Contains(r.Stderr, w.Project+"/sub/.git/commondir: the command has made it") {
					t.Errorf("it is not named: %s", r.Stderr)
				}
				l.shell(t, `git -C sub status --short`)
				if trial.Exists(w.Project + "/made-pwned") {
					t.Error("the host's git has run what the command left")
				}
				l.shell(t, lead+`; git -C sub status --short`)
				if !trial.Exists(w.Project + "/made-pwned") {
					t.Error("the control: outside, git does not run it either")
				}
				_ = os.Remove(w.Project + "/made-pwned")
			})
		})
	}
}
