package plan

import (
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// Revealed is what lies below something hidden and is shown all the same: the
// most specific path wins.
type Revealed struct {
	Paths   []expr.Path // that the profile lists
	Project bool        // or the project, wherever it is
}

// reveal finds what the launcher shows below what it hides.
func (b *builder) reveal(shown, masks Mounts) Revealed {
	var r Revealed
	for _, m := range masks {
		r.Project = r.Project || b.mayHoldProject(m)
		for _, p := range b.shownBelow(shown, m) {
			if !slices.ContainsFunc(r.Paths, p.Equal) {
				r.Paths = append(r.Paths, p)
			}
		}
	}
	return r
}

// mayHoldProject reports whether the project may lie below something that the profile
// itself hides.
func (b *builder) mayHoldProject(m Mount) bool {
	at, ok := m.Target.Eval(b.env)
	fact, known := b.facts.Has(m.Target)
	isFile := known && fact.Kind != host.Dir
	switch {
	case isFile, !m.listed(), !ok, ofSystem(m.Target):
		return false
	}
	return !b.secret(at)
}

// shownBelow is what the profile shows below a place that is hidden. What a tool needs
// there counts if the profile itself hides the place.
func (b *builder) shownBelow(shown Mounts, mask Mount) []expr.Path {
	var all []expr.Path
	counts := Mount.listed
	if mask.listed() {
		counts = func(Mount) bool { return true }
	}
	below := func(m Mount) bool { return m.Target.Usual().Below(mask.Target.Usual()) }
	views := shown.In(ScopeOutside).views()
	for _, m := range slices.Concat(shown.entries(), shown.In(ScopeCache), views).Where(counts, below) {
		all = append(all, m.Target)
	}
	if root := b.plan.Project.Root.Path; root.Usual().Below(mask.Target.Usual()) {
		all = append(all, root)
	}
	return all
}

// belowHidden reports whether a place lies below one that is hidden, so that the base
// alone does not show it.
func (b *builder) belowHidden(p expr.Path) bool {
	if b.profile.Rules.Of(profile.KindHide).Any(func(e profile.Rule) bool { return p.Below(e.Path) }) {
		return true
	}
	return b.onHost() && slices.ContainsFunc(b.known, func(s catalogue.Secret) bool { return p.Below(s.Path) })
}

// exactly reports whether the profile lists just this path of the host's at its
// own place. Without a reason that is refused.
func (b *builder) exactly(p expr.Path) bool {
	return b.profile.Rules.Any(func(e profile.Rule) bool {
		isListed := e.Path.Equal(p) && e.Place().Equal(p)
		return isListed && slices.Contains(profile.Shown(), e.Kind)
	})
}

// masksPath reports whether the sandbox hides what an entry shows of a path.
func (b *builder) masksPath(masks Mounts, m Mount, p expr.Path) bool {
	at := m.Target
	if p.Below(m.Source) {
		at.Rest += p.Rest[len(m.Source.Rest):]
	}
	return masks.Any(func(o Mount) bool {
		hidden := b.outside(o.Target)
		return at.Within(hidden) && hidden.Within(m.Target)
	})
}

// outside is a path of the project by the project's own path, if the profile names that.
func (b *builder) outside(p expr.Path) expr.Path {
	if root := b.plan.Project.Root.Path; p.Base == expr.Project && !root.IsZero() {
		root.Rest += p.Rest
		return root
	}
	return p
}

// masksPlace reports whether the sandbox hides a place of this host's that an entry
// shows: a variable may have moved a secret to what the profile hides.
func (b *builder) masksPlace(masks Mounts, m Mount, at string) bool {
	top, _ := m.Source.Eval(b.env)
	return m.InPlace() && masks.Any(func(o Mount) bool {
		hidden, _ := o.Target.Eval(b.env)
		return expr.Within(at, hidden) && expr.Within(hidden, top)
	})
}
