package plan

import (
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// linked hides what the profile hides under its other names, too: where an entry
// is a link to what holds it, or its own name leads through one. In the host base
// the launcher itself follows links. It refuses what would be in sight elsewhere.
func (b *builder) linked() {
	for _, h := range slices.Concat(b.profile.Filesystem.Hide, b.profile.Project.Hide) {
		at, ok := b.place(h.Path)
		for _, m := range b.sights() {
			top, known := b.place(m.Source)
			rest, below := strings.CutPrefix(at, strings.TrimSuffix(top, "/")+"/")
			below = below && ok && known
			moved := !m.Source.Equal(m.Target)
			holds := below || mount(h).within(m.Source) || mount(h).within(m.Target)
			switch name := m.Target; {
			case moved && holds:
				b.refuse(h.Origin, "show what lies beside it, entry by entry; or take one of the two out", "%q would not be hidden: %q is shown at %q", h.Path, m.Source, m.Target)
			case moved, !ok, !known, b.plan.Base == profile.BaseHost:
			case at == top && !h.Path.Equal(m.Source.Usual()):
				b.refuse(h.Origin, "take one of the two out", "%q would not be hidden: %q leads to it", h.Path, m.Source)
			case below:
				name.Rest = strings.TrimSuffix(name.Rest, "/") + "/" + rest
				if !slices.ContainsFunc(b.plan.Masks, func(o Mount) bool { return o.Target.Equal(name) || o.Target.Equal(name.Usual()) }) {
					mask := mount(h)
					mask.Source, mask.Target = name, name
					b.plan.Masks = append(b.plan.Masks, mask)
				}
			}
		}
	}
}

// sights are the entries that show something of the host's.
func (b *builder) sights() []Mount {
	all := slices.DeleteFunc(b.plan.mounts(), func(m Mount) bool { return !m.Op.binds() })
	for _, o := range b.plan.Overlays {
		all = append(all, Mount{Op: Bind, Source: o.Path, Target: o.Target})
	}
	return all
}

// place is where a path of this host leads.
func (b *builder) place(p expr.Path) (string, bool) {
	at, ok := p.Eval(b.facts.Environment(""))
	fact, _ := b.facts.Has(p)
	return fact.Place(at), ok
}
