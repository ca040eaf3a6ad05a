package sandboxtest

import (
	"io"
	"os/exec"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestHooksFolder: B3, where a repository has no folder of hooks, an empty one is made, as
// git init makes it: it is held, and it stays. C1 to C3 are TestReservedPlaceholders.
func TestHooksFolder(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `rm -rf .git/hooks`)
		before := w.state(t)
		const create = `mkdir -p .git/hooks && echo evil >.git/hooks/pre-commit`

		if r := l.from(t, l.Run(t, "--sandbox-print", "sh", "-c", create).Stdout); r.Status == 0 {
			t.Error("what --sandbox-print prints can make the hooks")
		}
		l.Run(t, "true").Succeeds(t, "a run")
		if made := l.shell(t, `ls -A .git/hooks`); made != "" {
			t.Errorf("the hooks are not empty: %s", made)
		}
		l.shell(t, `rmdir .git/hooks`)
		first, second := l.waits(t), l.waits(t)
		if got := first.end(t); got != 0 {
			t.Errorf("the first sandbox: status %d", got)
		}
		if r := l.Run(t, "sh", "-c", create); r.Status == 0 {
			t.Error("C3 a third sandbox can make the hooks")
		}
		second.write(t, create+"; rmdir .git/hooks; echo tried")
		if got := second.end(t); got != 0 {
			t.Errorf("the second sandbox: status %d", got)
		}
		before.Same(t, w.state(t))

		l.shell(t, `rm -rf .git/hooks; chmod a-w .git`)
		if r := l.Run(t, "true"); r.Status != 0 {
			r.Refused(t, "where none can be made")
		}
		l.shell(t, `chmod u+w .git`)
		before.Same(t, w.state(t))

		l.shell(t, `rm -rf .git/hooks*; mkdir -m 1755 .git/hooks && echo x >.git/hooks/x`)
		l.Run(t, "sh", "-c", `cat .git/hooks/x; echo y >.git/hooks/x || rm .git/hooks/x || echo held`).Expect(t, "hooks that the host has made meanwhile", 0, "x\nheld\n")
		l.shell(t, `rm -r .git/hooks && ln -s later .git/hooks`)
		l.Run(t, "true").Succeeds(t, "hooks that are a link to nothing")
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
	return harness.Status(t, w.command.Wait())
}
