package sockettest

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// place is a user with a home, a project and a session, and a bwrap.
type place struct {
	t                      *testing.T
	dir                    string // home, project and session lie below
	home, project, session string
	environment            map[string]string
	bwrap                  string // the directory that is first in PATH
	uid                    int
}

// everywhere runs a test as the present user and, as root, as an ordinary one,
// with each bwrap.
func everywhere(t *testing.T, test func(t *testing.T, p *place)) {
	t.Helper()
	uids := []int{os.Getuid()}
	if uids[0] == 0 {
		uids = append(uids, ordinary())
	}
	for _, bwrap := range bwraps(t) {
		for _, uid := range uids {
			t.Run(filepath.Base(bwrap)+"/uid="+strconv.Itoa(uid), func(t *testing.T) {
				test(t, newPlace(t, bwrap, uid))
			})
		}
	}
}

// ordinary is the user that .ci/user makes, or else nobody.
func ordinary() int {
	for _, name := range []string{"bwrapgen-test", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, _ := strconv.Atoi(u.Uid)
			return uid
		}
	}
	return 65534
}

// bwraps are the directories that hold one each.
func bwraps(t *testing.T) []string {
	t.Helper()
	var all []string
	if at, err := exec.LookPath("bwrap"); err == nil {
		all = append(all, filepath.Dir(at))
	}
	more, _ := filepath.Glob(filepath.Join(os.Getenv("BWRAPGEN_BWRAPS"), "*/bwrap"))
	for _, at := range more {
		all = append(all, filepath.Dir(at))
	}
	if len(all) == 0 {
		missing(t, "there is no bwrap")
	}
	return all
}

// missing skips a test, or fails it where it has to run.
func missing(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("BWRAPGEN_REQUIRE_SANDBOX") != "" || os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		missing(t, program+" is not installed")
	}
}

func newPlace(t *testing.T, bwrap string, uid int) *place {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sockettest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := &place{t: t, dir: dir, home: dir + "/home", project: dir + "/project", session: dir + "/session", bwrap: bwrap, uid: uid}
	p.environment = map[string]string{
		"HOME": p.home, "PATH": bwrap + ":/usr/bin:/bin:/usr/sbin", "XDG_RUNTIME_DIR": p.session,
	}
	for _, d := range []string{p.home, p.project, p.session} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p.copy(self, p.project+"/client")
	p.own()
	return p
}

func (p *place) copy(from, to string) {
	p.t.Helper()
	in, err := os.Open(from)
	if err != nil {
		p.t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		p.t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		p.t.Fatal(err)
	}
}

// own gives all of the place to its user.
func (p *place) own() {
	filepath.WalkDir(p.dir, func(at string, _ os.DirEntry, _ error) error {
		return os.Lchown(at, p.uid, p.uid)
	})
}

// write makes a file of the user's.
func (p *place) write(name, text string) {
	p.t.Helper()
	os.MkdirAll(filepath.Dir(name), 0o755)
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		p.t.Fatal(err)
	}
	p.own()
}

// launcher writes the launcher of a profile, and gives its path.
func (p *place) launcher(text string) string {
	p.t.Helper()
	l := profile.Loader{Builtin: profiles.FS, ReadFile: func(string) ([]byte, error) { return []byte(text), nil }}
	loaded, err := l.Load("/test.toml")
	if err != nil {
		p.t.Fatal(err)
	}
	tools, err := profiles.Tools()
	if err != nil {
		p.t.Fatal(err)
	}
	c, err := catalogue.Load(tools)
	if err != nil {
		p.t.Fatal(err)
	}
	built, err := plan.Build(loaded, c, p.facts(loaded, c), plan.Options{Name: "launcher"})
	if err != nil {
		p.t.Fatal(err)
	}
	script, err := gen.Launcher(built)
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(p.dir+"/launcher", string(script))
	return p.dir + "/launcher"
}

func (p *place) facts(loaded profile.Profile, c catalogue.Catalogue) host.Facts {
	f, err := probe.Host{Getenv: func(name string) string { return p.environment[name] }}.Facts(context.Background(), plan.Questions(loaded, c))
	if err != nil {
		p.t.Fatal(err)
	}
	return f
}

// command is a program of the user's, in the project.
func (p *place) command(program string, args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir = p.project
	c.Env = []string{}
	for name, value := range p.environment {
		c.Env = append(c.Env, name+"="+value)
	}
	c.WaitDelay = 10 * time.Second
	if p.uid != os.Getuid() {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(p.uid), Gid: uint32(p.uid)}}
	}
	return c
}

// run gives what a program says, both streams together.
func (p *place) run(program string, args ...string) (string, error) {
	text, err := p.command(program, args...).CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// says fails the test unless a program succeeds and says just that.
func (p *place) says(want, program string, args ...string) {
	p.t.Helper()
	if got, err := p.run(program, args...); err != nil || got != want {
		p.t.Errorf("%q: got %q, %v; want %q", args, got, err, want)
	}
}

func exitStatus(err error) int {
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return failed.ExitCode()
	}
	return 0
}

// covered runs a launcher where another file stands in the place of one of the
// system's programs, which only root can arrange.
func (p *place) covered(file, program, launcher string, args ...string) (string, error) {
	p.t.Helper()
	if os.Getuid() != 0 {
		p.t.Skip("only root can cover a program of the system; its tests do")
	}
	uid := strconv.Itoa(p.uid)
	defer func(own int) { p.uid = own }(p.uid)
	p.uid = 0
	words := []string{"--mount", "sh", "-c", `mount --bind "$0" "$1" && shift && exec "$@"`, file, program,
		"setpriv", "--reuid", uid, "--regid", uid, "--clear-groups", launcher}
	text, err := p.command("unshare", append(words, args...)...).CombinedOutput()
	return string(text), err
}
