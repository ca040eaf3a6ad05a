// Package probe answers questions about the running system. It is the only
// package that reads the host.
//
// It changes nothing there, and runs no program but those whose version and
// options it tells, and git, none of them from inside the project. What the answers
// mean for a sandbox is decided in package plan.
package probe

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/problem"
)

// Host is a system to ask. The zero value is the one that this program runs on.
type Host struct {
	Getenv   func(name string) string // nil: this process's environment
	Root     string                   // a directory that stands for /; empty: / itself
	Patience time.Duration            // how long a program may take to answer; 0: five seconds
}

// Facts answers a question. It fails where HOME or the project is no place to
// start from, or ctx ends; all else that cannot be read counts as absent,
// because the sandbox could not show it either.
func (h Host) Facts(ctx context.Context, q host.Question) (host.Facts, error) {
	f, err := h.begin(q)
	if err != nil {
		return host.Facts{}, err
	}
	env := f.Environment(q.Project)
	project := h.real(h.resolve(q.Project))
	f.Markers = findMarkers(project, q.Markers)
	if q.Programs {
		f.Bwrap = h.program(ctx, q.Project, "bwrap", true)
		f.Bash = h.program(ctx, q.Project, "bash", false)
		f.Env = h.program(ctx, q.Project, "env", true)
	}
	f.Timezone = h.timezone()
	f.Paths = h.look(q, env)
	if q.Git {
		f.Git = h.git(ctx, q.Project)
		for _, s := range f.Git {
			at, _ := s.Path.Eval(env)
			f.Paths[s.Path.String()] = h.fact(at)
		}
	}
	h.measure(ctx, f.Paths, q, env)
	if q.Programs {
		f.Userns, f.UsernsWhy = h.userns(f.Bwrap.Path)
	}
	return f, ctx.Err()
}

// begin gives the facts that the others are found with.
func (h Host) begin(q host.Question) (host.Facts, error) {
	f := host.Facts{Version: host.Version, Home: h.getenv("HOME"), Variables: map[string]string{}}
	if !path.IsAbs(f.Home) {
		return f, problem.New("HOME is not an absolute path", "set HOME to the home directory")
	}
	if q.Project != "" && h.fact(q.Project).Kind != host.Dir {
		return f, problem.New("the project is not a directory: "+strconv.Quote(q.Project), "name an existing directory")
	}
	for _, name := range q.Names() {
		if value := h.getenv(name); expr.IsPlace(value) {
			f.Variables[name] = value
		}
	}
	f.OS, f.Arch = uname()
	return f, nil
}

// look says what is at each path that was asked about.
func (h Host) look(q host.Question, env expr.Env) map[string]host.PathFact {
	facts := map[string]host.PathFact{}
	for _, p := range q.All() {
		at, _ := p.Eval(env)
		if fact := h.fact(at); fact.Kind != "" {
			facts[p.String()] = fact
		}
	}
	for _, p := range q.Links {
		at, _ := p.Eval(env)
		if fact := h.fact(at); fact.Target != "" {
			facts[p.String()] = fact
		}
	}
	return facts
}

func (h Host) getenv(name string) string {
	if h.Getenv != nil {
		return h.Getenv(name)
	}
	return os.Getenv(name)
}

// patience is how long a program may take, on a busy machine, too.
func (h Host) patience() time.Duration { return cmp.Or(h.Patience, 5*time.Second) }

// real is where a path of the host, without links, lies for this process.
func (h Host) real(name string) string {
	if name == "" || h.Root == "" {
		return name
	}
	return filepath.Join(h.Root, name)
}
