package plan

import (
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// masks are all that is hidden in what is shown, or by the profile's wish, what lies
// above before what lies below.
func (b *builder) masks(shown Mounts) Mounts {
	asked := shown.In(ScopeMask)
	named := slices.Concat(asked, b.linked(shown, asked))
	belowListed := slices.Concat(named, b.startups(shown, named))
	whole := slices.Concat(belowListed, b.secrets(belowListed))
	left := b.collapse(shown, whole)
	slices.SortStableFunc(left, byTarget)
	return left
}

// coverSystem hides the secrets in an entry of the system's baseline.
func (b *builder) coverSystem(m Mount) Mounts {
	var all Mounts
	t, _ := b.catalogue.Tool(baseline)
	for _, e := range t.Read {
		if m.is(Mount.InPlace, at(e.Path)) {
			all = append(all, covers(t, e)...)
		}
	}
	return all
}

// covers hides the secrets in an entry that has to stay whole, and what belongs
// to other projects where the tool writes, too.
func covers(t catalogue.Tool, e catalogue.Entry) Mounts {
	var all Mounts
	cover := func(op Op, key string, paths []expr.Path) {
		for _, p := range paths {
			all = append(all, hidden(op, p, "", t.Name, profile.Origin{File: t.Origin, Key: key}))
		}
	}
	cover(Mask, "mask", e.Masked())
	cover(Tmpfs, "empty", e.Emptied())
	return all
}

func hidden(op Op, p expr.Path, why, tool string, o profile.Origin) Mount {
	return Mount{Op: op, Scope: ScopeMask, Source: p, Target: p, Optional: true, Why: why, Tool: tool, Origin: o}
}

// hiddenSecret hides what the catalogue knows, at a place.
func hiddenSecret(s catalogue.Secret, at expr.Path) Mount {
	return hidden(Mask, at, s.Why, s.Tool, profile.Origin{File: s.Tool, Key: s.Kind.String()})
}

// at asks whether a mount stands at one of some places.
func at(places ...expr.Path) func(Mount) bool {
	return func(m Mount) bool { return slices.ContainsFunc(places, m.Target.Equal) }
}

// startups hides the start-up files of the catalogue that lie below what the profile
// lists to be read: a directory is shown for what else is in it. One that the profile
// itself names is refused without a reason.
func (b *builder) startups(shown, masks Mounts) Mounts {
	var all Mounts
	for _, m := range shown.ofProfile().Where(does(ROBind)) {
		for _, s := range b.hits(m) {
			place := s.Path
			if !m.InPlace() {
				place = m.Target
				place.Rest += strings.TrimPrefix(s.Path.Rest, m.Source.Rest)
			}
			isMasked := slices.Concat(masks, all).Any(at(place))
			switch {
			case isMasked, s.Kind != catalogue.Persistence, s.ByLink, !b.holds(m, s), b.exactly(s.Path):
				continue
			}
			all = append(all, hiddenSecret(s, place))
		}
	}
	return all
}

// holds reports whether a secret lies below what a mount shows.
func (b *builder) holds(m Mount, s catalogue.Secret) bool {
	if s.Path.Below(m.Source) {
		return true
	}
	return m.InPlace() && b.liesBelow(m.Source, s)
}

// liesBelow reports whether a secret lies below what a path stands for.
func (b *builder) liesBelow(p expr.Path, s catalogue.Secret) bool {
	where := b.where(s)
	return slices.ContainsFunc(b.spots(p), func(at string) bool { return expr.Below(where, at) })
}

// secrets hides those of the catalogue where the host's files are shown.
func (b *builder) secrets(masks Mounts) Mounts {
	if !b.onHost() {
		return nil
	}
	var all Mounts
	seen := map[string]bool{}
	for _, m := range masks {
		seen[m.Target.String()] = true
	}
	for _, s := range b.known {
		key := s.Path.String()
		visible := s.Path.Base == expr.Root || !b.ownHome()
		switch {
		case !visible, seen[key], b.exactly(s.Path), private(s.Path), s.Path.Base == expr.Project:
			continue
		}
		seen[key] = true
		all = append(all, hiddenSecret(s, s.Path))
	}
	return all
}

// collapse leaves out what lies below something that is hidden as a whole.
func (b *builder) collapse(shown, masks Mounts) Mounts {
	whole := map[string]bool{}
	for _, m := range masks {
		whole[m.Target.String()] = len(b.shownBelow(shown, m)) == 0
	}
	covered := func(up expr.Path) bool { return whole[up.String()] }
	return masks.Where(func(m Mount) bool { return m.listed() || !slices.ContainsFunc(m.Target.Above(), covered) })
}
