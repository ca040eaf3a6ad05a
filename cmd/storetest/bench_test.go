package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// ordinary is the uid and gid that root's tests become.
const ordinary = 2345

// bench is one person on one host with one bwrap: a home, a project in it, a
// launcher.
type bench struct {
	*testing.T
	home, project, launcher, bwrap string
	uid                            int
}

// everywhere runs a test for each bwrap and user that there are.
func everywhere(t *testing.T, text string, test func(b *bench)) {
	t.Parallel()
	with(t, bwraps(t), text, test)
}

// withOne runs a test, in which bwrap has no part, for each user.
func withOne(t *testing.T, text string, test func(b *bench)) {
	t.Parallel()
	for name, bwrap := range bwraps(t) {
		with(t, map[string]string{name: bwrap}, text, test)
		return
	}
}

func with(t *testing.T, bwraps map[string]string, text string, test func(b *bench)) {
	for name, bwrap := range bwraps {
		for _, uid := range users() {
			t.Run(fmt.Sprintf("%s-%d", name, uid), func(t *testing.T) {
				b := newBench(t, bwrap, uid)
				b.launch(text)
				test(b)
			})
		}
	}
}

func users() []int {
	if os.Getuid() == 0 {
		return []int{0, ordinary}
	}
	return []int{os.Getuid()}
}

func bwraps(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	if path, err := exec.LookPath("bwrap"); err == nil {
		found["path"] = path
	}
	all, _ := filepath.Glob(filepath.Join(os.Getenv("BWRAPGEN_BWRAPS"), "*", "bwrap"))
	for _, path := range all {
		found[filepath.Base(filepath.Dir(path))] = path
	}
	for name, path := range found {
		if out, err := exec.Command(path, "--unshare-user", "--ro-bind", "/", "/", "true").CombinedOutput(); err != nil {
			t.Logf("%s makes no sandbox: %v: %s", path, err, out)
			delete(found, name)
		}
	}
	if len(found) == 0 {
		if os.Getenv("CI") != "" || os.Getenv("BWRAPGEN_REQUIRE_SANDBOX") != "" {
			t.Fatal("no bwrap makes a sandbox here")
		}
		t.Skip("no bwrap makes a sandbox here")
	}
	return found
}

// newBench makes a home with a warm Go cache and a git project. It lies below
// /var/tmp: an upper layer cannot lie on an overlay, as /tmp does in a container.
func newBench(t *testing.T, bwrap string, uid int) *bench {
	t.Helper()
	home, err := os.MkdirTemp("/var/tmp", "storetest.")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, home: home, project: home + "/code/p", bwrap: bwrap, uid: uid}
	t.Cleanup(func() {
		b.host("cd /; chmod -R u+rwx " + home)
		os.RemoveAll(home)
	})
	if err := os.Chown(home, uid, uid); err != nil {
		t.Fatal(err)
	}
	b.must(b.host(`mkdir -p .rt go/pkg/mod/cache go/pkg/mod/ro go/pkg/sumdb .cache/go-build code/p
		echo host >go/pkg/mod/cache/f; echo ro >go/pkg/mod/ro/f; chmod 0555 go/pkg/mod/ro
		cd code/p; git init -q .; echo 'module x' >go.mod`))
	return b
}

// launch writes the launcher of a profile.
func (b *bench) launch(text string) {
	b.Helper()
	file := filepath.Join(b.home, "try.toml")
	if err := os.WriteFile(file, []byte("extends = [\"default\"]\n"+text), 0o644); err != nil {
		b.Fatal(err)
	}
	p, err := profile.Loader{Builtin: profiles.FS, ReadFile: os.ReadFile}.Load(file)
	if err != nil {
		b.Fatal(err)
	}
	tools, err := profiles.Tools()
	if err != nil {
		b.Fatal(err)
	}
	c, err := catalogue.Load(tools)
	if err != nil {
		b.Fatal(err)
	}
	facts := host.Facts{Arch: machine(), Home: b.home, Markers: []string{"go.mod"}}
	built, err := plan.Build(p, c, facts, plan.Options{})
	if err != nil {
		b.Fatal(err)
	}
	script, err := gen.Launcher(built)
	if err != nil {
		b.Fatal(err)
	}
	b.launcher = b.home + "/try"
	// A descriptor of this process that is open for writing may have reached a
	// child of another test, and then the launcher could not be run.
	put := b.command("/bin/sh", "-c", `cat >"$0" && chmod 755 "$0"`, b.launcher)
	put.Stdin = bytes.NewReader(script)
	b.must(b.run(put))
}

func machine() string {
	var name syscall.Utsname
	syscall.Uname(&name)
	var b strings.Builder
	for _, c := range name.Machine {
		if c != 0 {
			b.WriteByte(byte(c))
		}
	}
	return b.String()
}

// result is what a run of a command gave.
type result struct {
	out, err string
	status   int
}

// command prepares a run as the person, in the project, in a process group of
// its own.
func (b *bench) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = b.project
	if _, err := os.Stat(c.Dir); err != nil {
		c.Dir = b.home
	}
	c.Env = []string{"HOME=" + b.home, "PATH=" + filepath.Dir(b.bwrap) + ":/usr/bin:/bin", "XDG_RUNTIME_DIR=" + b.home + "/.rt"}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 && b.uid != 0 {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(b.uid), Gid: uint32(b.uid)}
	}
	return c
}

func (b *bench) run(c *exec.Cmd) result {
	b.Helper()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		b.Fatal(err)
	}
	return result{strings.TrimSpace(out.String()), errs.String(), c.ProcessState.ExitCode()}
}

// inside runs a script in the sandbox; options of the launcher come first.
func (b *bench) inside(script string, options ...string) result {
	b.Helper()
	return b.run(b.command(b.launcher, append(options, "bash", "-c", script)...))
}

// sandbox runs the launcher with options alone.
func (b *bench) sandbox(options ...string) result {
	b.Helper()
	return b.run(b.command(b.launcher, options...))
}

// host runs a script outside, as the person, in the home directory; more words
// are its input.
func (b *bench) host(script string, input ...string) result {
	b.Helper()
	c := b.command("/bin/bash", "-c", script)
	c.Stdin = strings.NewReader(strings.Join(input, ""))
	c.Dir = b.home
	return b.run(c)
}

// must fails the test unless a command did well and said nothing.
func (b *bench) must(r result) string {
	b.Helper()
	if r.status != 0 || r.err != "" {
		b.Fatalf("status %d, %s\n%s", r.status, r.out, r.err)
	}
	return r.out
}

// start begins a run that lasts, and waits until it is inside.
func (b *bench) start(script string, options ...string) *exec.Cmd {
	b.Helper()
	c := b.command(b.launcher, append(options, "bash", "-c", "echo inside; "+script)...)
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 7)); err != nil {
		b.Fatalf("%v before the sandbox began", err)
	}
	return c
}

// stores is the directory of all stores.
func (b *bench) stores() string { return b.home + "/.local/state/bwrapgen" }

// left lists the directory of all stores and what lies below it.
func (b *bench) left() []string {
	var names []string
	filepath.WalkDir(b.stores(), func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			names = append(names, strings.TrimPrefix(path, b.stores()))
		}
		return nil
	})
	return names
}

// gone waits two seconds for the stores to be empty.
func (b *bench) gone() {
	b.Helper()
	var names []string
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if names = b.left(); len(names) == 0 {
			return
		}
	}
	b.Errorf("still there after two seconds: %q", names)
}

// state lists names, modes, times and contents below some directories.
func (b *bench) state(paths ...string) string {
	b.Helper()
	return b.must(b.host("find " + strings.Join(paths, " ") + ` -printf '%p %M %T@ %l ' \( -type f -exec sha256sum {} \; -o -printf '\n' \)`))
}

func (b *bench) same(what, got, want string) {
	b.Helper()
	if got != want {
		b.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}
