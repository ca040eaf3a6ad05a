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
func (b *builder) hidden(used []catalogue.Tool, shown Mounts) Hidden {
	h := Hidden{Bare: b.names("", false), Caches: b.names("/.cache", true)}
	movers, open := map[string]bool{}, map[string]bool{}
	// What the launcher reads first, and what a user chooses in each shell, may be anywhere.
	always := func(m Mount) bool { return !m.IfNoLogin }
	fixed := func(m Mount) bool { return !m.Active }
	for _, m := range shown.In(ScopeToolchain, ScopeCache).Where(always, fixed) {
		rest := ""
		for q := &m.Source; isVariable(q); q = q.Default {
			rest = q.Rest + rest
			if !strings.HasPrefix(q.Name, "XDG_") {
				movers[q.Name+rest] = true
				b.open(open, h.Caches, expr.Path{Base: expr.Home, Rest: "/.local/share/" + m.Tool + rest})
			}
		}
		b.open(open, h.Caches, m.Source)
		b.open(open, h.Caches, m.Source.Usual())
		// One that holds secrets is shown anyway, without them, where no variable moves it.
		if at, ok := m.Source.Usual().Eval(b.env); ok && b.secret(at) {
			open[strings.TrimPrefix(at, b.facts.Home+"/")] = true
		}
	}
	var names []string
	for _, t := range used {
		names = append(names, t.Name)
	}
	// Managers may provide the tools on another host.
	for _, t := range pick(b.catalogue, b.catalogue.WithNeeds(names)) {
		for _, e := range slices.Concat(t.Toolchain, t.Caches) {
			b.open(open, h.Caches, e.Path.Usual())
		}
	}
	h.Movers, h.Open = outermost(movers), slices.Sorted(maps.Keys(open))
	return h
}

func isVariable(p *expr.Path) bool { return p != nil && p.Base == expr.Variable }

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

// open notes where a path of a tool's lies among what home hides: the outermost
// folder that holds no secret. In ~/.cache most are open anyway.
func (b *builder) open(open map[string]bool, caches []string, p expr.Path) {
	at, ok := p.Eval(b.env)
	fact, _ := b.facts.Has(p)
	for _, at := range []string{at, fact.Target} {
		name, below := strings.CutPrefix(at, b.facts.Home+"/.")
		rest, cached := strings.CutPrefix(name, "cache/")
		cache, _, _ := strings.Cut(rest, "/")
		closed := !cached || slices.Contains(caches, cache)
		switch {
		case !ok, !below, !closed, b.secret(at):
			continue
		}
		for up := path.Dir(at); up != b.facts.Home; up = path.Dir(up) {
			if b.secret(up) {
				break
			}
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
	for _, s := range b.secretsOf(catalogue.Credential) {
		rest, below := strings.CutPrefix(s.Path.String(), "~"+in+"/")
		name, _, _ := strings.Cut(rest, "/")
		name = strings.TrimSuffix(name, "*")
		plain := !strings.HasPrefix(name, ".") && !isGlob(s.Path)
		if below && (dotted || plain) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
