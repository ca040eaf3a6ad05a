package sandboxtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// launcher is a launcher in a world, and how to start it.
type launcher struct {
	world
	file        string
	dir         string // where it is started
	environment []string
	files       []*os.File // from descriptor 3 on
}

// result is how a launcher ended.
type result struct {
	status int // 128+n for signal n
	stdout string
	stderr string
}

// launch writes the launcher of a profile. $P, $O and $H in the text are the
// world's directories.
func (w world) launch(t *testing.T, text string) launcher {
	t.Helper()
	file := filepath.Join(w.dir, "launcher")
	w.put(t, file, w.generate(t, text, w.project))
	return launcher{world: w, file: file, dir: w.project, environment: w.environment()}
}

// put writes an executable file that belongs to the account. No process may be
// started meanwhile: one that held the file open for writing would make it busy.
func (w world) put(t *testing.T, file string, script []byte) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(file, script, 0o755); err != nil {
		t.Fatal(err)
	}
	w.give(t, file)
}

// generate goes the whole way from a profile to a script.
func (w world) generate(t *testing.T, text, project string) []byte {
	t.Helper()
	built, err := w.plan(t, text, project)
	if err != nil {
		t.Fatal(err)
	}
	script, err := gen.Launcher(built)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// plan decides what a profile means here. The programs for inside are visible
// whatever it says.
func (w world) plan(t *testing.T, text, project string) (plan.Plan, error) {
	t.Helper()
	files := map[string]string{
		"row.toml":  strings.NewReplacer("$P", w.project, "$O", w.outside, "$H", w.home).Replace(text),
		"test.toml": "extends = [\"row.toml\"]\n[filesystem]\nread = [\"" + w.programs + "\"]\n",
	}
	l := profile.Loader{Builtin: profiles.FS, ReadFile: func(name string) ([]byte, error) {
		if data, ok := files[filepath.Base(name)]; ok {
			return []byte(data), nil
		}
		return nil, os.ErrNotExist
	}}
	p, err := l.Load("./test.toml")
	if err != nil {
		return plan.Plan{}, err
	}
	c, err := tools()
	if err != nil {
		t.Fatal(err)
	}
	q := plan.Questions(p, c)
	q.Project = project
	f, err := probe.Host{Getenv: w.getenv}.Facts(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return plan.Build(p, c, f, plan.Options{Name: "L"})
}

// tools is the catalogue that is built in.
var tools = sync.OnceValues(func() (catalogue.Catalogue, error) {
	files, err := profiles.Tools()
	if err != nil {
		return catalogue.Catalogue{}, err
	}
	return catalogue.Load(files)
})

func (w world) getenv(name string) string {
	value := ""
	for _, e := range append(w.environment(), w.variables...) {
		if n, v, _ := strings.Cut(e, "="); n == name {
			value = v
		}
	}
	return value
}

// run runs a command in the sandbox, with nothing on standard input.
func (l launcher) run(t *testing.T, command ...string) result {
	t.Helper()
	return l.runWith(t, nil, command...)
}

func (l launcher) runWith(t *testing.T, stdin io.Reader, command ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	c := l.command(ctx, command...)
	c.Stdin, c.Stdout, c.Stderr = stdin, &stdout, &stderr
	err := c.Run()
	if ctx.Err() != nil {
		t.Fatalf("%q did not end in %v", command, patience)
	}
	return result{status(t, err), stdout.String(), stderr.String()}
}

func (l launcher) command(ctx context.Context, command ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, l.file, command...)
	c.Dir, c.Env, c.ExtraFiles = l.dir, l.environment, l.files
	c.WaitDelay = patience
	l.become(c)
	return c
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
	return 128 + signalOf(exit)
}
