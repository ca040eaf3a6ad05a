package sandboxtest

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestCore: the command can end what is in its process group by a signal that
// has the kernel write a core. That of the launcher, which knows the caller's
// variables, lands nowhere near the command.
func TestCore(t *testing.T) {
	trial.Ends(t, func(t *testing.T, s trial.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		c, word := l.busy(t)
		dir, err := os.Readlink("/proc/" + strconv.Itoa(c.Process.Pid) + "/cwd")
		if err != nil || !strings.HasPrefix(dir+"/", "/proc/") {
			t.Errorf("the launcher's working directory is %q: %v", dir, err)
		}
		_ = c.Process.Kill()
		_ = c.Wait()
		trial.Eventually(t, "the sandbox is gone", func() bool { return len(trial.Running(t, word)) == 0 })
		const cores = `ulimit -S -c unlimited 2>/dev/null || ulimit -S -c hard; cd "$P" || exit; `
		const found = `; grep -lqs "$SECRET_TOKEN" core* && echo "a secret"; rm -f core*; true`
		l.Environment = append(l.Environment, "P="+l.Project)
		if r := l.from(t, cores+`(exec setsid -w "$L" sh -c 'sleep 0.2; kill -SEGV 0')`+found); strings.Contains(r.Stdout, "a secret") {
			t.Errorf("the core of the launcher lies in the project")
		}
		pattern, err := os.ReadFile("/proc/sys/kernel/core_pattern")
		if err != nil || strings.HasPrefix(string(pattern), "|") || strings.Contains(string(pattern), "/") {
			return // here no core lies where its program was, without a sandbox either
		}
		if r := l.from(t, cores+`bash -c 'kill -SEGV $$'`+found); !strings.Contains(r.Stdout, "a secret") {
			t.Errorf("the control: %q %q", r.Stdout, r.Stderr)
		}
	})
}
