package plan

import (
	"cmp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
)

// Recheck is a path of the profile that a link or a variable may lead elsewhere after
// it was judged.
type Recheck struct {
	Path  expr.Path
	Usual expr.Path   // where it is if nothing has led it elsewhere; none: nowhere
	Known []expr.Path // where it may lead, among what is hidden

	Own      bool // of a user's own profile: no variable may lead a tool's secrets into it
	Reason   bool // and that says why it is listed
	Writable bool
}

// By says by whose wish a path is there: one of wishes.
func (r Recheck) By() string {
	switch {
	case !r.Own:
		return "builtin"
	case r.Reason:
		return "reason"
	}
	return "own"
}

// wishes are a user's own profile's, one's that says why, and a built-in profile's: by how
// much the launcher asks of each.
var wishes = []string{"own", "reason", "builtin"}

// rechecks lists the paths that the launcher judges once more: those of users' own
// profiles, and of the built-in ones what a variable moves or somebody inside
// could have replaced. What lies in the project and is shown there is held in its
// place, and not judged here. A path that a profile shows with a reason, although it is
// a secret, may be anywhere, and what lies below it.
func (b *builder) rechecks(all Mounts) []Recheck {
	listed := all.ofProfile()
	judged := slices.Concat(listed.Where(Mount.NotView), all.In(ScopeCredential), listed.views())
	named := judged.Where(func(m Mount) bool { return len(b.named(m, b.hits(m))) > 0 })
	var found []Recheck
	for _, m := range judged.Where(Mount.judgedAtLaunch) {
		covers := func(n Mount) bool { return m.Source.Equal(n.Source) || leadsBelow(m.Source, n.Source) }
		if named.Any(covers) {
			continue
		}
		one := b.recheck(m.Source)
		one.Own = m.Scope != ScopeCredential && !m.Origin.Builtin()
		one.Reason, one.Writable = m.Why != "", m.Op == Bind
		found = append(found, one)
	}
	rank := func(r Recheck) int { return slices.Index(wishes, r.By()) }
	slices.SortStableFunc(found, func(l, m Recheck) int { return cmp.Compare(rank(l), rank(m)) })
	return found
}

// judgedAtLaunch reports whether the launcher judges where a mount leads: what a user's own
// profile shows, and of the built-in ones what is held or guarded.
func (m Mount) judgedAtLaunch() bool {
	switch {
	case m.View():
		return true
	case !m.binds(), m.Device(), m.InPlace() && m.Source.Base == expr.Project:
		return false
	case m.Held, m.Guarded:
		return true
	}
	return !m.Origin.Builtin()
}

// recheck says where a path may lead: where it would be without variables, where
// it was on this host, and, in the runtime directory, wherever that is.
func (b *builder) recheck(p expr.Path) Recheck {
	one := Recheck{Path: p, Usual: p}
	if p.Name != runtimeVariable {
		if one.Usual = p.Usual(); one.Usual.Base == expr.Variable {
			one.Usual = expr.Path{}
		}
	}
	at, ok := p.Eval(b.env)
	fact, _ := b.facts.Has(p)
	if !ok {
		return one
	}
	for _, at := range []string{at, fact.Target} {
		known := expr.Path{Base: expr.Root, Rest: at}
		if expr.Below(at, b.facts.Home) {
			known = expr.Path{Base: expr.Home, Rest: strings.TrimPrefix(at, b.facts.Home)}
		}
		switch {
		case at == "", known.Equal(one.Usual), slices.ContainsFunc(one.Known, known.Equal):
			continue
		}
		one.Known = append(one.Known, known)
	}
	return one
}

// hits are the sensitive places that an entry brings within reach: where it is
// named, and where that leads. A link into a folder of start-up files, as stow
// makes them, does not share that folder.
func (b *builder) hits(m Mount) []catalogue.Secret {
	var hits []catalogue.Secret
	for _, at := range b.spots(m.Source) {
		hits = append(hits, b.sensitive.Conflicts(at)...)
	}
	fact, _ := b.facts.Has(m.Source)
	if fact.Target == "" {
		return hits
	}
	for _, s := range b.sensitive.Conflicts(fact.Target) {
		changed := m.Op == Bind && expr.Within(b.where(s), fact.Target)
		if changed || s.Kind.Unreadable() {
			hits = append(hits, s)
		}
	}
	return hits
}
