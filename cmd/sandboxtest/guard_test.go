package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMisled: a variable that names no place of the tool's own shows nothing
// of what is there, and one that an own entry follows is refused.
func TestMisled(t *testing.T) {
	newest(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		w.shell(t, `ln -s / "$H/root" && ln -s "$H" "$O/home-link" && mkdir -p "$H/go/bin" "$H/.claude"`)
		w.give(t, w.dir)
		tools := w.launch(t, `extends = ["default"]`)
		agent := tools
		agent.file = filepath.Join(w.dir, "agent")
		w.put(t, agent.file, w.generate(t, "command = []\nextends = [\"claude-code\"]", w.project))
		for _, value := range []string{"/", w.home, w.dir, w.home + "/root", w.outside + "/home-link", "/proc", "/dev", "/sys", "/proc/self/root", "", "relative"} {
			l := tools
			l.environment = with(l.environment, "GOBIN="+value, "GOROOT="+value)
			if r := l.run(t, "cat", filepath.Join(w.home, ".ssh/id_test"), filepath.Join(w.outside, "file")); strings.Contains(r.stdout, secret) || strings.Contains(r.stdout, "outside") || r.status == 0 {
				t.Errorf("GOBIN=%s shows %q, %d", value, r.stdout, r.status)
			}
			agent.environment = with(tools.environment, "CLAUDE_CONFIG_DIR="+value)
			r := agent.run(t, "true")
			misled := strings.HasPrefix(value, "/") && value != "/" // which counts as unset
			if refused := r.status == 125 && strings.Contains(r.stderr, "refusing"); refused != misled {
				t.Errorf("CLAUDE_CONFIG_DIR=%s: %d, %s", value, r.status, r.stderr)
			}
			if exists(filepath.Join(w.home, "agents")) {
				t.Fatalf("CLAUDE_CONFIG_DIR=%s: something was made in the home directory", value)
			}
		}
	})
}
