package sandboxtest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestVariableLikeOption: a variable whose name begins with a dash is no option
// for what takes the caller's variables away.
func TestVariableLikeOption(t *testing.T) {
	trial.Newest(t, func(t *testing.T, s trial.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		outside := l.Start
		outside.Program = "/usr/bin/env"
		usual := l.Environment
		for _, name := range []string{"-f", "-p", "-n", "-x", "--", "-"} {
			l.Environment = append([]string{name + "=1"}, usual...)
			outside.Environment = l.Environment
			if r := outside.Run(t); !strings.HasPrefix(r.Stdout, name+"=1\n") || !strings.Contains(r.Stdout, secret) {
				t.Errorf("the control for %s: %q", name, r.Stdout)
			}
			r := l.Run(t, "/usr/bin/env")
			if r.Status != 0 || strings.Contains(r.Stdout, secret) || strings.Contains(r.Stdout, name+"=1") {
				t.Errorf("%s: status %d, %s%s", name, r.Status, r.Stdout, r.Stderr)
			}
		}
	})
}
