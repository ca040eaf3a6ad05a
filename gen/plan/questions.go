package plan

import (
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// Questions lists what Build has to know about a host, and no more: of the
// tools, only those that the profile could use. The project is the caller's to
// add.
func Questions(p profile.Profile, c catalogue.Catalogue) host.Question {
	q := host.Question{Git: showsGit(p)}
	if ofProject(p.Toolchains.Use) {
		for _, t := range c.Tools {
			q.Markers = append(q.Markers, t.Markers...)
		}
	}
	for _, e := range p.Rules.Of(profile.Shown()...) {
		q.Paths = append(q.Paths, e.Path)
	}
	for _, e := range p.Rules.Of(profile.KindWrite) {
		q.Paths = append(q.Paths, repositoryOf(e))
	}
	for _, e := range p.Rules.Of(profile.KindHide) {
		if e.Path.Base != expr.Project {
			q.Links = append(q.Links, e.Path)
		}
	}
	for _, s := range c.Hidden() {
		bySession := s.Kind == catalogue.ControlSocket && s.Path.Base == expr.Variable
		if !bySession && !isGlob(s.Path) {
			q.Links = append(q.Links, s.Path)
		}
	}
	for _, t := range candidates(p, c) {
		for _, list := range [][]catalogue.Entry{t.Toolchain, t.Path, t.Read, t.Caches, t.Settings()} {
			for _, e := range list {
				if !e.Glob() {
					q.Paths = append(q.Paths, e.Path)
				}
			}
		}
	}
	return q
}

func isGlob(p expr.Path) bool { return strings.Contains(p.String(), "*") }

// candidates are the tools that a profile could use on some host.
func candidates(p profile.Profile, c catalogue.Catalogue) []catalogue.Tool {
	if p.Toolchains.Use.Kind == profile.UseHost || ofProject(p.Toolchains.Use) {
		return c.Tools
	}
	return pick(c, c.WithNeeds(profile.Texts(p.Toolchains.Use.Names)))
}

// ofProject reports whether the project's files choose tools: alone, or as the
// word "project" in a list, beside the tools that it names.
func ofProject(u profile.Use) bool {
	if u.Kind == profile.UseNames {
		return slices.Contains(profile.Texts(u.Names), "project")
	}
	return u.Kind == profile.UseProject
}

// tools are those that the profile uses on this host, sorted by name, and behind them the
// lists of what programs need to reach the network. Of what is not named itself, version
// managers most of all, the host has to have something.
func tools(p profile.Profile, c catalogue.Catalogue, f host.Facts) []catalogue.Tool {
	named := asked(p, c, f)
	chosen := pick(c, c.WithNeeds(named))
	if p.Toolchains.Use.Kind == profile.UseHost {
		chosen = slices.Clone(c.Tools)
	}
	chosen = slices.DeleteFunc(chosen, func(t catalogue.Tool) bool {
		isThere := t.Name != baseline && has(t, f)
		return !isThere && !slices.Contains(named, t.Name)
	})
	chosen = append(chosen, pick(c, online(p.Network))...)
	skipped := profile.Texts(p.Toolchains.Skip)
	return slices.DeleteFunc(chosen, func(t catalogue.Tool) bool { return slices.Contains(skipped, t.Name) })
}

// asked are the tools that the profile or the project's files name.
func asked(p profile.Profile, c catalogue.Catalogue, f host.Facts) []string {
	names := profile.Texts(p.Toolchains.Use.Names)
	if ofProject(p.Toolchains.Use) {
		names = append(names, c.Marked(f.Markers)...)
	}
	return names
}

// online are the catalogue's lists of what programs need to reach the network: of the
// proxies there, none where only some hosts can be reached, or the profile names one.
func online(n profile.Network) []string {
	switch {
	case n.Mode == profile.NetworkNone:
		return nil
	case n.Mode == profile.NetworkAllow, n.Proxy != "":
		return []string{"certificates"}
	}
	return []string{"certificates", "proxies"}
}

func pick(c catalogue.Catalogue, names []string) []catalogue.Tool {
	var picked []catalogue.Tool
	for _, name := range names {
		if t, ok := c.Tool(name); ok {
			picked = append(picked, t)
		}
	}
	return picked
}

// baseline is the catalogue's list of the system's own files: a profile lists
// those that it shows.
const baseline = "system"

// has reports whether the host has a toolchain, a cache or settings of the tool.
func has(t catalogue.Tool, f host.Facts) bool {
	for _, e := range slices.Concat(t.Toolchain, t.Read, t.Caches, t.Settings()) {
		if _, ok := f.Has(e.Path); ok {
			return true
		}
	}
	return false
}
