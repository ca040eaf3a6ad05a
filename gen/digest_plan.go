package gen

import (
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// digested is a plan in the form that its digest is made of. Launchers hold digests, so
// this form stays as it is, whatever becomes of the plan's. What a scope of mounts is
// called in it, the first launchers have decided; one that came later is among the others.
type digested struct {
	plan.Plan
	Mounts plan.Mounts `json:",omitzero"` // of scopes that have no list below

	Project struct {
		plan.Project
		Protect, Own, Pinned plan.Mounts
	}
	System struct {
		plan.System
		Roots, Mounts, Etc plan.Mounts
	}
	Toolchains, Groups, Inside []group
	Caches                     []cache
	Overlays                   []view
	Masks, Credentials         plan.Mounts
}

type group struct{ Mounts plan.Mounts }

type cache struct {
	Path expr.Path
	Mode profile.CacheMode
}

type view struct {
	Path, Target            expr.Path
	Layer                   int
	Cache, Optional, Create bool
}

func newDigested(p plan.Plan) digested {
	d := digested{Plan: p, Groups: make([]group, 1), Inside: make([]group, 1)}
	d.Project.Project, d.System.System = p.Project, p.System
	for _, m := range p.Mounts {
		d.add(m)
	}
	return d
}

// add puts a mount into its list. A cache that is a view is in two.
func (d *digested) add(m plan.Mount) {
	if m.Scope == plan.ScopeCache {
		d.Caches = append(d.Caches, cache{m.Source, m.CacheMode()})
	}
	if m.View() {
		layer := slices.Index([]plan.Layer{plan.Memory, plan.Session, plan.Keep}, m.Layer)
		d.Overlays = append(d.Overlays, view{m.Source, m.Target, layer, m.Scope != plan.ScopeOutside, m.Optional, m.Create})
		return
	}
	inProject := m.Target.Base == expr.Project
	switch m.Scope {
	case plan.ScopeRoots:
		put(&d.System.Roots, m)
	case plan.ScopeSystem:
		put(&d.System.Mounts, m)
	case plan.ScopeEtc:
		put(&d.System.Etc, m)
	case plan.ScopeBase, plan.ScopeCache: // the host base shows the first anyway
	case plan.ScopeToolchain:
		d.addTool(m)
	case plan.ScopeOutside:
		put(&d.Groups[0].Mounts, m)
	case plan.ScopeProtect:
		d.protect(m)
	case plan.ScopeProject:
		put(&d.Inside[0].Mounts, m)
		put(&d.Project.Pinned, m)
	case plan.ScopeMask:
		put(&d.Masks, m)
		if inProject && m.Tool == "" {
			put(&d.Project.Pinned, m)
		}
	case plan.ScopeCredential:
		put(&d.Credentials, m)
	default:
		put(&d.Mounts, m)
	}
}

// addTool puts a mount beside those of the same tool.
func (d *digested) addTool(m plan.Mount) {
	last := len(d.Toolchains) - 1
	if last < 0 || d.Toolchains[last].Mounts[0].Tool != m.Tool {
		d.Toolchains = append(d.Toolchains, group{plan.Mounts{m}})
		return
	}
	put(&d.Toolchains[last].Mounts, m)
}

// protect puts a protected name. Of files that a launcher is made of, none is reserved by
// itself.
func (d *digested) protect(m plan.Mount) {
	reserved := m.Reserved && m.Origin.Key != ""
	m.Reserved = false
	put(&d.Project.Protect, m)
	if reserved {
		put(&d.Project.Own, m)
	}
}

func put(list *plan.Mounts, m plan.Mount) { *list = append(*list, m) }
