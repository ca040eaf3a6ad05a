package plan

import (
	"cmp"
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

// Any reports whether something may be.
func (r Revealed) Any() bool { return r.Project || len(r.Paths) > 0 }

// reveal finds what the launcher shows below what it hides, and has it hide what
// lies above before what lies below.
func (b *builder) reveal() {
	slices.SortStableFunc(b.plan.Masks, func(a, c Mount) int { return cmp.Compare(a.Target.String(), c.Target.String()) })
	for _, m := range b.plan.Masks {
		b.plan.Revealed.Project = b.plan.Revealed.Project || b.roomy(m)
		for _, p := range b.listed(m) {
			if !slices.ContainsFunc(b.plan.Revealed.Paths, p.Equal) {
				b.plan.Revealed.Paths = append(b.plan.Revealed.Paths, p)
			}
		}
	}
}

// roomy reports whether the project may lie below something that the profile
// itself hides.
func (b *builder) roomy(m Mount) bool {
	p := m.Target
	at, ok := p.Eval(b.facts.Environment(""))
	fact, known := b.facts.Has(p)
	switch {
	case known && fact.Kind != host.Dir, m.Tool != "", !ok, p.Base == expr.Project:
		return false
	case ofSystem(p):
		return false
	}
	return !b.secret(at)
}

// listed is what the profile shows below a place that is hidden. What a tool needs
// there counts if the profile itself hides the place.
func (b *builder) listed(m Mount) []expr.Path {
	var all []expr.Path
	add := func(tool string, p expr.Path) {
		if (tool == "" || m.Tool == "") && p.Usual().Below(m.Target.Usual()) {
			all = append(all, p)
		}
	}
	for _, o := range b.plan.mounts() {
		add(o.Tool, o.Target)
	}
	for _, c := range b.plan.Caches {
		add(c.Tool, c.Path)
	}
	for _, o := range b.plan.Overlays {
		if !o.Cache {
			add(o.Tool, o.Target)
		}
	}
	if root := b.plan.Project.Root.Path; !root.IsZero() {
		add("", root)
	}
	return all
}

// veiled reports whether a place lies below one that is hidden, so that the base
// alone does not show it.
func (b *builder) veiled(p expr.Path) bool {
	if slices.ContainsFunc(slices.Concat(b.profile.Filesystem.Hide, b.profile.Project.Hide), func(e profile.Entry) bool { return p.Below(e.Path) }) {
		return true
	}
	return b.plan.Base == profile.BaseHost && slices.ContainsFunc(b.known, func(s catalogue.Secret) bool {
		return p.Below(s.Path)
	})
}

// exactly reports whether the profile lists just this path of the host's at its
// own place. Without a reason that is refused.
func (b *builder) exactly(p expr.Path) bool {
	fs := b.profile.Filesystem
	return slices.ContainsFunc(slices.Concat(fs.Read, fs.Write, fs.Overlay), func(e profile.Entry) bool {
		return e.Path.Equal(p) && e.Place().Equal(p)
	})
}

// masks reports whether the sandbox hides what an entry shows of a path.
func (b *builder) masks(m Mount, p expr.Path) bool {
	at := m.Target
	if p.Below(m.Source) {
		at.Rest += p.Rest[len(m.Source.Rest):]
	}
	return slices.ContainsFunc(b.plan.Masks, func(o Mount) bool {
		if root := b.plan.Project.Root.Path; o.Target.Base == expr.Project && !root.IsZero() {
			root.Rest += o.Target.Rest
			o.Target = root
		}
		return at.Within(o.Target) && o.Target.Within(m.Target)
	})
}

// coversPlace reports whether the sandbox hides a place of this host's that an entry
// shows: a variable may have moved a secret to what the profile hides.
func (b *builder) coversPlace(m Mount, at string) bool {
	env := b.facts.Environment("")
	top, _ := m.Source.Eval(env)
	return m.Source.Equal(m.Target) && slices.ContainsFunc(b.plan.Masks, func(o Mount) bool {
		hidden, ok := o.Target.Eval(env)
		return ok && expr.Within(at, hidden) && expr.Within(hidden, top)
	})
}
