package plan

import (
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// linked hides what the profile hides under its other names, too: where an entry
// is a link to what holds it, or its own name leads through one. In the host base
// the launcher itself follows links. It refuses what would be shown elsewhere.
func (b *builder) linked(shown, masks Mounts) Mounts {
	var all Mounts
	for _, h := range b.profile.Rules.Of(profile.KindHide) {
		mask := mount(h)
		place, ok := b.place(h.Path)
		for _, m := range visible(shown) {
			top, known := b.place(m.Source)
			judged := ok && known
			below := judged && expr.Below(place, top)
			if !m.InPlace() {
				if below || mask.within(m.Source) || mask.within(m.Target) {
					b.refuse(h.Origin, "show what lies beside it, entry by entry; or take one of the two out",
						"%q would not be hidden: %q is shown at %q", h.Path, m.Source, m.Target)
				}
				continue
			}
			switch {
			case !judged, b.onHost():
			case below:
				again := mask.movedTo(m.Target, strings.TrimPrefix(place, strings.TrimSuffix(top, "/")))
				same := slices.Concat(masks, all).Any(at(again.Target, again.Target.Usual()))
				if !same {
					all = append(all, again)
				}
			case place == top && !h.Path.Equal(m.Source.Usual()):
				b.refuse(h.Origin, "take one of the two out", "%q would not be hidden: %q leads to it", h.Path, m.Source)
			}
		}
	}
	return all
}

// movedTo is a mask at a place below another path.
func (m Mount) movedTo(top expr.Path, rest string) Mount {
	top.Rest = strings.TrimSuffix(top.Rest, "/") + rest
	m.Source, m.Target = top, top
	return m
}

// visible are the entries and views that show something of the host's.
func visible(all Mounts) Mounts {
	return slices.Concat(all.entries().Where(Mount.binds), all.views())
}

// place is where a path of this host leads.
func (b *builder) place(p expr.Path) (string, bool) {
	at, ok := p.Eval(b.env)
	fact, _ := b.facts.Has(p)
	return fact.Place(at), ok
}
