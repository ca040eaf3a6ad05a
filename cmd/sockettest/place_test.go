package sockettest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/cmd/harness/inside"
)

// place is a user with a home, a project and a session, and a bwrap.
type place struct {
	t *testing.T
	harness.World
	harness.Start        // of any program of the user's, in the project
	session       string // XDG_RUNTIME_DIR
	display       int    // of an X server that only this place has
	inside        string // the program for inside
}

// displays are numbers that no X server of this machine has.
var displays atomic.Int32

// everywhere runs a test as every account and under every bwrap.
func everywhere(t *testing.T, test func(t *testing.T, p *place)) {
	t.Helper()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) { test(t, newPlace(t, s)) })
}

func newPlace(t *testing.T, s harness.Setting) *place {
	t.Helper()
	w := harness.NewWorld(t, s, "/var/tmp") // a layer cannot lie on an overlay, as /tmp does in a container
	p := &place{
		t: t, World: w, session: w.Top + "/session", display: 9573 + int(displays.Add(1)),
		inside: filepath.Join(harness.Programs(t), inside.Name),
	}
	p.Start = harness.Start{
		As: s.Account, Dir: p.Project,
		Environment: []string{"HOME=" + p.Home, "PATH=" + p.Path(), "XDG_RUNTIME_DIR=" + p.session},
	}
	if err := os.Mkdir(p.session, 0o700); err != nil {
		t.Fatal(err)
	}
	p.own()
	return p
}

// own gives all of the place to its user.
func (p *place) own() {
	p.t.Helper()
	p.Give(p.t, p.Top)
}

// write makes a program or a file of the user's.
func (p *place) write(name, text string) {
	p.t.Helper()
	p.Put(p.t, name, []byte(text))
	p.own()
}

// launcher writes the launcher of a profile, and gives its path.
func (p *place) launcher(text string) string {
	p.t.Helper()
	file := p.Top + "/" + harness.Name
	p.Put(p.t, file, p.Launcher(p.t, harness.Profile{Text: text, Visible: filepath.Dir(p.inside), Environment: p.Environment}))
	return file
}

// of is how another program is started.
func (p *place) of(program string) harness.Start {
	s := p.Start
	s.Program = program
	return s
}

// command is a program of the user's that ends with the test.
func (p *place) command(program string, args ...string) *exec.Cmd {
	return p.of(program).Command(p.t.Context(), args...)
}

// run gives what a program says, standard output last.
func (p *place) run(program string, args ...string) (string, error) {
	p.t.Helper()
	return said(p.of(program).Run(p.t, args...))
}

func said(r harness.Result) (string, error) {
	text := strings.TrimSpace(r.Stderr + r.Stdout)
	if r.Status != 0 {
		return text, fmt.Errorf("exit status %d", r.Status)
	}
	return text, nil
}

// says fails the test unless a program succeeds and says just that.
func (p *place) says(want, program string, args ...string) {
	p.t.Helper()
	if got, err := p.run(program, args...); err != nil || got != want {
		p.t.Errorf("%q: got %q, %v; want %q", args, got, err, want)
	}
}

// covered runs a launcher where another file stands in the place of one of the
// system's, or another directory.
func (p *place) covered(file, system, launcher string, args ...string) (string, error) {
	p.t.Helper()
	return said(p.of(launcher).InNamespace(`mount --bind "$1" "$2"`, file, system).Run(p.t, args...))
}

// unheard says whether the program for inside could reach no listener.
func unheard(said string) bool {
	for _, errno := range []string{"ENOENT", "ECONNREFUSED", "EACCES"} {
		if strings.HasSuffix(said, errno) {
			return true
		}
	}
	return false
}
