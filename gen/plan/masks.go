package plan

import (
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// coverSystem hides the secrets in an entry of the system's baseline.
func (b *builder) coverSystem(m Mount) {
	t, _ := b.catalogue.Tool(baseline)
	for _, e := range t.Read {
		if e.Path.Equal(m.Source) && m.Source.Equal(m.Target) {
			b.covers(t, e)
		}
	}
}

// covers hides the secrets in an entry that has to stay whole, and what belongs
// to other projects where the tool writes, too.
func (b *builder) covers(t catalogue.Tool, e catalogue.Entry) {
	cover := func(op Op, key string, paths []expr.Path) {
		for _, p := range paths {
			b.plan.Masks = append(b.plan.Masks, Mount{
				Op: op, Source: p, Target: p, Optional: true, Tool: t.Name,
				Origin: profile.Origin{File: t.Origin, Key: key},
			})
		}
	}
	cover(Mask, "mask", e.Masked())
	cover(Tmpfs, "empty", e.Emptied())
}

// startups hides the start-up files of the catalogue that lie below what the profile
// lists to be read: a directory is shown for what else is in it. One that the profile
// itself names is refused without a reason.
func (b *builder) startups() {
	for _, m := range b.plan.mounts() {
		if !m.shows() || m.Tool != "" || m.Op != ROBind {
			continue
		}
		for _, s := range b.hits(m) {
			at := s.Path
			if !m.Source.Equal(m.Target) {
				at = m.Target
				at.Rest += strings.TrimPrefix(s.Path.Rest, m.Source.Rest)
			}
			below := s.Path.Below(m.Source) || m.Source.Equal(m.Target) && b.liesBelow(m.Source, s)
			known := func(o Mount) bool { return o.Target.Equal(at) }
			switch {
			case s.Kind != catalogue.Persistence, s.Led, !below, b.exactly(s.Path), slices.ContainsFunc(b.plan.Masks, known):
				continue
			}
			b.plan.Masks = append(b.plan.Masks, Mount{
				Op: Mask, Source: at, Target: at, Optional: true, Why: s.Why, Tool: s.Tool,
				Origin: profile.Origin{File: s.Tool, Key: s.Kind.String()},
			})
		}
	}
}

// liesBelow reports whether a secret lies below what a path stands for.
func (b *builder) liesBelow(p expr.Path, s catalogue.Secret) bool {
	where := b.where(s)
	return slices.ContainsFunc(b.spots(p), func(at string) bool { return at != where && expr.Within(where, at) })
}

// secrets hides those of the catalogue where the host's files are in sight.
func (b *builder) secrets() {
	if b.plan.Base != profile.BaseHost {
		return
	}
	seen := map[string]bool{}
	for _, m := range b.plan.Masks {
		seen[m.Target.String()] = true
	}
	for _, s := range b.known {
		key := s.Path.String()
		inHome := s.Path.Base != expr.Root
		switch {
		case seen[key], b.exactly(s.Path), private(s.Path), s.Path.Base == expr.Project, inHome && b.plan.Home != profile.HomeHost:
			continue
		}
		seen[key] = true
		b.plan.Masks = append(b.plan.Masks, Mount{
			Op: Mask, Source: s.Path, Target: s.Path, Optional: true, Why: s.Why, Tool: s.Tool,
			Origin: profile.Origin{File: s.Tool, Key: s.Kind.String()},
		})
	}
}

// collapse leaves out what lies below something that is hidden as a whole.
func (b *builder) collapse() {
	whole := map[string]bool{}
	for _, m := range b.plan.Masks {
		whole[m.Target.String()] = len(b.listed(m)) == 0
	}
	b.plan.Masks = slices.DeleteFunc(slices.Clone(b.plan.Masks), func(m Mount) bool {
		return m.Tool != "" && slices.ContainsFunc(m.Target.Above(), func(up expr.Path) bool { return whole[up.String()] })
	})
}
