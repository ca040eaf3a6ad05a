package storetest

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// bench is one person on one host with one bwrap: a home, a project in it, a
// launcher.
type bench struct {
	*testing.T
	harness.World
	harness.Start
}

// everywhere runs a test as every account and under every bwrap, with the launcher of a
// profile.
func everywhere(t *testing.T, text string, test func(b *bench)) {
	t.Helper()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		b := newBench(t, s)
		b.launch(text)
		test(b)
	})
}

// newest runs a test, in which bwrap has no part, as every account.
func newest(t *testing.T, text string, test func(b *bench)) {
	t.Helper()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		b := newBench(t, s)
		b.launch(text)
		test(b)
	})
}

// newBench makes a home with a warm Go cache and a git project. It lies below
// /var/tmp: an upper layer cannot lie on an overlay, as /tmp does in a container.
func newBench(t *testing.T, s harness.Setting) *bench {
	t.Helper()
	w := harness.NewWorld(t, s, "/var/tmp")
	b := &bench{T: t, World: w, Start: harness.Start{
		As: s.Account, Program: filepath.Join(w.Home, "try"), Dir: w.Project,
		Environment: []string{"HOME=" + w.Home, "PATH=" + w.Path(), "XDG_RUNTIME_DIR=" + w.Home + "/.rt"},
	}}
	b.must(b.host(`mkdir -p .rt go/pkg/mod/cache go/pkg/mod/ro go/pkg/sumdb .cache/go-build
		echo host >go/pkg/mod/cache/f; echo ro >go/pkg/mod/ro/f; chmod 0555 go/pkg/mod/ro
		cd code/p; git init -q .; echo 'module x' >go.mod`))
	return b
}

// launch writes the launcher of a profile.
func (b *bench) launch(text string) {
	b.Helper()
	b.write(b.Program, text)
}

// write writes the launcher of a profile into a file, which has its name.
func (b *bench) write(file, text string) {
	b.Helper()
	b.Put(b.T, file, b.Launcher(b.T, harness.Profile{Name: filepath.Base(file), Text: "extends = [\"default\"]\n" + text, Environment: b.Environment}))
}

// inside runs a script in the sandbox; options of the launcher come first.
func (b *bench) inside(script string, options ...string) harness.Result {
	b.Helper()
	return b.sandbox(append(options, "bash", "-c", script)...)
}

// sandbox runs the launcher, with options alone.
func (b *bench) sandbox(options ...string) harness.Result {
	b.Helper()
	return b.Start.Run(b.T, options...)
}

// outside starts another program, in the home directory.
func (b *bench) outside(program string) harness.Start {
	s := b.Start
	s.Program, s.Words, s.Dir = program, nil, b.Home
	return s
}

// host runs a script outside, as the person, in the home directory.
func (b *bench) host(script string) harness.Result {
	b.Helper()
	return b.outside("/bin/bash").Run(b.T, "-c", script)
}

// put writes a file below home.
func (b *bench) put(name, text string) {
	b.Helper()
	b.must(b.outside("/bin/bash").RunWith(b.T, strings.NewReader(text), "-c", `mkdir -p "${0%/*}" && cat >"$0"`, filepath.Join(b.Home, name)))
}

// must fails the test unless a command did well and said nothing. It gives what
// it printed.
func (b *bench) must(r harness.Result) string {
	b.Helper()
	if r.Status != 0 || r.Stderr != "" {
		b.Fatalf("status %d, %s\n%s", r.Status, r.Stdout, r.Stderr)
	}
	return strings.TrimSpace(r.Stdout)
}

// start begins a run that lasts, in a process group of its own, and waits until
// it is inside.
func (b *bench) start(script string, options ...string) *exec.Cmd {
	b.Helper()
	c := b.Command(context.Background(), append(options, "bash", "-c", "echo inside; "+script)...)
	c.SysProcAttr.Setpgid = true
	harness.Begin(b.T, c, "inside")
	harness.Complete(b.T, b.Top)
	return c
}

// stores is the directory of all stores.
func (b *bench) stores() string { return b.Home + "/.local/state/bwrapgen" }

// gone waits for the stores to be empty.
func (b *bench) gone(after ...string) {
	b.Helper()
	defer func() {
		if b.Failed() {
			left, _ := exec.Command("sh", "-c", `find "$1" | head -30; ps -eo pid,ppid,stat,wchan:20,args | grep -F "$2"`, "sh", b.stores(), b.Top).Output()
			b.Logf("after %q: %s", after, left)
		}
	}()
	harness.Eventually(b.T, "the stores are gone", func() bool { return !harness.Exists(b.stores()) })
}

// state is what lies below directories of home.
func (b *bench) state(names ...string) harness.State {
	b.Helper()
	for i := range names {
		names[i] = filepath.Join(b.Home, names[i])
	}
	return harness.StateOf(b.T, names...)
}

// same compares what was printed, but for the last newline.
func (b *bench) same(what, got, want string) {
	b.Helper()
	if got = strings.TrimSpace(got); got != want {
		b.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}
