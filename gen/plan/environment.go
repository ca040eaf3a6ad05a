package plan

import (
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

func (b *builder) environment() {
	e := &b.plan.Environ
	e.Require = b.profile.Environment.Require
	e.Set = slices.Clone(b.profile.Environment.Set)
	set := map[string]bool{"HOME": true, "USER": true, "LOGNAME": true, "BWRAPGEN": true}
	for _, v := range e.Set {
		set[v.Name] = true
	}
	for _, v := range b.proxyVariables() {
		if !set[v.Name] {
			set[v.Name] = true
			e.Set = append(e.Set, v)
		}
	}
	e.TakePath = !set["PATH"]
	e.Pass = texts(b.profile.Environment.Pass)
	for _, r := range e.Require {
		e.Pass = append(e.Pass, r.Text)
	}
	for _, m := range b.plan.mounts() {
		if m.Tool == "" && m.Source.Equal(m.Target) {
			e.Pass = append(e.Pass, m.Source.Variables()...)
		}
	}
	named := func(name string) bool {
		return set[name] || slices.ContainsFunc(e.Pass, func(listed string) bool { return matches(listed, name) })
	}
	for _, t := range b.used {
		e.Addresses = append(e.Addresses, slices.DeleteFunc(slices.Clone(t.Addresses), named)...)
	}
	slices.Sort(e.Addresses)
	e.Addresses = slices.Compact(e.Addresses)
	e.Pass = append(e.Pass, e.Addresses...)
	for _, t := range b.used {
		e.Wanted = append(e.Wanted, t.Programs...)
		e.Pass = append(e.Pass, b.relocating(t)...)
		for _, s := range t.Set {
			if !set[s.Name] {
				set[s.Name] = true
				e.Set = append(e.Set, profile.Variable{Name: s.Name, Text: s.Value, Path: s.Path})
				if s.Why != "" {
					e.Reasons = append(e.Reasons, Line{strings.TrimSuffix(s.Name+"="+s.Value, "="), s.Why})
				}
			}
		}
	}
	e.Pass = slices.DeleteFunc(e.Pass, func(name string) bool { return set[name] || name == "PATH" })
	slices.Sort(e.Pass)
	e.Pass = slices.Compact(e.Pass)
	e.Visible, e.Denied = b.visible(), b.denied()
	if e.TakePath {
		e.Programs = b.programs()
	}
	e.logins = b.logins()
}

// relocating are the variables of a tool that are worth passing: those of what
// the sandbox shows, and those that the tool needs besides.
func (b *builder) relocating(t catalogue.Tool) []string {
	names := slices.Clone(t.Pass)
	for _, e := range slices.Concat(t.Toolchain, t.Path, t.Read, t.Settings()) {
		if _, ok := b.facts.Has(e.Path); ok || e.IfNoLogin || e.Active {
			names = append(names, e.Path.Variables()...)
		}
	}
	for _, e := range t.Caches {
		names = append(names, e.Path.Variables()...)
	}
	return names
}

// programs are the directories of the tools' programs, as far as the sandbox shows them.
func (b *builder) programs() []expr.Path {
	var shown, all []expr.Path
	for _, m := range b.plan.mounts() {
		shown = append(shown, m.Target)
	}
	for _, o := range b.plan.Overlays {
		shown = append(shown, o.Target)
	}
	for _, t := range b.used {
		for _, e := range t.Path {
			_, here := b.facts.Has(e.Path)
			if (here || e.Glob()) && slices.ContainsFunc(shown, e.Path.Within) {
				all = append(all, e.Path)
			}
		}
	}
	return all
}

// visible are the directories below which programs can be found.
func (b *builder) visible() []expr.Path {
	if b.plan.Base == profile.BaseHost {
		return []expr.Path{expr.MustParse("/")}
	}
	var all []expr.Path
	for _, m := range slices.Concat(b.plan.System.Mounts, b.plan.System.Roots) {
		if !strings.HasPrefix(m.Target.Rest, "/etc/") && !strings.HasPrefix(m.Target.Rest, "/var/") {
			all = append(all, m.Target)
		}
	}
	for _, g := range b.plan.Groups {
		for _, m := range g.Mounts {
			if m.Op.binds() && !m.Held && b.isDirectory(m.Source) {
				all = append(all, m.Target)
			}
		}
	}
	for _, o := range b.plan.Overlays {
		if !o.Cache && b.pinned(o) || o.Tool != "" {
			all = append(all, o.Target)
		}
	}
	return all
}

// pinned reports whether a view has to stand at its own name, also where that is
// a link: it is moved, or something is mounted below it, which follows no link.
// Another one stands where the link leads, and the link beside it; only the launch
// can tell.
func (b *builder) pinned(o Overlay) bool {
	if !o.Target.Equal(o.Path) {
		return true
	}
	below := func(p expr.Path) bool { return p.Below(o.Target) }
	return slices.ContainsFunc(b.plan.mounts(), func(m Mount) bool { return below(m.Target) }) ||
		slices.ContainsFunc(b.profile.Filesystem.Credential, func(e profile.Entry) bool { return below(e.Place()) }) ||
		slices.ContainsFunc(b.plan.Overlays, func(other Overlay) bool { return below(other.Target) })
}

// relocations lists the variables whose empty or relative value is ignored.
func (b *builder) relocations() {
	seen := map[string]bool{"HOME": true}
	var paths []expr.Path
	for _, m := range slices.Concat(b.plan.mounts(), b.plan.Masks) {
		paths = append(paths, m.Source, m.Target)
	}
	for _, c := range b.plan.Caches {
		paths = append(paths, c.Path)
	}
	for _, o := range b.plan.Overlays {
		paths = append(paths, o.Path, o.Target)
	}
	b.plan.Relocations = variables(seen, paths...)
	slices.Sort(b.plan.Relocations)
}
