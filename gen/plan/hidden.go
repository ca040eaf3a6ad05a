package plan

import (
	"maps"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
)

// Hidden says what of home is closed at launch to a variable that is set, and to
// a link that has come since: names with a dot, below which secrets lie, and some
// others. Tools have places of their own there.
type Hidden struct {
	Movers []string // variables, and what of their directory is shown: NAME, NAME/PART
	Open   []string // places below home where these may lead
	Caches []string // names in ~/.cache where they may not
	Bare   []string // names in home without a dot that are closed, too

	Movable []string `json:",omitzero"` // what may not be led into the profile's own entries: see movable
}

// hidden finds what the launcher needs to judge variables. One that names a
// directory for everything is not judged. What of a variable's directory is shown may
// also lie where the XDG base directory specification would have it: below
// ~/.local/share, in a folder that is named like the tool.
func (b *builder) hidden() {
	h := &b.plan.Hidden
	for _, s := range b.known {
		if s.Path.Base == expr.Home && s.Kind == catalogue.Credential {
			b.homeSecrets = append(b.homeSecrets, s.Path)
		}
	}
	h.Bare, h.Caches = b.names("", false), b.names("/.cache", true)
	movers, open := map[string]bool{}, map[string]bool{}
	for _, m := range b.shown() {
		rest := ""
		for q := &m.Source; q != nil && q.Base == expr.Variable; q = q.Default {
			rest = q.Rest + rest
			if !strings.HasPrefix(q.Name, "XDG_") {
				movers[q.Name+rest] = true
				b.open(open, expr.Path{Base: expr.Home, Rest: "/.local/share/" + m.Tool + rest})
			}
		}
		b.open(open, m.Source)
		b.open(open, m.Source.Usual())
	}
	for _, t := range b.managed() {
		for _, e := range slices.Concat(t.Toolchain, t.Caches) {
			b.open(open, e.Path.Usual())
		}
	}
	h.Movers, h.Open = outermost(movers), slices.Sorted(maps.Keys(open))
}

// outermost are the paths that lie below no other of them, sorted.
func outermost(paths map[string]bool) []string {
	var all []string
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		if !slices.ContainsFunc(all, func(top string) bool { return expr.Within(p, top) }) {
			all = append(all, p)
		}
	}
	return all
}

// shown are the places of toolchains and caches, but for those that the launcher reads
// first, and those that a user chooses in each shell: these may be anywhere.
func (b *builder) shown() []Mount {
	var all []Mount
	for _, g := range b.plan.Toolchains {
		for _, m := range g.Mounts {
			if !m.IfNoLogin && !m.Active {
				all = append(all, m)
			}
		}
	}
	for _, c := range b.plan.Caches {
		all = append(all, Mount{Source: c.Path, Tool: c.Tool})
	}
	for _, o := range b.plan.Overlays {
		if o.Tool != "" {
			all = append(all, Mount{Source: o.Path, Tool: o.Tool})
		}
	}
	return all
}

// managed are the tools of the plan, and the managers that may provide them on
// another host.
func (b *builder) managed() []catalogue.Tool {
	var names []string
	for _, t := range b.used {
		names = append(names, t.Name)
	}
	return pick(b.catalogue, b.catalogue.WithNeeds(names))
}

// open notes where a path of a tool's lies among what home hides: the outermost
// folder that holds no secret. In ~/.cache most are open anyway.
func (b *builder) open(open map[string]bool, p expr.Path) {
	at, ok := p.Eval(b.facts.Environment(""))
	fact, _ := b.facts.Has(p)
	for _, at := range []string{at, fact.Target} {
		name, below := strings.CutPrefix(at, b.facts.Home+"/.")
		cache, _, _ := strings.Cut(strings.TrimPrefix(name, "cache/"), "/")
		anyway := strings.HasPrefix(name, "cache/") && !slices.Contains(b.plan.Hidden.Caches, cache)
		switch {
		case !ok, !below, anyway, b.secret(at):
			continue
		}
		for up := path.Dir(at); up != b.facts.Home && !b.secret(up); up = path.Dir(up) {
			at = up
		}
		open[strings.TrimPrefix(at, b.facts.Home+"/")] = true
	}
}

// secret reports whether a place is, holds or lies in what nobody inside may read.
func (b *builder) secret(at string) bool {
	known, ok := b.judged[at]
	if !ok {
		known = slices.ContainsFunc(b.sensitive.Conflicts(at), func(s catalogue.Secret) bool { return s.Kind.Unreadable() })
		b.judged[at] = known
	}
	return known
}

// names are those directly below a place in home below which a secret lies; they
// may begin with a dot where that is said. Of a pattern it is the beginning.
func (b *builder) names(in string, dotted bool) []string {
	names := map[string]bool{}
	for _, p := range b.homeSecrets {
		rest, below := strings.CutPrefix(p.Rest, in+"/")
		name, _, _ := strings.Cut(rest, "/")
		name = strings.TrimSuffix(name, "*")
		if !below {
			continue
		}
		if dotted || name[0] != '.' && !isGlob(p) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
