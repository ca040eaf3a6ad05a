package sessiontest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// world is a home directory with a project in it, and what lies outside.
type world struct {
	setting
	dir, home, project, outside string
	launcher                    string
	environment                 []string
	alone                       bool // without a terminal
}

// result is how a launcher ended.
type result struct {
	status         int // 128+n for signal n
	stdout, stderr string
	took           time.Duration
}

func newWorld(t *testing.T, s setting) world {
	t.Helper()
	dir, err := os.MkdirTemp(places(), "bwrapgen-session-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	w := world{
		setting: s, dir: dir, home: dir + "/home", project: dir + "/home/code/p", outside: dir + "/outside",
		launcher: dir + "/L",
	}
	w.environment = []string{"HOME=" + w.home, "PATH=" + s.bwrap + ":/usr/local/bin:/usr/bin:/bin", "TERM=xterm", "LANG=C.UTF-8"}
	w.write(t, "outside/file", "outside\n")
	w.write(t, "home/code/p/file", "project\n")
	w.write(t, "home/code/p/.git/config", "[core]\n\trepositoryformatversion = 0\n")
	w.write(t, "home/code/p/.git/hooks/pre-commit", "#!/bin/sh\n")
	w.write(t, "home/code/p/.git/HEAD", "ref: refs/heads/main\n")
	w.write(t, "home/.ssh/id_test", "secret\n")
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.give(t, dir)
	return w
}

// places is where worlds are made. Homes are below /home, if that can be.
func places() string {
	if info, err := os.Stat("/home"); err == nil && info.IsDir() && os.Getuid() == 0 {
		return "/home"
	}
	return os.TempDir()
}

// write writes a file of the world, and gives it to the account.
func (w world) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	w.give(t, w.dir)
	return path
}

// read gives what a file of the host holds, or "" where there is none.
func (w world) read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

// launch writes the launcher of a profile in which $P, $O, $H and $W stand for
// project, outside, home and the world's directory.
func (w world) launch(t *testing.T, text string) world {
	t.Helper()
	p, err := w.plan(t, text)
	if err != nil {
		t.Fatal(err)
	}
	script, err := gen.Launcher(p)
	if err != nil {
		t.Fatal(err)
	}
	put(t, w.launcher, script)
	w.give(t, w.launcher)
	return w
}

// put writes a program. No other test forks meanwhile: its child would hold the
// file open, and a file that is open for writing cannot be run.
func put(t *testing.T, path string, script []byte) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, script, 0o755); err != nil {
		t.Fatal(err)
	}
}

// plan goes from a profile's text to the plan for this world.
func (w world) plan(t *testing.T, text string) (plan.Plan, error) {
	t.Helper()
	text = strings.NewReplacer("$P", w.project, "$O", w.outside, "$H", w.home, "$W", w.dir).Replace(text)
	l := profile.Loader{Builtin: profiles.FS, ReadFile: func(string) ([]byte, error) { return []byte(text), nil }}
	p, err := l.Load("./test.toml")
	if err != nil {
		return plan.Plan{}, err
	}
	tools, err := profiles.Tools()
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalogue.Load(tools)
	if err != nil {
		t.Fatal(err)
	}
	q := plan.Questions(p, c)
	q.Project = w.project
	f, err := probe.Host{Getenv: w.getenv}.Facts(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return plan.Build(p, c, f, plan.Options{Name: "L"})
}

func (w world) getenv(name string) string {
	for _, e := range w.environment {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}

// command is a start of the launcher, in the project.
func (w world) command(ctx context.Context, words ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, w.launcher, words...)
	c.Dir, c.Env, c.WaitDelay = w.project, w.environment, time.Second
	w.become(c)
	c.SysProcAttr.Setsid = w.alone
	return c
}

// run starts the launcher and waits for its end and that of all its output.
func (w world) run(t *testing.T, words ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	c := w.command(ctx, words...)
	c.Stdout, c.Stderr = &stdout, &stderr
	began := time.Now()
	err := c.Run()
	if ctx.Err() != nil {
		t.Fatalf("%q did not end", words)
	}
	return result{status(t, err), stdout.String(), stderr.String(), time.Since(began)}
}

// bash runs a script inside.
func (w world) bash(t *testing.T, script string) result {
	t.Helper()
	return w.run(t, "--", "bash", "-c", script)
}

// status is what a shell would call the exit status.
func status(t *testing.T, err error) int {
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

// ends fails unless the launcher ended as it should have.
func (r result) ends(t *testing.T, status int) result {
	t.Helper()
	if r.status != status {
		t.Fatalf("exit status %d, want %d\nstdout: %s\nstderr: %s", r.status, status, r.stdout, r.stderr)
	}
	return r
}

// says fails unless standard error holds a text.
func (r result) says(t *testing.T, text string) result {
	t.Helper()
	if !strings.Contains(r.stderr, text) {
		t.Fatalf("standard error does not say %q: %s", text, r.stderr)
	}
	return r
}

// prints fails unless standard output is a text.
func (r result) prints(t *testing.T, text string) result {
	t.Helper()
	if r.stdout != text {
		t.Fatalf("standard output is %q, want %q\nstderr: %s", r.stdout, text, r.stderr)
	}
	return r
}
