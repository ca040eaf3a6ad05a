package sandboxtest

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestStoppedGroup: a command that stops its process group, and so the launcher,
// has no more time than others: it is ended from outside, and the launcher goes on
// to say so.
func TestStoppedGroup(t *testing.T) {
	trial.Ends(t, func(t *testing.T, s trial.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[limits]\ntimeout = \"20s\"\nkill-after = \"1s\"")
		word, said := l.word("stopped"), filepath.Join(w.Top, "said")
		errors, err := os.Create(said)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = errors.Close() }()
		c := l.Command(context.Background(), "bash", "-c", `setsid bash -c 'trap "" TERM; echo started; exec -a "$1" sleep 300' bash "$1" & sleep 0.5; kill -STOP 0; wait`, "bash", word)
		c.SysProcAttr.Setpgid = true
		c.Stderr = errors
		trial.Begin(t, c, "started")
		trial.Eventually(t, "the launcher is stopped, which is the control", func() bool {
			return trial.Stopped(t, append([]string{"/bin/bash", "-p"}, c.Args...)...)
		})
		if len(trial.Running(t, word)) == 0 {
			t.Error("what is in a session of its own was stopped too, so that nothing is proved")
		}
		trial.Eventually(t, "the command ends", func() bool { return len(trial.Running(t, word)) == 0 })
		if got := trial.Status(t, c.Wait()); got != 124 {
			t.Errorf("status %d, want 124: %s", got, trial.Read(t, said))
		}
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	})
}
