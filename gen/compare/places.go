package compare

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// places compares what is visible: as long as no variable is set, and where each
// that some path depends on leads elsewhere.
func (d *differences) places() {
	points := d.points()
	found := map[string]bool{}
	for _, variables := range [][]string{nil, variablesOf(points)} {
		w := &world{
			differences: d, found: found, moved: variables != nil, env: environment(variables),
			was: newVariant(d.was, variables), is: newVariant(d.is, variables),
			secrets: newSecrets(d.secrets, environment(variables)),
		}
		w.changed = [2]map[string]*Change{{}, {}}
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
	names := slices.Sorted(maps.Keys(points))
	all := make([]expr.Path, len(names))
	for i, name := range names {
		all[i] = points[name]
	}
	return all
}

func variablesOf(points []expr.Path) []string {
	names := map[string]bool{}
	for _, p := range points {
		for _, name := range p.Variables() {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// world is the comparison in one state of the variables.
type world struct {
	*differences
	was, is variant
	env     expr.Env
	secrets secrets
	moved   bool                  // variables lead elsewhere
	found   map[string]bool       // changes that were found where none does
	changed [2]map[string]*Change // what exposes more or less, by where its entry is, of both sides
	changes []placed
}

// placed is a change at a place.
type placed struct {
	to direction
	by []string // the keys of changes of all that is around it
	*Change
}

func (p placed) key() string { return key(p.Subject, p.to) }

func key(subject string, to direction) string { return subject + "\x00" + strconv.Itoa(int(to)) }

// compare looks at each point: those above first, and of those at one place the
// ones that a side names.
func (w *world) compare(points []expr.Path) {
	var all []located
	for _, p := range points {
		if at, ok := p.Eval(w.env); ok {
			named := slices.ContainsFunc([]look{w.differences.was, w.differences.is}, func(l look) bool { return l.named[p.String()] })
			all = append(all, located{p, at, named})
		}
	}
	slices.SortStableFunc(all, func(a, b located) int {
		if a.named != b.named && a.at == b.at {
			return map[bool]int{true: -1, false: 1}[a.named]
		}
		return cmp.Compare(a.at, b.at)
	})
	for i, p := range all {
		was, known := w.was.look(p.Path)
		is, _ := w.is.look(p.Path)
		again := i > 0 && all[i-1].at == p.at && !p.named
		if known && !again {
			w.point(p.Path, was, is)
		}
	}
	for _, c := range w.changes {
		if !w.found[c.key()] && !(w.moved && w.known(c)) {
			w.found[c.key()], w.found[c.Subject] = true, true
			w.note(c.to, *c.Change)
		}
	}
}

// known reports whether a change in this world says no more than one that was
// found where no variable leads elsewhere.
func (w *world) known(c placed) bool {
	return c.to == neither && w.found[c.Subject] || slices.ContainsFunc(c.by, func(key string) bool { return w.found[key] })
}

// located is a point, and where it is.
type located struct {
	expr.Path
	at    string
	named bool // by a side; else it is only the place of a secret
}

// point compares what both sides show at one place. What has no entry of its own
// is told with what is above it, unless it is a secret.
func (w *world) point(p expr.Path, was, is view) {
	to := direction(slices.Compare(is.rank(), was.rank()))
	c := &Change{Subject: p.String(), Kind: heavier(was, is)}
	c.Was, c.Is = states(was, is)
	reached := was.Shows.Host() != is.Shows.Host() || was.source != is.source
	if changed := (was.Shows == access.Write) != (is.Shows == access.Write); reached || changed {
		c.Secret = w.secrets.at(p, w.env, changed)
	}
	if c.Secret != "" {
		c.Kind = Secret
	}
	_, usual := p.Eval(environment(nil))
	c.Moved = w.moved && usual
	switch {
	case !was.own && !is.own && c.Secret == "":
	case min(was.Shows, is.Shows).Host() && was.source != is.source:
		w.add(more, c, was, is)
		w.add(less, c, was, is)
	case to != neither:
		w.add(to, c, was, is)
	case was.differs(is) && !w.excepted(was, is):
		w.add(neither, c, was, is)
	case w.moved:
	case was.own != is.own && sameShown(was, is):
		c.Was, c.Is, c.Kind = was.entry(), is.entry(), Other
		w.add(neither, c, was, is)
	case was.own && is.own && was.Why != is.Why:
		w.add(said, &Change{Subject: p.String(), Is: reasoned(is), Was: reasoned(was), Kind: Other}, was, is)
	}
}

// sameShown reports whether two entries that no tool has show the same of the host's.
func sameShown(was, is view) bool {
	return is.Shows >= access.View && was.Tool+is.Tool == "" && was.Full() == is.Full()
}

func (w *world) add(to direction, c *Change, was, is view) {
	var by []string
	if !was.own && !is.own {
		by = []string{key(was.At.String(), to), key(is.At.String(), to)}
	}
	w.changes = append(w.changes, placed{to, by, c})
	if !slices.Contains([]direction{more, less}, to) {
		return
	}
	for side, v := range []view{was, is} {
		o := []variant{w.was, w.is}[side]
		if at, ok := v.At.Eval(o.env); ok && v.own {
			w.changed[side][at] = c
		}
	}
}

// excepted counts a place of which nothing of the host is visible, before and
// after, as an exception from a change of all that is around it. That the
// catalogue hides what is not there says nothing.
func (w *world) excepted(was, is view) bool {
	if max(was.Shows, is.Shows).Host() {
		return false
	}
	for side, v := range []view{was, is} {
		if c := w.changed[side][v.above]; v.own && c != nil {
			c.Except++
			return true
		}
	}
	return was.own != is.own && was.Tool+is.Tool != ""
}

// heavier is the kind of the view that exposes more.
func heavier(was, is view) Kind {
	v := is
	if slices.Compare(was.rank(), is.rank()) > 0 {
		v = was
	}
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

func reasoned(v view) State {
	if v.Why == "" {
		return State{What: "no reason is given", From: v.From}
	}
	return State{What: "the reason is " + strconv.Quote(v.Why), From: v.From}
}
