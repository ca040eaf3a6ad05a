package plan

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
)

// closed matches places to which variables and symlinks must not lead unless the policy names them: "~/..."
// or an absolute path. The function is_closed of the engine has the same rule.
var closed = regexp.MustCompile(
	`^((~|/root)/(\.|snap(/|$))|/(boot|dev|etc|proc|run|sys|var/(db|lib|run|snap|spool))(/|$))`)

// alwaysOpen matches names with a dot that are never closed.
var alwaysOpen = regexp.MustCompile(`^(~|/root)/\.(agents|cache|dotfiles)/`)

// open lists the places to which variables and symlinks may lead although they are closed otherwise: the
// usual places of what the tools and the profile have, those on this host, and where its symlinks lead. A
// tool that a variable moves may also be where the XDG base directory specification would have it. Tools'
// managers count even if this host does not have them, since the launcher may run on another one.
func (b *builder) open(used []catalogue.Tool, shown Mounts) []expr.Path {
	moves := false
	all, links := map[string]expr.Path{}, map[string]expr.Path{}
	add := func(p expr.Path) {
		if at := p.String(); closed.MatchString(at) && !alwaysOpen.MatchString(at) || p.Base == expr.Variable {
			all[at] = p
		}
	}
	addTool := func(p expr.Path) {
		if at, ok := p.Eval(b.env); ok && expr.Below(at, b.facts.Home) && !b.secret(at) {
			add(b.outermost(at))
		}
	}
	for _, m := range shown.Where(Mount.shows, func(m Mount) bool { return m.Scope.rank() >= ScopeToolchain.rank() }) {
		usual := m.Source.Usual()
		// What only a variable names may be anywhere, such as a Python environment or a certificate.
		if usual.Base != expr.Variable || m.Tool != "" || usual.Name == runtimeVariable {
			add(usual)
		}
		fact, _ := b.facts.Has(m.Source)
		if fact.Target != "" && (m.listed() || !b.secret(fact.Target)) {
			link := b.byHome(fact.Target)
			links[link.String()] = link
		}
		if at, ok := m.Source.Eval(b.env); ok && m.listed() {
			add(b.byHome(at))
			if rest, ok := strings.CutPrefix(at, "/var/run/"); ok { // a symlink, even if this host lacks what it leads to
				add(b.byHome("/run/" + rest))
			}
			continue
		}
		addTool(usual)
		addTool(m.Source)
		if m.Source.Base == expr.Variable && !strings.HasPrefix(m.Source.Name, "XDG_") {
			addTool(expr.Path{Base: expr.Home, Rest: "/.local/share/" + m.Tool})
			moves = true
		}
	}
	if moves {
		var names []string
		for _, t := range used {
			names = append(names, t.Name)
		}
		for _, t := range pick(b.catalogue, b.catalogue.WithNeeds(names)) {
			for _, e := range slices.Concat(t.Toolchain, t.Caches) {
				addTool(e.Path.Usual())
			}
		}
	}
	isNested := func(_ string, p expr.Path) bool {
		return slices.ContainsFunc(p.Above(), func(above expr.Path) bool { return all[above.String()].Equal(above) })
	}
	maps.DeleteFunc(all, isNested)
	maps.Copy(all, links)
	return slices.SortedFunc(maps.Values(all), func(p, q expr.Path) int {
		return cmp.Or(cmp.Compare(path.Dir(p.String()), path.Dir(q.String())), cmp.Compare(p.String(), q.String()))
	})
}

// outermost is the outermost directory around a place in home that contains no credentials.
func (b *builder) outermost(at string) expr.Path {
	for up := path.Dir(at); up != b.facts.Home && !b.secret(up); up = path.Dir(up) {
		at = up
	}
	return b.byHome(at)
}

// byHome is an absolute path, written with ~ if it is in this host's home.
func (b *builder) byHome(at string) expr.Path {
	if expr.Below(at, b.facts.Home) {
		return expr.Path{Base: expr.Home, Rest: strings.TrimPrefix(at, b.facts.Home)}
	}
	return expr.Path{Base: expr.Root, Rest: at}
}
