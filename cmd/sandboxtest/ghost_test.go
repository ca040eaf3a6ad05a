package sandboxtest

import (
	"io"
	"os/exec"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestGhosts: C1 to C3, nothing is left of what is held although it is absent,
// and it stays held as long as some sandbox needs it.
func TestGhosts(t *testing.T) {
	trial.Everywhere(t, func(t *testing.T, s trial.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `rm -rf .git/hooks`)
		before := w.state(t)
		const create = `mkdir -p .git/hooks && echo evil >.git/hooks/pre-commit`

		l.Run(t, "true").Succeeds(t, "C1 a run")
		before.Same(t, w.state(t))

		first, second := l.waits(t), l.waits(t)
		if got := first.end(t); got != 0 {
			t.Errorf("the first sandbox: status %d", got)
		}
		if r := l.Run(t, "sh", "-c", create); r.Status == 0 {
			t.Error("C3 a third sandbox can make the hooks")
		}
		second.write(t, create+"; echo tried")
		if got := second.end(t); got != 0 {
			t.Errorf("the second sandbox: status %d", got)
		}
		before.Same(t, w.state(t))

		killed := l.waits(t)
		trial.Complete(t, killed.word)
		if err := killed.command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = killed.command.Wait()
		trial.Eventually(t, "C2 a killed sandbox leaves no processes", func() bool { return len(trial.Running(t, killed.word)) == 0 })
		l.Run(t, "true").Succeeds(t, "C2 the next run")
		before.Same(t, w.state(t))

		l.from(t, `setsid -w "$L" sh -c 'kill -TERM 0; sleep 9'`).Ends(t, 143)
		trial.Eventually(t, "a signal to the group leaves nothing", func() bool { return !trial.Exists(l.Dir + "/.git/hooks") })
		l.from(t, `exec 9<.git && flock 9 && "$L" echo ran; exit $?`).Refused(t, "a lock of the host's", "cannot lock "+l.Dir+"/.git")

		l.shell(t, `chmod a-w .git`)
		l.Run(t, "true").Succeeds(t, "where none can be made")
		l.shell(t, `chmod u+w .git`)
		before.Same(t, w.state(t))

		l.shell(t, `mkdir -m 1755 .git/hooks && echo x >.git/hooks/x`)
		l.Run(t, "sh", "-c", `cat .git/hooks/x; echo y >.git/hooks/x || rm .git/hooks/x || echo held`).Expect(t, "hooks that the host has made meanwhile", 0, "x\nheld\n")
		l.shell(t, `rm -r .git/hooks && ln -s later .git/hooks`)
		l.Run(t, "true").Succeeds(t, "hooks that are a link to nothing")
		l.shell(t, `rm .git/hooks`)
		if r := l.from(t, l.Run(t, "--sandbox-print", "sh", "-c", create).Stdout); r.Status == 0 {
			t.Error("what --sandbox-print prints can make the hooks")
		}
	})
}

// waiting is a sandbox whose shell does what it is told.
type waiting struct {
	command *exec.Cmd
	word    string // among the arguments of its processes
	input   io.WriteCloser
	output  io.Reader
}

// waits starts one, and waits until its shell is there.
func (l launcher) waits(t *testing.T) waiting {
	t.Helper()
	w := l.ready(t)
	if err := w.command.Start(); err != nil {
		t.Fatal(err)
	}
	w.read(t, "ready\n")
	return w
}

// ready prepares one.
func (l launcher) ready(t *testing.T) waiting {
	t.Helper()
	word := l.word("waits")
	c := l.Command(t.Context(), "bash", "-c", `echo ready; while read -r line; do eval "$line"; done; exit 0`, word)
	input, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	return waiting{c, word, input, output}
}

func (w waiting) read(t *testing.T, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(w.output, got); err != nil || string(got) != want {
		t.Fatalf("said %q, %v, want %q", got, err, want)
	}
}

// write has the shell do something that ends with the word tried.
func (w waiting) write(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(w.input, line+"\n"); err != nil {
		t.Fatal(err)
	}
	w.read(t, "tried\n")
}

// end lets the shell come to its end, and gives the launcher's exit status.
func (w waiting) end(t *testing.T) int {
	t.Helper()
	_ = w.input.Close()
	return trial.Status(t, w.command.Wait())
}
