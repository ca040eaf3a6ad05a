package plan

import (
	"fmt"
	"maps"
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
)

// ofTools are the mounts of tools: toolchains that the host has, and caches, with the masks
// of what has to stay hidden in them.
func (b *builder) ofTools(used []catalogue.Tool, entries Mounts) Mounts {
	var all, caches, masks Mounts
	seen := map[string]bool{}
	system := entries.Before(ScopeBase)
	for _, t := range used {
		var own Mounts
		for _, e := range slices.Concat(t.Toolchain, t.Read, t.Settings()) {
			switch {
			case seen[e.Path.String()], !b.wanted(e), b.covered(system, e.Path):
				continue
			}
			seen[e.Path.String()] = true
			m := ofTool(t, e, ScopeToolchain, "toolchain")
			m.Optional, m.IfNoLogin, m.Active = true, e.IfNoLogin, e.Active
			own = append(own, b.writable(e, m))
			masks = append(masks, covers(t, e)...)
		}
		slices.SortStableFunc(own, byTarget)
		all = append(all, own...)
		for _, e := range t.Caches {
			if seen[e.Path.String()] || !b.showsCache(t, e) {
				continue
			}
			seen[e.Path.String()] = true
			m := ofTool(t, e, ScopeCache, "caches")
			shown := cacheModes[b.profile.Caches.For(t.Name)]
			m.Op, m.Layer = shown.op, shown.layer
			caches = append(caches, m)
			masks = append(masks, covers(t, e)...)
		}
	}
	slices.SortStableFunc(caches, byUsual)
	return slices.Concat(all, caches, masks)
}

// refuseTools refuses names that no tool has: what is asked for of a tool would
// be dropped in silence.
func (b *builder) refuseTools() {
	p := b.profile
	ofProject := func(i profile.Item) bool { return i.Text == "project" }
	named := slices.DeleteFunc(slices.Clone(p.Toolchains.Use.Names), ofProject)
	named = append(named, p.Toolchains.Skip...)
	for _, name := range slices.Sorted(maps.Keys(p.Caches.Tools)) {
		named = append(named, profile.Item{Text: name, Origin: p.Origins[source.Join("caches", name)+".mode"]})
	}
	for _, i := range named {
		if _, ok := b.catalogue.Tool(i.Text); ok {
			continue
		}
		hint := "bwrapgen catalogue list names them; one of your own has a file (toolchains.files)"
		if near := source.Nearest(i.Text, append(b.catalogue.Names(), "project")); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		b.refuse(i.Origin, hint, "no tool of that name: %q", i.Text)
	}
}

// wanted leaves out what no host has and settings of which the profile itself says what
// becomes of them. Other settings may come later.
func (b *builder) wanted(e catalogue.Entry) bool {
	_, own := e.Eval(b.env)
	_, here := b.facts.Has(e.Path)
	switch {
	case e.IfNoLogin && b.lists(e.Path):
		return false
	case e.Active:
		return true
	case own && e.IfNoLogin:
		return true
	}
	return own && here
}

// ofTool is a mount of what a tool has.
func ofTool(t catalogue.Tool, e catalogue.Entry, s Scope, key string) Mount {
	return Mount{
		Op: ROBind, Scope: s, Source: e.Path, Target: e.Path, Why: e.Why, Tool: t.Name,
		Origin: profile.Origin{File: t.Origin, Key: key},
	}
}

// lists reports whether the profile itself shows or hides a path, or what it lies in.
func (b *builder) lists(p expr.Path) bool {
	kinds := []profile.Kind{profile.KindRead, profile.KindWrite, profile.KindOverlay, profile.KindEmpty, profile.KindHide}
	return b.profile.Rules.Of(kinds...).Any(func(e profile.Rule) bool {
		return slices.ContainsFunc(catalogue.Places(p), func(at expr.Path) bool { return at.Within(e.Place()) })
	})
}

// covered reports whether a path lies below an entry that is read-only anyway.
// A variable with a default counts where both ends are.
func (b *builder) covered(system Mounts, p expr.Path) bool {
	if b.onHost() {
		return p.Base == expr.Root && !ofOthers(p)
	}
	return system.Any(func(m Mount) bool { return p.Within(m.Target) })
}

// showsCache reports whether a cache is shown.
func (b *builder) showsCache(t catalogue.Tool, e catalogue.Entry) bool {
	_, here := b.facts.Has(e.Path)
	absent := e.IfPresent && !here
	switch {
	case b.profile.Caches.For(t.Name) == profile.CacheNone, e.File, absent, b.idle(t, e):
		return false
	}
	return true
}

// idle reports whether a cache is of use only to install something, and its
// manager is there to provide what it has: nobody has named it.
func (b *builder) idle(t catalogue.Tool, e catalogue.Entry) bool {
	toolchains := b.profile.Toolchains
	switch {
	case !t.General, e.NeedsWrite != catalogue.NeedOnMiss:
		return false
	case toolchains.Mode != profile.ToolchainRead, toolchains.Use.Kind == profile.UseHost:
		return false
	}
	return !slices.Contains(asked(b.profile, b.catalogue, b.facts), t.Name)
}
