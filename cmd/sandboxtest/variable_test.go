package sandboxtest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestVariableNames: variables whose names are none in a shell, as WSL, npm and exported
// functions have them, are no more inside than others.
func TestVariableNames(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		outside := l.Start
		outside.Program = "/usr/bin/env"
		odd := []string{"ProgramFiles(x86)=1", "npm_config_//registry.npmjs.org/:key=1", "a.b=1", "x-y=1", "1x=1", "BASH_FUNC_f%%=() { :; }"}
		l.Environment = append(odd, l.Environment...)
		outside.Environment = l.Environment
		control, r := outside.Run(t), l.Run(t, "/usr/bin/env")
		if r.Status != 0 || strings.Contains(r.Stdout, secret) {
			t.Errorf("status %d, %s%s", r.Status, r.Stdout, r.Stderr)
		}
		for _, variable := range odd {
			if !strings.Contains(control.Stdout, variable+"\n") || strings.Contains(r.Stdout, variable) {
				t.Errorf("%s: outside %q, inside %q", variable, control.Stdout, r.Stdout)
			}
		}
	})
}

// TestUnsetVariable: nothing runs where a path of the profile needs a variable that is unset,
// and the message says which key needs it; what may be absent is left out.
func TestUnsetVariable(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		for entry, key := range map[string]string{
			`filesystem.read = ["$GOBIN/x"]`:                                                       "filesystem.read[0]",
			`filesystem.write = ["$GOBIN/x"]`:                                                      "filesystem.write[0]",
			`filesystem.overlay = ["$GOBIN/x"]`:                                                    "filesystem.overlay[0]",
			`filesystem.credential = [{ path = "$GOBIN/x", at = "~/key", why = "a test" }]`:        "filesystem.credential[0]",
			`project.root = "$GOBIN/x"`:                                                            "project.root",
			`environment.require = ["GOBIN"]`:                                                      "environment.require",
			`filesystem.read = ["$GOBIN/x?"]`:                                                      "",
			`filesystem.write = [{ path = "$GOBIN/x", create = true, why = "made if it can be" }]`: "",
		} {
			l := w.launch(t, "extends = [\"base\"]\n"+entry)
			if r := l.Run(t, "echo", "ran"); key == "" {
				r.Expect(t, entry, 0, "ran\n")
			} else {
				r.Refused(t, entry, "GOBIN is not set, and "+key+" in the profile needs it")
			}
		}
		l := w.launch(t, "extends = [\"base\"]\n[filesystem]\nwrite = [\"$GOBIN/share\"]")
		l.Environment = harness.With(l.Environment, "GOBIN=/usr")
		l.Run(t, "true").Refused(t, "a system directory", "refusing to share /usr/share: it is a system directory", "correct the variable or the link")
		w.shell(t, `mkdir "$H/share"`)
		w.Give(t, w.Top)
		l.Environment = harness.With(l.Environment, "GOBIN="+w.Home)
		l.Run(t, "sh", "-c", `echo mine >"$HOME/share/made"`).Succeeds(t, "a directory of one's own")
	})
}
