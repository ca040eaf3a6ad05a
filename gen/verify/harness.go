package verify

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

// harness is a launcher, with the home and the project that it is started in: some that are
// made for it, or the real ones, in which nothing is made.
type harness struct {
	Sandbox
	top           string // what is made for it
	home, project string
	file          string // the launcher
	mark          string // in the names and texts of all that is made
	isReal        bool
	inside, host  expr.Env
	address       string         // of somebody who listens on 127.0.0.1; empty where that cannot be
	listeners     []net.Listener // there, and on ports that the sandbox is to reach
}

// leftOpen is a file that is open when the launcher starts.
const leftOpen = "open"

// newHarness makes what a launcher is started in. The caller removes it by end.
func newHarness(s Sandbox, own *expr.Env) (*harness, error) {
	if s.Plan.Confirm.Mode == profile.ConfirmAlways && !s.Plan.Confirm.AllowYes {
		return nil, problem.New(s.Name+" asks before each run, and here is nobody to answer", "write confirm.allow-yes = true")
	}
	top, err := Temporary()
	if err != nil {
		return nil, err
	}
	h := &harness{Sandbox: s, top: top, mark: "bwrapgen-" + random(), isReal: own != nil}
	h.settle(own)
	if err := h.make(); err != nil {
		h.end()
		return nil, failed("cannot make a home and a project", err)
	}
	h.address = h.listen("127.0.0.1:0")
	return h, nil
}

func random() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// failed is what the system could not do: its own words end the sentence.
func failed(what string, err error) error { return fmt.Errorf("%s: %w", what, err) }

// Temporary makes a directory, where layers can be kept if possible: /tmp may be in memory,
// and a sandbox may keep one of its own.
func Temporary() (string, error) {
	if os.Getenv("TMPDIR") == "" {
		if top, err := os.MkdirTemp("/var/tmp", "bwrapgen-"); err == nil {
			return top, nil
		}
	}
	top, err := os.MkdirTemp("", "bwrapgen-")
	if err != nil {
		return "", problem.New(fmt.Sprintf("cannot make a temporary directory: %v", err), "set TMPDIR to a directory that can be written")
	}
	return filepath.EvalSymlinks(top)
}

// settle says where everything is, and what paths stand for.
func (h *harness) settle(own *expr.Env) {
	h.home, h.project = filepath.Join(h.top, "home"), filepath.Join(h.top, "project")
	h.file = filepath.Join(h.top, h.Name)
	root := h.Plan.Project.Root.Path
	switch {
	case h.isReal:
		h.home, h.project = own.Home, own.Project
		h.file = cmp.Or(h.File, h.file)
	case !root.IsZero():
		h.project, _ = root.Eval(expr.Env{Home: h.home})
	default:
		h.file = filepath.Join(h.project, h.Name)
	}
	h.host = expr.Env{Home: h.home, Project: h.project}
	if h.isReal {
		h.host.Lookup = maps.Clone(own.Lookup)
		h.host.Lookup["XDG_STATE_HOME"] = filepath.Join(h.top, "state")
	} else {
		h.host.Lookup = h.movers()
		h.host.Lookup["TERMINFO"] = filepath.Join(h.top, "terminfo")
	}
	h.inside = access.Inside(h.Plan, h.host)
}

// make makes home, project and launcher, as far as they are for it alone. In the home the
// launcher's store is a directory, if it makes one; the project has a repository, as git init
// makes it.
func (h *harness) make() error {
	dirs := []string{filepath.Join(h.top, "state")}
	files := map[string]string{
		filepath.Join(h.top, leftOpen):                  "",
		filepath.Join(h.top, "terminfo", "x", terminal): "",
	}
	if h.isOwn(h.home) {
		dirs = append(dirs, filepath.Join(h.home, ".local/state/bwrapgen"))
	}
	if h.isOwn(h.project) {
		git := filepath.Join(h.project, ".git")
		dirs = append(dirs, git+"/objects", git+"/refs/heads", git+"/hooks")
		files[git+"/HEAD"] = "ref: refs/heads/main\n"
		files[git+"/config"] = "[core]\n\trepositoryformatversion = 0\n"
		files[git+"/commondir"] = ".\n"
	}
	if h.file != h.File {
		files[h.file] = string(h.Script)
	}
	program := ""
	if h.makesProgram() {
		program = filepath.Join(h.top, programs, h.Plan.Command[0])
		files[program] = "#!/bin/sh\n"
	}
	var errs []error
	for _, dir := range dirs {
		errs = append(errs, os.MkdirAll(dir, 0o700))
	}
	for name, text := range files {
		errs = append(errs, writeFile(name, text))
	}
	if program != "" {
		errs = append(errs, os.Chmod(program, 0o700))
	}
	return errors.Join(errs...)
}

// programs is where a program stands that the launcher starts, if this host has none.
const programs = "bin"

// makesProgram reports whether verify makes the program that the launcher starts: a launcher creates
// what its program needs only where that is installed.
func (h *harness) makesProgram() bool {
	if h.isReal || len(h.Plan.Command) == 0 || strings.Contains(h.Plan.Command[0], "/") {
		return false
	}
	_, err := exec.LookPath(h.Plan.Command[0])
	return err != nil
}

func writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600)
}

// listen answers on an address of this host's, where nobody does, and says which that is.
func (h *harness) listen(at string) string {
	l, err := net.Listen("tcp4", at)
	if err != nil {
		return ""
	}
	h.listeners = append(h.listeners, l)
	return l.Addr().String()
}

// end removes all that was made.
func (h *harness) end() {
	for _, l := range h.listeners {
		_ = l.Close()
	}
	_ = RemoveTree(h.top)
}

// RemoveTree removes a tree in which directories may be closed to their owner.
func RemoveTree(top string) error {
	_ = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(top)
}

// isOwn reports whether a path is of what was made.
func (h *harness) isOwn(path string) bool { return expr.Within(path, h.top) }

// movers are the variables by which places move, each with its usual value: then nothing
// moves. One with two usual values is left out. In a home that stands elsewhere inside, the
// launcher would change the values.
func (h *harness) movers() map[string]string {
	all := map[string]string{}
	if !h.Plan.Places.Home.IsZero() {
		return all
	}
	for _, s := range access.Of(h.Plan) {
		for at := &s.At; at != nil && at.Base == expr.Variable; at = at.Default {
			value, known := h.usual(s.Shows, *at)
			if !known {
				continue
			}
			if before, seen := all[at.Name]; seen && before != value {
				value = "" // for good
			}
			all[at.Name] = value
		}
	}
	maps.DeleteFunc(all, func(_, value string) bool { return value == "" })
	return all
}

// usual is where a variable would lead by default. What is hidden only where a variable
// leads has a place of its own in home.
func (h *harness) usual(shows access.Shows, at expr.Path) (value string, known bool) {
	if at.Default != nil {
		return at.Default.Eval(expr.Env{Home: h.home, Project: h.project})
	}
	isMoved := shows == access.Hidden && !strings.HasPrefix(at.Name, "XDG_")
	return filepath.Join(h.moved(), at.Name), isMoved
}

func (h *harness) moved() string { return filepath.Join(h.home, "moved") }
