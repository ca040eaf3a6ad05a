package sandboxtest

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"bwrapgen/cmd/harness"
)

// TestStoppedGroup: a command that stops its process group, and so the launcher,
// has no more time than others: it is ended from outside, and the launcher goes on
// to say so. A machine may be too slow for all to be stopped when the time is over:
// then there is more.
func TestStoppedGroup(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[limits]\ntimeout = \"3s\"\nmax-timeout = \"600s\"\nkill-after = \"1s\"")
		for limit := 3; !l.stopsItself(t, limit); limit *= 2 {
			if limit > 100 {
				t.Fatal("the launcher is never stopped in time, so that nothing is proved")
			}
		}
	})
}

// stopsItself starts such a command, and reports whether its launcher was stopped before
// the time was over.
func (l launcher) stopsItself(t *testing.T, limit int) (stopped bool) {
	t.Helper()
	word, said := l.word("stopped"), filepath.Join(l.Top, "said")
	errors, err := os.Create(said)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Close() }()
	c := l.Command(context.Background(), "--sandbox-timeout", strconv.Itoa(limit), "bash", "-c", `rm -f made-s; setsid bash -c 'trap "" TERM; : >made-s; echo started; exec -a "$1" sleep 300' bash "$1" & until [[ -e made-s ]]; do sleep 0.01; done; kill -STOP 0; wait`, "bash", word)
	c.SysProcAttr.Setpgid = true
	c.Stderr = errors
	harness.Begin(t, c, "started")
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for !stopped && len(ended) == 0 {
		stopped = harness.Stopped(t, append([]string{"/bin/bash", "-p"}, c.Args...)...)
		time.Sleep(5 * time.Millisecond)
	}
	if stopped && len(harness.Running(t, word)) == 0 {
		t.Error("what is in a session of its own was stopped too, so that nothing is proved")
	}
	harness.Eventually(t, "the command ends", func() bool { return len(harness.Running(t, word)) == 0 })
	if got := harness.Status(t, <-ended); got != 124 {
		t.Errorf("status %d, want 124: %s", got, harness.Read(t, said))
	}
	_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	return stopped
}
