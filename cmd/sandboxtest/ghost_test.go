package sandboxtest

import (
	"context"
	"io"
	"os"
	"syscall"
	"testing"
)

// TestGhosts: C1 to C3, nothing is left of what is held although it is absent,
// and it stays held as long as some sandbox needs it.
func TestGhosts(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `rm -rf .git/hooks`)
		before := w.state(t)
		const create = `mkdir -p .git/hooks && echo evil >.git/hooks/pre-commit`

		l.run(t, "true").status0(t, "C1 a run")
		before.unchanged(t, w)

		first, second := l.waits(t), l.waits(t)
		first.end(t)
		if r := l.run(t, "sh", "-c", create); r.status == 0 {
			t.Error("C3 a third sandbox can make the hooks")
		}
		second.write(t, create+"; echo tried")
		second.end(t)
		before.unchanged(t, w)

		killed := l.waits(t)
		if err := killed.process.Kill(); err != nil {
			t.Fatal(err)
		}
		_, _ = killed.process.Wait()
		eventually(t, patience, "C2 a killed sandbox leaves processes", func() bool { return len(running(t, killed.word)) == 0 })
		l.run(t, "true").status0(t, "C2 the next run")
		before.unchanged(t, w)
	})
}

// waiting is a sandbox whose shell does what it is told.
type waiting struct {
	process *os.Process
	word    string
	input   io.WriteCloser
	output  io.Reader
}

func (l launcher) waits(t *testing.T) waiting {
	t.Helper()
	word := l.word("waits")
	c := l.command(context.Background(), "bash", "-c", `echo ready; while read -r line; do eval "$line"; done; exit 0`, word)
	input, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(c.Process.Pid, syscall.SIGKILL) })
	w := waiting{c.Process, word, input, output}
	w.read(t, "ready\n")
	return w
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

func (w waiting) end(t *testing.T) {
	t.Helper()
	_ = w.input.Close()
	if _, err := w.process.Wait(); err != nil {
		t.Error(err)
	}
}
