package compare

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// places compares what is visible: as long as no variable is set, and where each
// that some path depends on leads elsewhere.
func (d *differences) places() {
	points := d.points()
	var variables []string
	for _, p := range points {
		variables = append(variables, p.Variables()...)
	}
	found := map[string]bool{}
	for _, moved := range []bool{false, true} {
		env := environment(nil)
		if moved {
			env = environment(variables)
		}
		w := &world{
			differences: d, env: env, moved: moved, found: found, changed: map[string]*Change{},
			was: d.was.in(env), is: d.is.in(env),
		}
		for _, s := range d.secrets {
			at, _ := s.Path.Eval(env)
			w.hidden = append(w.hidden, at)
		}
		w.compare(points)
	}
}

// points are the paths to compare at: what either side names, and secrets.
func (d *differences) points() []expr.Path {
	points := map[string]expr.Path{}
	for _, l := range []look{d.was, d.is} {
		root := l.Plan.Project.Root
		for _, s := range l.entries {
			if root.Kind == profile.RootPath && s.At.Equal(root.Path) {
				s.At = expr.Path{Base: expr.Project}
			}
			points[s.At.String()] = s.At
		}
	}
	for _, s := range d.secrets {
		if !strings.HasPrefix(s.Path.String(), "/var/run/") { // a link to /run
			points[s.Path.String()] = s.Path
		}
	}
	var all []expr.Path
	for _, p := range points {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b expr.Path) int { return cmp.Compare(a.String(), b.String()) })
	return all
}

// Where home, the project and what variables name are while plans are compared:
// outside of each other, and of all that a profile can name. The runtime directory
// lies in /run, which is the sandbox's own.
func environment(variables []string) expr.Env {
	env := expr.Env{Home: "/\x00home", Project: "/\x00project", Lookup: map[string]string{runtime: "/run/\x00runtime"}}
	for _, name := range variables {
		if name != runtime {
			env.Lookup[name] = "/\x00variable/" + name
		}
	}
	return env
}

// in is a side in one state of the variables.
func (l look) in(env expr.Env) look {
	if root := l.Plan.Project.Root; root.Kind == profile.RootPath {
		if at, ok := root.Path.Eval(env); ok {
			env.Project = at
		}
	}
	l.env, l.index = env, access.NewIndex(l.entries, env)
	return l
}

// view is what one side shows at a path.
type view struct {
	access.Entry
	at     string // where the entry is
	own    bool   // by an entry for this very path
	source string // where it is on the host; empty: at the same path, or nothing is shown
	above  string // what decides about the directory above
}

// at finds what is at a path; false where the path is nowhere.
func (l look) at(p expr.Path) (view, bool) {
	at, ok := p.Eval(l.env)
	if !ok {
		return view{}, false
	}
	s, where := l.index.Decisive(at)
	v := view{Entry: s, at: where, own: where == at}
	_, v.above = l.index.Decisive(path.Dir(at))
	if source, ok := s.Source.Eval(l.env); ok {
		if source = path.Join(source, strings.TrimPrefix(at, where)); source != at {
			v.source = source
		}
	}
	return v, true
}

// rank is how much of the host a view exposes: whether it can be changed, then
// whether it can be read, then how long other changes stay.
func (v view) rank() []int {
	number := func(holds bool) int {
		if holds {
			return 1
		}
		return 0
	}
	return []int{number(v.Shows == access.Write), number(v.Shows.Host()), int(v.Lasts), number(v.Shows == access.View)}
}

func (v view) state() State {
	s := State{What: v.Full(), From: v.From, Why: v.Why}
	if !v.own {
		s.What += ", as all of " + v.At.String()
	}
	return s
}

// entries is how many sides have an entry for the very path.
func entries(was, is view) int {
	n := 0
	for _, v := range []view{was, is} {
		if v.own {
			n++
		}
	}
	return n
}

// kind is that of a change to or from a view.
func (v view) kind() Kind {
	switch {
	case v.Tool != "":
		return Tool
	case v.Shows == access.Write:
		return Writable
	case v.Shows == access.Read:
		return Readable
	}
	return Lasting
}

func (v view) reason() State {
	if v.Why == "" {
		return State{What: "no reason is given", From: v.From}
	}
	return State{What: "the reason is " + strconv.Quote(v.Why), From: v.From}
}

// world is the comparison in one state of the variables.
type world struct {
	*differences
	was, is look
	env     expr.Env
	hidden  []string           // where each secret is
	moved   bool               // variables lead elsewhere
	found   map[string]bool    // changes that were found where none does
	changed map[string]*Change // what exposes more or less, by side and by where its entry is
	changes []placed
}

// placed is a change at a place.
type placed struct {
	to direction
	by []string // the keys of changes of all that is around it
	*Change
}

func key(subject string, to direction) string { return subject + "\x00" + strconv.Itoa(int(to)) }

// located is a point, and where it is.
type located struct {
	expr.Path
	at     string
	secret bool // no side names it: it is only the place of a secret
}

// compare looks at each point: those above first, and of those at one place the
// ones that a side names.
func (w *world) compare(points []expr.Path) {
	var all []located
	for _, p := range points {
		_, before := w.was.named[p.String()]
		_, after := w.is.named[p.String()]
		if at, ok := p.Eval(w.env); ok {
			all = append(all, located{p, at, !before && !after})
		}
	}
	slices.SortStableFunc(all, func(a, b located) int {
		if a.secret != b.secret && a.at == b.at {
			return map[bool]int{true: 1, false: -1}[a.secret]
		}
		return cmp.Compare(a.at, b.at)
	})
	last := ""
	for _, p := range all {
		if p.secret && p.at == last {
			continue
		}
		last = p.at
		was, known := w.was.at(p.Path)
		is, _ := w.is.at(p.Path)
		if known {
			w.point(p.Path, was, is)
		}
	}
	for _, c := range w.changes {
		if !w.known(c) {
			w.found[key(c.Subject, c.to)], w.found[c.Subject] = true, true
			w.note(c.to, *c.Change)
		}
	}
}

// known reports whether a change was found already or, where variables lead elsewhere, says
// no more than one that was found where none does.
func (w *world) known(c placed) bool {
	said := []string{key(c.Subject, c.to)}
	if w.moved {
		said = append(said, c.by...)
		if c.to == neither {
			said = append(said, c.Subject)
		}
	}
	return slices.ContainsFunc(said, func(key string) bool { return w.found[key] })
}

// point compares what both sides show at one place. What has no entry of its own
// is told with what is above it, unless it is a secret.
func (w *world) point(p expr.Path, was, is view) {
	to := direction(slices.Compare(is.rank(), was.rank()))
	c := &Change{Subject: p.String(), Kind: is.kind()}
	if to == less {
		c.Kind = was.kind()
	}
	c.Was, c.Is = was.state(), is.state()
	reached := was.Shows.Host() != is.Shows.Host() || was.source != is.source
	if changed := (was.Shows == access.Write) != (is.Shows == access.Write); reached || changed {
		c.Secret, c.Credential = w.secret(p, changed)
	}
	if c.Secret != "" {
		c.Kind = Secret
	}
	differs := was.Shows != is.Shows
	if entries(was, is) == 2 {
		differs = was.state().What != is.state().What
	}
	isOther := is.Shows >= access.View && was.Tool+is.Tool == "" && was.Full() == is.Full() // no tool has it
	_, usual := p.Eval(environment(nil))
	c.Moved = w.moved && usual
	switch {
	case entries(was, is) == 0 && c.Secret == "":
	case min(was.Shows, is.Shows).Host() && was.source != is.source:
		w.add(more, c, was, is)
		w.add(less, c, was, is)
	case to != neither:
		w.add(to, c, was, is)
	case differs && !w.excepted(was, is):
		w.add(neither, c, was, is)
	case w.moved:
	case entries(was, is) == 1 && isOther:
		c.Was, c.Is, c.Kind = entry(was.Entry, was.own), entry(is.Entry, is.own), Other
		w.add(neither, c, was, is)
	case entries(was, is) == 2 && was.Why != is.Why:
		w.add(said, &Change{Subject: p.String(), Is: is.reason(), Was: was.reason(), Kind: Other}, was, is)
	}
}

func (w *world) add(to direction, c *Change, was, is view) {
	var by []string
	if entries(was, is) == 0 {
		by = []string{key(was.At.String(), to), key(is.At.String(), to)}
	}
	w.changes = append(w.changes, placed{to, by, c})
	if !to.exposes() {
		return
	}
	for side, v := range []view{was, is} {
		if v.own {
			w.changed[sided(side, v.at)] = c
		}
	}
}

// sided is a place of one of the sides.
func sided(side int, at string) string { return strconv.Itoa(side) + at }

// excepted counts a place of which nothing of the host is visible, before and
// after, as an exception from a change of all that is around it. That the
// catalogue hides what is not there says nothing.
func (w *world) excepted(was, is view) bool {
	if max(was.Shows, is.Shows).Host() {
		return false
	}
	for side, v := range []view{was, is} {
		if c := w.changed[sided(side, v.above)]; v.own && c != nil {
			c.Except++
			return true
		}
	}
	return was.own != is.own && was.Tool+is.Tool != ""
}

// secret says what a place is or lies below that is secret: to be read or, of what the host
// would run later, to be changed. The second answer reports whether it is a credential.
func (w *world) secret(p expr.Path, changed bool) (string, bool) {
	at, _ := p.Eval(w.env)
	for ; at != "/"; at = path.Dir(at) {
		for i, s := range w.secrets {
			if s.Kind == catalogue.Persistence && !changed {
				continue
			}
			is := w.hidden[i] == at
			if strings.Contains(w.hidden[i], "*") {
				is, _ = path.Match(w.hidden[i], at)
			}
			if is {
				return s.Kind.String() + " of " + s.Tool, s.Kind == catalogue.Credential
			}
		}
	}
	return "", false
}
