package plan

import (
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// environment is what the command finds in its environment, but for what belongs to
// sockets.
func (b *builder) environment(used []catalogue.Tool, all Mounts) Environ {
	asked := b.profile.Environment
	e := Environ{Require: asked.Require, Visible: b.visible(all)}
	set := map[string]bool{"HOME": true, "USER": true, "LOGNAME": true, "BWRAPGEN": true}
	for _, v := range asked.Set {
		set[v.Name] = true
	}
	e.Set = slices.Clone(asked.Set)
	add := func(v profile.Variable) bool {
		isNew := !set[v.Name]
		if isNew {
			set[v.Name] = true
			e.Set = append(e.Set, v)
		}
		return isNew
	}
	for _, v := range b.proxyVariables() {
		add(v)
	}
	if e.TakePath = !set["PATH"]; e.TakePath {
		e.Programs = b.programs(used, all)
	}
	e.Pass = profile.Texts(slices.Concat(asked.Pass, asked.Require))
	for _, m := range all.ofProfile().Where(Mount.InPlace) {
		e.Pass = append(e.Pass, m.Source.Variables()...)
	}
	for _, t := range used {
		for _, name := range t.Addresses {
			if !set[name] && !passes(e.Pass, name) {
				e.Addresses = append(e.Addresses, name)
			}
		}
	}
	e.Addresses = sorted(e.Addresses)
	e.Pass = append(e.Pass, e.Addresses...)
	for _, t := range used {
		e.Wanted = append(e.Wanted, t.Programs...)
		e.Pass = append(e.Pass, b.relocating(t)...)
		for _, s := range t.Set {
			if add(profile.Variable{Name: s.Name, Text: s.Value, Path: s.Path}) && s.Why != "" {
				e.Reasons = append(e.Reasons, Line{strings.TrimSuffix(s.Name+"="+s.Value, "="), s.Why})
			}
		}
	}
	set["PATH"] = true
	e.Pass = sorted(slices.DeleteFunc(e.Pass, func(name string) bool { return set[name] }))
	e.logins = b.logins(e.Pass)
	return e
}

// sorted are the texts of a list, each once.
func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// relocating are the variables of a tool that are worth passing: those of what
// the sandbox shows, and those that the tool needs as well.
func (b *builder) relocating(t catalogue.Tool) []string {
	names := slices.Clone(t.Pass)
	for _, e := range slices.Concat(t.Toolchain, t.Path, t.Read, t.Settings()) {
		_, here := b.facts.Has(e.Path)
		switch {
		case here, e.IfNoLogin, e.Active:
			names = append(names, e.Path.Variables()...)
		}
	}
	for _, e := range t.Caches {
		names = append(names, e.Path.Variables()...)
	}
	return names
}

// programs are the directories of the tools' programs, as far as the sandbox shows them.
func (b *builder) programs(used []catalogue.Tool, all Mounts) []expr.Path {
	var found []expr.Path
	shown := slices.Concat(all.entries(), all.views())
	for _, t := range used {
		for _, e := range t.Path {
			_, here := b.facts.Has(e.Path)
			maybe := here || e.Glob()
			within := func(m Mount) bool { return e.Path.Within(m.Target) }
			if maybe && shown.Any(within) {
				found = append(found, e.Path)
			}
		}
	}
	return found
}

// visible are the directories below which programs can be found.
func (b *builder) visible(all Mounts) []expr.Path {
	if b.onHost() {
		return []expr.Path{expr.MustParse("/")}
	}
	ofPrograms := func(m Mount) bool { return !below(m.Target, "/etc", "/var") }
	directory := func(m Mount) bool { return b.isDirectory(m.Source) }
	free := func(m Mount) bool { return !m.Held }
	pinned := func(m Mount) bool { return pinned(all, m) }
	outside := all.In(ScopeOutside)
	shown := slices.Concat(
		all.In(ScopeRoots, ScopeSystem).Where(ofPrograms),
		outside.Where(Mount.binds, free, directory), outside.Where(Mount.View, pinned),
		all.In(ScopeToolchain).Where(Mount.View),
	)
	var found []expr.Path
	for _, m := range shown {
		found = append(found, m.Target)
	}
	return found
}

// pinned reports whether a view has to stand at its own name, also where that is
// a link: it is moved, or something is mounted below it, which follows no link.
// Another one stands where the link leads, and the link beside it; only the launch
// can tell.
func pinned(all Mounts, view Mount) bool {
	below := func(m Mount) bool { return m.Target.Below(view.Target) }
	if !view.InPlace() {
		return true
	}
	return slices.Concat(all.entries(), all.views(), all.In(ScopeCredential)).Any(below)
}

// relocations lists the variables whose empty or relative value is ignored.
func relocations(all Mounts) []string {
	var names []string
	for _, m := range all {
		for _, name := range slices.Concat(m.Source.Variables(), m.Target.Variables()) {
			if name != "HOME" {
				names = append(names, name)
			}
		}
	}
	return sorted(names)
}
