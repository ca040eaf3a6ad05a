package compare

import (
	"path"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Where home, the project and what variables name are while plans are compared:
// outside of each other, and of all that a profile can name. The runtime directory
// lies in /run, which is the sandbox's own.
const (
	home      = "/\x00home"
	project   = "/\x00project"
	elsewhere = "/\x00variable/"
	runtimeAt = "/run/\x00runtime"
)

// variant is what one side shows, in one state of the variables.
type variant struct {
	index access.Index
	env   expr.Env
}

// newVariant evaluates a side where all of these variables lead elsewhere.
func newVariant(l look, variables []string) variant {
	env := environment(variables)
	if root := l.Plan.Project.Root; root.Kind == profile.RootPath {
		if at, ok := root.Path.Eval(env); ok {
			env.Project = at
		}
	}
	return variant{access.NewIndex(l.entries, env), env}
}

func environment(variables []string) expr.Env {
	env := expr.Env{Home: home, Project: project, Lookup: map[string]string{runtime: runtimeAt}}
	for _, name := range variables {
		if name != runtime {
			env.Lookup[name] = elsewhere + name
		}
	}
	return env
}

// view is what one side shows at a path.
type view struct {
	access.Entry
	own    bool   // by an entry for this very path
	source string // where it is on the host; empty: at the same path, or nothing is shown
	above  string // what decides about the directory above
}

// look finds what is at a path; false where the path is nowhere.
func (o variant) look(p expr.Path) (view, bool) {
	at, ok := p.Eval(o.env)
	if !ok {
		return view{}, false
	}
	s, where := o.index.Decisive(at)
	v := view{Entry: s, own: where == at}
	_, v.above = o.index.Decisive(path.Dir(at))
	if source, ok := s.Source.Eval(o.env); ok {
		if source = path.Join(source, strings.TrimPrefix(at, where)); source != at {
			v.source = source
		}
	}
	return v, true
}

// rank is how much of the host a view exposes: whether it can be changed, then
// whether it can be read, then how long other changes stay.
func (v view) rank() []int {
	r := make([]int, 4)
	if v.Shows == access.Write {
		r[0] = 1
	}
	if v.Shows.Host() {
		r[1] = 1
	}
	r[2] = int(v.Lasts)
	if v.Shows == access.View {
		r[3] = 1
	}
	return r
}

// states puts two views into words: all of them, where the usual ones are the same.
func states(was, is view) (State, State) {
	return was.state(was.Full() == is.Full()), is.state(was.Full() == is.Full())
}

func (v view) state(all bool) State {
	s := State{What: v.Full(), From: v.From, Why: v.Why}
	if all && v.Guarded {
		s.What += ", judged once more at launch"
	}
	if !v.own {
		s.What += ", as all of " + v.At.String()
	}
	return s
}

// differs reports whether two views of the same rank are not the same.
func (v view) differs(w view) bool {
	switch {
	case v.own && w.own:
		return v.Full() != w.Full() || v.Guarded != w.Guarded
	case v.Shows.Host():
		return v.Shows != w.Shows
	}
	return v.Shows != w.Shows || v.Lasts != w.Lasts
}
