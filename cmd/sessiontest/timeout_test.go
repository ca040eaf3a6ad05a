package sessiontest

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// short is a profile whose commands have a second, and then another.
const short = `extends = ["base"]
[limits]
timeout = "1s"
kill-after = "1s"
`

// TestTimeoutEnds has commands that do not end by themselves.
func TestTimeoutEnds(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w = w.launch(t, short)
		tests := []struct {
			name, script string
			least, most  time.Duration
			stdout       string
		}{
			{"sleep", "sleep 30", time.Second, 5 * time.Second, ""},
			{"grace", "trap 'echo bye; exit 3' TERM; while :; do sleep 0.05; done", time.Second, 5 * time.Second, "bye\n"},
			{"grandchild", `trap : TERM; bash -c 'trap "echo bye; exit" TERM; while :; do sleep 0.05; done' & wait; wait`, time.Second, 5 * time.Second, "bye\n"},
			{"deaf", "trap '' TERM; while :; do sleep 0.05; done", 2 * time.Second, 9 * time.Second, ""},
			{"stopped", "kill -STOP $$", time.Second, 9 * time.Second, ""},
			{"stops all others", "trap '' TERM; kill -STOP -1; while :; do :; done", 2 * time.Second, 9 * time.Second, ""},
			{"daemon", "trap '' TERM; (setsid sleep 30 &); sleep 30", time.Second, 5 * time.Second, ""},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				r := w.bash(t, test.script).ends(t, 124).says(t, "L: timed out after 1 seconds\n").prints(t, test.stdout)
				if r.took < test.least || r.took > test.most {
					t.Errorf("took %v", r.took)
				}
			})
		}
	})
}

// TestTimeoutKeepsStatus has commands that end in time, some of them as if they
// had not.
func TestTimeoutKeepsStatus(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w = w.launch(t, strings.Replace(short, "1s", "20s", 1))
		for script, want := range map[string]int{
			"exit 0": 0, "exit 7": 7, "exit 124": 124, "exit 125": 125, "exit 137": 137, "kill -KILL $$": 137, "kill -TERM $$": 143,
		} {
			if r := w.bash(t, script).ends(t, want); r.stderr != "" {
				t.Errorf("%s: said %q", script, r.stderr)
			}
		}
		w.run(t, "--", "no-such-command").ends(t, 127)
	})
}

func TestTimeoutOption(t *testing.T) {
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, short+"max-timeout = \"2m\"\n")
		for _, good := range []string{"1", "1s", "120", "0120", "120s", "2m"} {
			w.run(t, "--sandbox-timeout", good, "true").ends(t, 0)
		}
		for _, bad := range []string{"0", "0s", "121", "121s", "3m", "1h", "999999999"} {
			w.run(t, "--sandbox-timeout", bad, "true").ends(t, 125).says(t, "out of range: "+bad+"\n").says(t, "from 1s to 120s")
		}
		for _, bad := range []string{"", "-1", "1.5", "1d", "s", "9999999999", "1\n", "$(id)", "a[$(id)]"} {
			w.run(t, "--sandbox-timeout", bad, "true").ends(t, 125).says(t, "is no duration")
		}
		w.run(t, "--sandbox-timeout").ends(t, 125).says(t, "is no duration")
		w.run(t, "--sandbox-timeout", "1", "sleep", "9").ends(t, 124)
		w.run(t, "--sandbox-timeout", "20", "bash", "-c", "sleep 1.2; echo done").ends(t, 0).prints(t, "done\n")
		w.run(t, "--", "echo", "--sandbox-timeout").prints(t, "--sandbox-timeout\n")
		w = w.launch(t, `extends = ["base"]`)
		w.run(t, "--sandbox-timeout", "1", "true").ends(t, 125).says(t, "there is no option --sandbox-timeout")
	})
}

// TestTimeoutLeavesNothing kills launchers, and looks for what they started.
func TestTimeoutLeavesNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w = w.launch(t, strings.Replace(short, "1s", "30s", 1))
		before := processes(t, w)
		for _, end := range []string{"KILL", "TERM", "HUP"} {
			c := w.command(context.Background(), "--", "sleep", "20")
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(200 * time.Millisecond)
			if processes(t, w) == before {
				t.Error("nothing was started")
			}
			if err := exec.Command("kill", "-"+end, strconv.Itoa(c.Process.Pid)).Run(); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			time.Sleep(200 * time.Millisecond)
			if after := processes(t, w); after != before {
				t.Errorf("%s left:\n%s", end, after)
			}
		}
	})
}

// processes are those with the world's directory in their arguments.
func processes(t *testing.T, w world) string {
	t.Helper()
	output, _ := exec.Command("pgrep", "-f", "-a", w.dir).Output()
	return string(output)
}
