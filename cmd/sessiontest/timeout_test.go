package sessiontest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bwrapgen/cmd/harness"
)

// short is a profile whose commands have a second, and then another.
const short = `extends = ["base"]
[limits]
timeout = "1s"
kill-after = "1s"
`

// TestTimeoutEnds has commands that do not end by themselves, at least not
// while anybody waits. A machine may be too slow for a command to be ready
// when its second is over: then it gets more.
func TestTimeoutEnds(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w = w.launch(t, short)
		tests := []struct {
			name, script string
			killed       bool // only after another second
			stdout       string
		}{
			{"sleep", ": >ready; sleep 300", false, ""},
			{"grace", "trap 'echo bye; exit 3' TERM; : >ready; while :; do sleep 0.05; done", false, "bye\n"},
			{"grandchild", `trap : TERM; bash -c 'trap "echo bye; exit" TERM; : >ready; while :; do sleep 0.05; done' & wait; wait`, false, "bye\n"},
			{"deaf", "trap '' TERM; : >ready; while :; do sleep 0.05; done", true, ""},
			{"stopped", ": >ready; kill -STOP $$", false, ""},
			{"stops all others", "trap '' TERM; : >ready; kill -STOP -1; while :; do sleep 0.05; done", true, ""},
			{"daemon", "trap '' TERM; (setsid sleep 300 &); : >ready; sleep 300", false, ""},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				least := time.Second
				r := w.late(t, &least, test.script).Says(t, "L: timed out after "+strconv.Itoa(int(least.Seconds()))+" seconds\n").Prints(t, test.stdout)
				if test.killed {
					least += time.Second
				}
				if r.Took < least {
					t.Errorf("took %v", r.Took)
				}
			})
		}
	})
}

// late runs a script that says that it is ready, until it was so before its
// time was over, which is the profile's own at first.
func (w world) late(t *testing.T, limit *time.Duration, script string) harness.Result {
	t.Helper()
	ready := filepath.Join(w.Project, "ready")
	r := w.bash(t, script)
	for r.Ends(t, 124); os.Remove(ready) != nil; r.Ends(t, 124) {
		*limit *= 2
		r = w.Run(t, "--sandbox-timeout", strconv.Itoa(int(limit.Seconds())), "bash", "-c", script)
	}
	return r
}

// TestTimeoutDeep: a command cannot keep its time from ending by processes that
// start each other, further down than the launcher's stack would go.
func TestTimeoutDeep(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w = w.launch(t, short)
		file := filepath.Join(w.Top, "small")
		w.Put(t, file, []byte("#!/bin/bash\nulimit -Ss 300 && exec "+w.Program+" \"$@\"\n"))
		w.Program = file
		least := time.Second
		w.late(t, &least, `script='if [ "$1" -gt 0 ]; then sh -c "$0" "$0" $(($1 - 1)); else : >ready; sleep 300; fi; exit'; exec sh -c "$script" "$script" 300`)
	})
}

// TestTimeoutKeepsStatus has commands that end in time, some of them as if they
// had not.
func TestTimeoutKeepsStatus(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w = w.launch(t, strings.Replace(short, "1s", "20s", 1))
		for script, want := range map[string]int{
			"exit 0": 0, "exit 7": 7, "exit 124": 124, "exit 125": 125, "exit 137": 137, "kill -KILL $$": 137, "kill -TERM $$": 143,
		} {
			if r := w.bash(t, script).Ends(t, want); r.Stderr != "" {
				t.Errorf("%s: said %q", script, r.Stderr)
			}
		}
		w.Run(t, "--", "no-such-command").Ends(t, 127)
	})
}

func TestTimeoutOption(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, short+"max-timeout = \"2m\"\n")
		for _, good := range []string{"120", "0120", "120s", "2m"} {
			w.Run(t, "--sandbox-timeout", good, "true").Ends(t, 0)
		}
		for _, least := range []string{"1", "1s"} {
			w.Run(t, "--sandbox-timeout", least, "sleep", "300").Ends(t, 124).Says(t, "timed out after 1 seconds")
		}
		for _, bad := range []string{"0", "0s", "121", "121s", "3m", "1h", "999999999"} {
			w.Run(t, "--sandbox-timeout", bad, "true").Ends(t, 125).Says(t, "out of range: "+bad+"\n").Says(t, "from 1s to 120s")
		}
		for _, bad := range []string{"", "-1", "1.5", "1d", "s", "9999999999", "1\n", "$(id)", "a[$(id)]"} {
			w.Run(t, "--sandbox-timeout", bad, "true").Ends(t, 125).Says(t, "is not a duration")
		}
		w.Run(t, "--sandbox-timeout").Ends(t, 125).Says(t, "--sandbox-timeout needs a value")
		w.Run(t, "sleep", "300").Ends(t, 124)
		w.Run(t, "--sandbox-timeout", "60", "bash", "-c", "sleep 1.2; echo done").Ends(t, 0).Prints(t, "done\n")
		w.Run(t, "--", "echo", "--sandbox-timeout").Prints(t, "--sandbox-timeout\n")
		w = w.launch(t, `extends = ["base"]`)
		w.Run(t, "--sandbox-timeout", "1", "true").Ends(t, 125).Says(t, "there is no option --sandbox-timeout")
	})
}

// TestTimeoutLeavesNothing kills launchers, and looks for what they started.
func TestTimeoutLeavesNothing(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w = w.launch(t, strings.Replace(short, "1s", "120s", 1))
		for _, end := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP} {
			// The launcher, its watch and the command have this word.
			c := w.Command(t.Context(), "--", "sh", "-c", ": >started; exec sleep 300", filepath.Base(w.Top))
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			started := filepath.Join(w.Project, "started")
			harness.Eventually(t, "the command starts", func() bool { return os.Remove(started) == nil })
			harness.Complete(t, filepath.Base(w.Top))
			if err := c.Process.Signal(end); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			harness.Eventually(t, end.String()+" leaves no processes", func() bool { return len(harness.Running(t, filepath.Base(w.Top))) == 0 })
		}
	})
}
