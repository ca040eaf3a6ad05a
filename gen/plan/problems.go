package plan

import (
	"cmp"
	"fmt"
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

// byLine is the order of a profile.
func byLine(a, b problem.Problem) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// refuse notes a problem, once: two mounts of one entry may have the same.
func (b *builder) refuse(o profile.Origin, hint, what string, args ...any) {
	wrong := problem.New(fmt.Sprintf(what, args...), hint).At(o.File, o.Line, o.Key)
	if !slices.Contains(b.problems, wrong) {
		b.problems = append(b.problems, wrong)
	}
}

// refusals finds entries of the profile that would share too much.
func (b *builder) refusals(all Mounts, s Sockets) {
	b.refuseVariables()
	b.refuseUnknown()
	b.refuseTools()
	sockets := b.socketsNow(all, s)
	for _, m := range slices.Concat(all.Before(ScopeBase), all.ofProfile()).Where(Mount.shows) {
		if m.View() {
			b.refuseView(m)
		}
		if b.refuseWide(m) {
			continue
		}
		b.refuseSecrets(all, m)
		b.refuseSession(all, m, sockets)
	}
	b.refuseBetween(all)
	b.refuseProject(all)
	b.refuseOpened(all)
	b.refuseCovered(all)
	b.refuseLimits()
}

// real is where a link leads from the place of a secret.
func (b *builder) real(s catalogue.Secret) (string, bool) {
	fact, _ := b.facts.Has(s.Path)
	return fact.Target, fact.Target != ""
}

// refuseView refuses a view of what bwrap can make none of.
func (b *builder) refuseView(m Mount) {
	if m.Target.Base == expr.Project {
		b.refuse(m.Origin, `project.access = "overlay" makes a view of the whole project`,
			"a view inside the project: %q", m.Target)
	}
	fact, _ := b.facts.Has(m.Source)
	if !slices.Contains([]host.Kind{"", host.Dir, host.Dangling}, fact.Kind) {
		b.refuse(m.Origin, "name the directory that it lies in, or list it in filesystem.read",
			"a view of what is no directory: %q", m.Source)
	}
}

// refuseBetween refuses what lies in one view and above another: the launcher mounts
// it after all views.
func (b *builder) refuseBetween(all Mounts) {
	belowView := all.Where(func(m Mount) bool { return m.BelowView })
	for _, o := range all.views() {
		above := func(m Mount) bool { return o.Target.Usual().Below(m.Target.Usual()) }
		if i := slices.IndexFunc(belowView, above); i >= 0 {
			b.refuse(belowView[i].Origin, "take one of the three out",
				"%q lies in one view and above another, %q", belowView[i].Target, o.Target)
		}
	}
}

// refuseProject refuses a directory that is, holds or lies in what is secret and
// not hidden. Of one that is found at launch the launcher judges the name.
func (b *builder) refuseProject(all Mounts) {
	root := b.plan.Project.Root.Path
	if root.IsZero() {
		return
	}
	m := Mount{Op: Bind, Source: root, Target: root, Origin: b.profile.Origins["project.root"]}
	masks := all.In(ScopeMask)
	for _, s := range b.hits(m) {
		if s.Kind == catalogue.Credential && !b.masksPath(masks, m, s.Path) {
			b.refuse(m.Origin, "choose a directory without secrets, or hide this one in project.hide",
				"the project would show %s's %s %s", s.Tool, s.Kind, s.Path)
			return
		}
	}
}

// leastFiles is how many files the launcher itself and bwrap keep open.
const leastFiles = 64

// refuseLimits refuses limits under which no sandbox would start.
func (b *builder) refuseLimits() {
	l := b.profile.Limits
	if 0 < l.OpenFiles && l.OpenFiles < leastFiles {
		b.refuse(b.profile.Origins["limits.open-files"], fmt.Sprintf("write %d or more", leastFiles),
			"too few open files for a sandbox to start: %d", l.OpenFiles)
	}
}

// refuseWide refuses to make home or a directory of the system's writable, or a view of
// one, by its name or by a link.
func (b *builder) refuseWide(m Mount) bool {
	place, known := m.Source.Eval(b.env)
	fact, _ := b.facts.Has(m.Source)
	switch {
	case !known, m.Op == ROBind, m.Device():
		return false
	case m.View():
		return b.refuseWideAt(m, place)
	}
	return b.refuseWideAt(m, place) || b.refuseWideAt(m, fact.Place(place))
}

func (b *builder) refuseWideAt(m Mount, place string) bool {
	home := b.facts.Home
	switch {
	case expr.Within(home, place):
		b.refuse(m.Origin, "name the directories that are needed", "the home directory would be writable: %q", m.Source)
	case expr.Below(place, home):
		return false
	case profile.SystemDirectory(place):
		b.refuse(m.Origin, "use read, or name a directory of your own",
			"a system directory would be writable: %q", m.Source)
	default:
		return false
	}
	return true
}

// refuseSecrets refuses an entry that brings a secret within reach, unless the
// profile names exactly that one and says why: then others of the same tool may
// lie below it, as a login lies in an agent's state. Where links lead counts too,
// the entry's own and those of secrets: of a start-up file that lies in a folder
// for all of them, only what could change it.
func (b *builder) refuseSecrets(all Mounts, m Mount) {
	hits := b.hits(m)
	named := b.named(m, hits)
	masks := all.In(ScopeMask)
	spots := b.spots(m.Source)
	if fact, _ := b.facts.Has(m.Source); fact.Target != "" {
		spots = append(spots, fact.Target)
	}
	for _, s := range hits {
		where := b.where(s)
		meets := func(at string) bool { return catalogue.Meets(at, where) }
		switch {
		case m.Op != Bind && mayBeRead(s):
		case named[s.Tool] && slices.ContainsFunc(spots, meets):
		case b.shared(all, m, s), b.listedBelow(m, s), b.masksPath(masks, m, s.Path), b.masksPlace(masks, m, where):
		default:
			b.refuse(m.Origin, b.wayToSecret(m, s), "%q exposes %s's %s %s", m.Source, s.Tool, s.Kind, s.Path)
			return
		}
	}
}

// mayBeRead reports whether a secret is one only for those who could write it.
func mayBeRead(s catalogue.Secret) bool {
	switch s.Kind {
	case catalogue.Config:
		return true
	case catalogue.Persistence:
		return s.ByLink
	}
	return false
}

// wayToSecret is what to write instead of an entry that exposes a secret. What holds
// more than that stays refused, whatever the reason.
func (b *builder) wayToSecret(m Mount, s catalogue.Secret) string {
	fact, _ := b.facts.Has(m.Source)
	switch {
	case b.partOf(m.Source, s):
		return fmt.Sprintf("say what for, if it is to be reached: { path = %q, why = \"...\" }", m.Source)
	case fact.Target != "" && catalogue.Within(fact.Target, b.where(s)):
		return fmt.Sprintf("name where it leads, and say what for: { path = %q, why = \"...\" }", fact.Target)
	case isGlob(s.Path):
		return "name what is needed of it"
	}
	return fmt.Sprintf("name what is needed of it; and if that is the %s, say what for: { path = %q, why = \"...\" }",
		s.Kind, s.Path)
}

// named are the tools of which an entry with a reason names a secret, or a part
// of one: as the catalogue does, or by the place to which a variable moves it.
func (b *builder) named(m Mount, hits []catalogue.Secret) map[string]bool {
	tools := map[string]bool{}
	if m.Why == "" {
		return tools
	}
	for _, s := range hits {
		if b.partOf(m.Source, s) {
			tools[s.Tool] = true
		}
	}
	return tools
}

// partOf reports whether a path is that of a secret, or lies below it.
func (b *builder) partOf(p expr.Path, s catalogue.Secret) bool {
	where := b.where(s)
	byPlace := func(at string) bool { return catalogue.Within(at, where) }
	byName := func(p expr.Path) bool { return p.Within(s.Path) }
	return slices.ContainsFunc(b.spots(p), byPlace) || slices.ContainsFunc(catalogue.Places(p), byName)
}

// shared reports whether an entry lies below another one that names the secret
// and says why.
func (b *builder) shared(all Mounts, m Mount, s catalogue.Secret) bool {
	above := func(o Mount) bool { return leadsBelow(m.Source, o.Source) }
	names := func(o Mount) bool { return b.named(o, []catalogue.Secret{s})[s.Tool] }
	return all.ofProfile().Any(above, names)
}

// listedBelow reports whether the profile lists a secret by itself, below an entry. Then
// the entry shows no more than that: the most specific path wins.
func (b *builder) listedBelow(m Mount, s catalogue.Secret) bool {
	exactly := m.InPlace() && b.exactly(s.Path)
	return exactly && b.liesBelow(m.Source, s)
}
