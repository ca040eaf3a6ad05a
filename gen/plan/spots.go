package plan

import (
	"maps"
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// assumed is what the profile's entries are judged by: this host's variables, and for
// those that are unset here a place each, since they may be set when the launcher
// starts. The session's own lie where they usually do.
func assumed(p profile.Profile, f host.Facts) expr.Env {
	env := f.Environment("")
	env.Lookup = maps.Clone(env.Lookup)
	if env.Lookup == nil {
		env.Lookup = map[string]string{}
	}
	usual := map[string]string{
		"XDG_CACHE_HOME": env.Home + "/.cache", "XDG_CONFIG_HOME": env.Home + "/.config",
		"XDG_DATA_HOME": env.Home + "/.local/share", "XDG_STATE_HOME": env.Home + "/.local/state",
		runtimeVariable: "/run/user/0",
	}
	for _, named := range pathsOf(p) {
		for _, name := range named.path.Variables() {
			if expr.IsPlace(env.Lookup[name]) {
				continue
			}
			env.Lookup[name] = "/unset/" + name
			if place, known := usual[name]; known {
				env.Lookup[name] = place
			}
		}
	}
	return env
}

// spots are all places that a path may stand for, that of this host first: whichever of
// its variables are set.
func (b *builder) spots(p expr.Path) []string {
	var all []string
	add := func(p expr.Path, env expr.Env) {
		if at, ok := p.Eval(env); ok && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	add(p, b.env)
	for _, place := range catalogue.Places(p) {
		add(place, b.judging)
	}
	return all
}

// where is the place of a secret: of one that was found by a link, where that leads.
func (b *builder) where(s catalogue.Secret) string {
	at, _ := s.Eval(b.judging)
	if real, ok := b.real(s); ok && s.ByLink {
		return real
	}
	return at
}

// secret reports whether a path is, contains, or is below something that nobody inside may read.
func (b *builder) secret(at string) bool {
	known, ok := b.secretAt[at]
	if !ok {
		known = slices.ContainsFunc(b.sensitive.Conflicts(at), func(s catalogue.Secret) bool { return s.Kind.Unreadable() })
		b.secretAt[at] = known
	}
	return known
}

// hits are the sensitive places that an entry brings within reach: at its own path, and where a symlink
// leads. A symlink to a folder with start-up files, as stow creates them, does not share that folder.
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
