package plan

import (
	"cmp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Led is a path of the profile that a link or a variable may lead elsewhere after
// it was judged.
type Led struct {
	Path  expr.Path
	Usual expr.Path   // where it is if nothing has led it elsewhere; none: nowhere
	Known []expr.Path // where it may lead, among what is hidden
	Above []expr.Path // writable directories that it lies in, out of which it may not lead

	Own      bool // of a user's own profile: no variable may lead a tool's secrets into it
	Reason   bool // and that says why it is listed
	Writable bool
}

// led lists the paths that the launcher judges once more: those of users' own
// profiles, and of the built-in ones what a variable moves or somebody inside
// could have replaced. What lies in the project and is shown there is held in its
// place, and not judged here. A path that a profile shows with a reason, although it is
// a secret, may be anywhere, and what lies below it.
func (b *builder) led() {
	var all, named []Mount
	for _, g := range b.plan.Groups {
		all = append(all, g.Mounts...)
	}
	for _, e := range b.profile.Filesystem.Credential {
		m := mount(e)
		m.Op = ROBind
		all = append(all, m)
	}
	for _, o := range b.plan.Overlays {
		if !o.Cache {
			all = append(all, Mount{Op: ROBind, Source: o.Path, Why: o.Why, Guarded: true, Origin: o.Origin})
		}
	}
	for _, m := range all {
		if len(b.named(m, b.hits(m))) > 0 {
			named = append(named, m)
		}
	}
	for _, m := range all {
		covers := func(n Mount) bool { return n.Source.Equal(m.Source) || leadsBelow(m.Source, n.Source) }
		if !m.judgedAgain() || slices.ContainsFunc(named, covers) {
			continue
		}
		led := b.ledOne(m.Source)
		led.Own = !m.Origin.Builtin() && !slices.ContainsFunc(b.profile.Filesystem.Credential, func(e profile.Entry) bool { return e.Origin == m.Origin })
		led.Reason, led.Writable = m.Why != "", m.Op == Bind
		for _, w := range all {
			if w.Op == Bind && leadsBelow(m.Source, w.Source) {
				led.Above = append(led.Above, w.Source)
			}
		}
		b.plan.Led = append(b.plan.Led, led)
	}
	slices.SortStableFunc(b.plan.Led, func(l, m Led) int { return cmp.Compare(l.rank(), m.rank()) })
}

// judgedAgain reports whether the launcher judges where a mount leads: what a user's own
// profile shows, and of the built-in ones what is held or guarded.
func (m Mount) judgedAgain() bool {
	switch {
	case !m.Op.binds(), m.Device():
		return false
	case m.Source.Base == expr.Project && m.Target.Equal(m.Source):
		return false
	}
	return !m.Origin.Builtin() || m.Held || m.Guarded
}

// rank is the order in which the launcher judges: by how much is asked of each.
func (l Led) rank() int {
	switch {
	case !l.Own:
		return 2
	case l.Reason:
		return 1
	}
	return 0
}

// ledOne says where a path may lead: where it would be without variables, where
// it was on this host, and, in the runtime directory, wherever that is.
func (b *builder) ledOne(p expr.Path) Led {
	led := Led{Path: p, Usual: p}
	if p.Name != runtimeVariable {
		if led.Usual = p.Usual(); led.Usual.Base == expr.Variable {
			led.Usual = expr.Path{}
		}
	}
	at, ok := p.Eval(b.facts.Environment(""))
	fact, _ := b.facts.Has(p)
	for _, at := range []string{at, fact.Target} {
		if !ok || at == "" {
			continue
		}
		known := expr.Path{Base: expr.Root, Rest: at}
		if expr.Below(at, b.facts.Home) {
			known = expr.Path{Base: expr.Home, Rest: strings.TrimPrefix(at, b.facts.Home)}
		}
		if !known.Equal(led.Usual) && !slices.ContainsFunc(led.Known, known.Equal) {
			led.Known = append(led.Known, known)
		}
	}
	return led
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
		if s.Kind.Unreadable() || m.Op == Bind && expr.Within(b.where(s), fact.Target) {
			hits = append(hits, s)
		}
	}
	return hits
}
