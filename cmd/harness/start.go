package harness

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Start is how a program is started: a launcher, mostly.
type Start struct {
	As          Account
	Program     string
	Words       []string // its first arguments
	Dir         string
	Environment []string
	Files       []*os.File // from descriptor 3 on
	Alone       bool       // in a session of its own, without a terminal
}

// With replaces or adds variables, in the form NAME=value; NAME alone removes.
func With(environment []string, changes ...string) []string {
	all := slices.Clone(environment)
	for _, change := range changes {
		name, _, set := strings.Cut(change, "=")
		all = slices.DeleteFunc(all, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		if set {
			all = append(all, change)
		}
	}
	return all
}

// Set replaces, adds or removes variables of this start.
func (s *Start) Set(changes ...string) { s.Environment = With(s.Environment, changes...) }

// Command is the program with arguments, not started yet.
func (s Start) Command(ctx context.Context, words ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, s.Program, slices.Concat(s.Words, words)...)
	c.Dir, c.Env, c.ExtraFiles = s.Dir, s.Environment, s.Files
	c.WaitDelay = Patience
	s.As.Become(c)
	c.SysProcAttr.Setsid = s.Alone
	return c
}

// Result is how a program ended.
type Result struct {
	Status         int // 128+n for signal n
	Stdout, Stderr string
	Took           time.Duration
}

// Run runs the program, with nothing on standard input, and waits for its end
// and that of all its output.
func (s Start) Run(t *testing.T, words ...string) Result {
	t.Helper()
	return s.RunWith(t, nil, words...)
}

// RunWith runs the program with something on standard input.
func (s Start) RunWith(t *testing.T, stdin io.Reader, words ...string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	c := s.Command(ctx, words...)
	c.Stdin, c.Stdout, c.Stderr = stdin, &stdout, &stderr
	began := time.Now()
	err := c.Run()
	if ctx.Err() != nil {
		t.Fatalf("%q did not end in %v", words, Patience)
	}
	return Result{Status(t, err), stdout.String(), stderr.String(), time.Since(began)}
}

// Begin starts a command and waits until it says that it is ready, in a line
// of its own. It gives what comes on standard output after that. When the test
// ends, the command is killed.
func Begin(t *testing.T, c *exec.Cmd, ready string) io.Reader {
	t.Helper()
	output, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	said := make([]byte, len(ready)+1)
	if _, err := io.ReadFull(output, said); err != nil || string(said) != ready+"\n" {
		t.Fatalf("said %q, %v, want %q", said, err, ready)
	}
	return output
}

// Status is what a shell would call the exit status.
func Status(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		t.Fatal(err)
	case exit.ExitCode() >= 0:
		return exit.ExitCode()
	}
	return 128 + int(exit.Sys().(syscall.WaitStatus).Signal())
}

// Ends fails the test unless the program ended as it should have.
func (r Result) Ends(t *testing.T, status int) Result {
	t.Helper()
	if r.Status != status {
		t.Fatalf("exit status %d, want %d\nstdout: %s\nstderr: %s", r.Status, status, r.Stdout, r.Stderr)
	}
	return r
}

// Says fails the test unless standard error holds a text.
func (r Result) Says(t *testing.T, text string) Result {
	t.Helper()
	if !strings.Contains(r.Stderr, text) {
		t.Fatalf("standard error does not say %q: %s", text, r.Stderr)
	}
	return r
}

// Prints fails the test unless standard output is a text.
func (r Result) Prints(t *testing.T, text string) Result {
	t.Helper()
	if r.Stdout != text {
		t.Fatalf("standard output is %q, want %q\nstderr: %s", r.Stdout, text, r.Stderr)
	}
	return r
}

// Expect compares how a launcher ended with what it had to say.
func (r Result) Expect(t *testing.T, what string, status int, stdout string) {
	t.Helper()
	if r.Status != status || r.Stdout != stdout {
		t.Errorf("%s: status %d, %q, want %d, %q; it said %q", what, r.Status, r.Stdout, status, stdout, r.Stderr)
	}
}

// Refused wants the launcher to have refused, with a sentence that holds the
// words and a hint, and nothing to have run.
func (r Result) Refused(t *testing.T, what string, words ...string) {
	t.Helper()
	if r.Status != 125 || r.Stdout != "" || !strings.Contains(r.Stderr, "hint: ") {
		t.Errorf("%s: status %d, %q, want 125 with a hint and nothing on standard output; it said %q", what, r.Status, r.Stdout, r.Stderr)
	}
	for _, w := range words {
		if !strings.Contains(r.Stderr, w) {
			t.Errorf("%s: %q is not in %q", what, w, r.Stderr)
		}
	}
}

// Succeeds wants the program to have ended with 0, whatever it said.
func (r Result) Succeeds(t *testing.T, what string) {
	t.Helper()
	if r.Status != 0 {
		t.Errorf("%s: status %d: %s%s", what, r.Status, r.Stdout, r.Stderr)
	}
}
