package sandboxtest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestVariableNames: variables whose names are none in a shell, as WSL, npm and exported
// functions have them, are no more inside than others.
func TestVariableNames(t *testing.T) {
	t.Parallel()
	trial.Newest(t, func(t *testing.T, s trial.Setting) {
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
