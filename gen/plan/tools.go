package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
)

// tools adds the toolchains that the host has and the caches of their tools.
func (b *builder) tools() {
	b.used = tools(b.profile, b.catalogue, b.facts)
	seen := map[string]bool{}
	for _, t := range b.used {
		var mounts []Mount
		for _, e := range slices.Concat(t.Toolchain, t.Read, t.Settings()) {
			if m, ok := b.toolchain(t, e, seen); ok && (m.IfNoLogin || !b.writable(e, m)) {
				mounts = append(mounts, m)
			}
		}
		b.plan.Toolchains = append(b.plan.Toolchains, group(t.About, mounts)...)
		for _, e := range t.Caches {
			b.cache(t, e, seen)
		}
	}
	slices.SortStableFunc(b.plan.Caches, func(a, c Cache) int {
		return cmp.Compare(a.Path.Usual().String(), c.Path.Usual().String())
	})
}

// refuseTools refuses names that no tool has: what is asked for of a tool would
// be dropped in silence.
func (b *builder) refuseTools() {
	p := b.profile
	named := slices.DeleteFunc(slices.Clone(p.Toolchains.Use.Names), func(i profile.Item) bool { return i.Text == "project" })
	named = append(named, p.Toolchains.Skip...)
	for _, name := range slices.Sorted(maps.Keys(p.Caches.Tools)) {
		named = append(named, profile.Item{Text: name, Origin: p.Origins["caches."+name+".mode"]})
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

// toolchain leaves out what no host has and what the base shows anyway. Settings may
// come later; those of which the profile itself says what becomes of them are left to it.
func (b *builder) toolchain(t catalogue.Tool, e catalogue.Entry, seen map[string]bool) (Mount, bool) {
	key := e.Path.String()
	_, own := e.Eval(b.facts.Environment(""))
	_, here := b.facts.Has(e.Path)
	missing := !here && !e.IfNoLogin || !own
	switch {
	case seen[key], missing && !e.Active, b.covered(e.Path), e.IfNoLogin && b.lists(e.Path):
		return Mount{}, false
	}
	seen[key] = true
	b.covers(t, e)
	return Mount{
		Op: ROBind, Source: e.Path, Target: e.Path, Optional: true, IfNoLogin: e.IfNoLogin, Active: e.Active, Why: e.Why, Tool: t.Name,
		Origin: profile.Origin{File: t.Origin, Key: "toolchain"},
	}, true
}

// lists reports whether the profile itself shows or hides a path, or what it lies in.
func (b *builder) lists(p expr.Path) bool {
	fs := b.profile.Filesystem
	return slices.ContainsFunc(slices.Concat(fs.Read, fs.Write, fs.Overlay, fs.Empty, fs.Hide), func(e profile.Entry) bool {
		return slices.ContainsFunc(catalogue.Places(p), func(at expr.Path) bool { return at.Within(e.Place()) })
	})
}

// covered reports whether a path lies below an entry that is read-only anyway.
// A variable with a default counts where both ends are.
func (b *builder) covered(p expr.Path) bool {
	if b.plan.Base == profile.BaseHost && p.Base == expr.Root {
		return !ofOthers(p)
	}
	for _, m := range slices.Concat(b.plan.System.Mounts, b.plan.System.Etc, b.plan.System.Roots) {
		if p.Base == expr.Root && expr.Within(p.Rest, m.Target.Rest) {
			return true
		}
	}
	return false
}

func (b *builder) cache(t catalogue.Tool, e catalogue.Entry, seen map[string]bool) {
	mode := b.profile.Caches.For(t.Name)
	key := e.Path.String()
	_, here := b.facts.Has(e.Path)
	switch {
	case mode == profile.CacheNone, e.File, seen[key], e.IfPresent && !here, b.idle(t, e):
		return
	}
	seen[key] = true
	b.covers(t, e)
	b.plan.Caches = append(b.plan.Caches, Cache{
		Path: e.Path, Mode: mode, Tool: t.Name, Why: e.Why,
		Origin: profile.Origin{File: t.Origin, Key: "caches"},
	})
}

// idle reports whether a cache is of use only to install something, and its
// manager is there to provide what it has: nobody has named it.
func (b *builder) idle(t catalogue.Tool, e catalogue.Entry) bool {
	toolchains := b.profile.Toolchains
	if !t.General || e.NeedsWrite != catalogue.NeedOnMiss {
		return false
	}
	if toolchains.Mode != profile.ToolchainRead || toolchains.Use.Kind == profile.UseHost {
		return false
	}
	return !slices.Contains(asked(b.profile, b.catalogue, b.facts), t.Name)
}
