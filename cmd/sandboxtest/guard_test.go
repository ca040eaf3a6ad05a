package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestMisled: a variable that names no place of the tool's own shows nothing
// of what is there, and one that an own entry follows is refused.
func TestMisled(t *testing.T) {
	trial.Newest(t, func(t *testing.T, s trial.Setting) {
		w := newWorld(t, s)
		w.shell(t, `ln -s / "$H/root" && ln -s "$H" "$O/home-link" && mkdir -p "$H/go/bin" "$H/.claude"`)
		w.Give(t, w.Top)
		tools := w.launch(t, `extends = ["default"]`)
		agent := tools
		agent.Program = filepath.Join(w.Top, "agent")
		w.Put(t, agent.Program, w.generate(t, "command = []\nextends = [\"claude-code\"]"))
		for _, value := range []string{"/", w.Home, w.Top, w.Home + "/root", w.Outside + "/home-link", "/proc", "/dev", "/sys", "/proc/self/root", "", "relative"} {
			l := tools
			l.Environment = trial.With(l.Environment, "GOBIN="+value, "GOROOT="+value)
			if r := l.Run(t, "cat", filepath.Join(w.Home, ".ssh/id_test"), filepath.Join(w.Outside, "file")); strings.Contains(r.Stdout, secret) || strings.Contains(r.Stdout, "outside") || r.Status == 0 {
				t.Errorf("GOBIN=%s shows %q, %d", value, r.Stdout, r.Status)
			}
			agent.Environment = trial.With(tools.Environment, "CLAUDE_CONFIG_DIR="+value)
			r := agent.Run(t, "true")
			misled := strings.HasPrefix(value, "/") && value != "/" // which counts as unset
			if refused := r.Status == 125 && strings.Contains(r.Stderr, "refusing"); refused != misled {
				t.Errorf("CLAUDE_CONFIG_DIR=%s: %d, %s", value, r.Status, r.Stderr)
			}
			if trial.Exists(filepath.Join(w.Home, "agents")) {
				t.Fatalf("CLAUDE_CONFIG_DIR=%s: something was made in the home directory", value)
			}
		}
	})
}
