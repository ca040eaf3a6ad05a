package plan

import (
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

func (b *builder) project() {
	for _, e := range b.profile.Project.Protect {
		b.plan.Project.Protect = append(b.plan.Project.Protect, mount(e))
		if b.own(e) {
			b.plan.Project.Own = append(b.plan.Project.Own, mount(e))
		}
	}
	b.nested()
	for _, at := range b.inputs {
		b.plan.Project.Protect = append(b.plan.Project.Protect, Mount{
			Op: ROBind, Source: at, Target: at, Optional: true, Why: "the launcher is made of it",
			Origin: profile.Origin{File: strings.TrimPrefix(at.String(), "./")},
		})
	}
	for _, e := range b.profile.Project.Hide {
		b.plan.Masks = append(b.plan.Masks, mount(e))
	}
	for _, m := range slices.Concat(b.plan.mounts(), b.plan.Masks) {
		if m.Target.Base == expr.Project {
			b.plan.Project.Pinned = append(b.plan.Project.Pinned, m)
		}
	}
}

// refuseCovered refuses what the profile lists by a path of the host in a project that
// always covers it.
func (b *builder) refuseCovered(env expr.Env) {
	root, ok := b.plan.Project.Root.Path.Eval(env)
	if b.plan.Project.Root.Kind != profile.RootPath || !ok {
		return
	}
	for _, m := range b.plan.mounts() {
		at, ok := m.Target.Eval(env)
		covered := m.Op == Tmpfs || m.Op == Bind && b.plan.Project.Access != profile.AccessWrite
		if rest, below := strings.CutPrefix(at, root+"/"); ok && below && covered && m.Tool == "" {
			b.refuse(m.Origin, fmt.Sprintf("write it as a path of the project: %q", "./"+rest), "%q lies in the project, which covers it", m.Target)
		}
	}
}

// refuseOpened refuses what is writable in a project that is not, and holds what is
// protected: only in a writable one the launcher keeps that.
func (b *builder) refuseOpened() {
	if b.plan.Project.Access == profile.AccessWrite {
		return
	}
	for _, g := range b.plan.Inside {
		for _, m := range g.Mounts {
			holds := func(p Mount) bool { return p.within(m.Target) }
			if i := slices.IndexFunc(b.plan.Project.Protect, holds); i >= 0 && m.Op == Bind && m.Source.Equal(m.Target) {
				b.refuse(m.Origin, `write project.access = "write", with which that stays protected`, "%q would make %q writable, which is protected", m.Target, b.plan.Project.Protect[i].Target)
			}
		}
	}
}

// within reports whether a mount may stand below a path: a pattern, if some of what it
// stands for may.
func (m Mount) within(top expr.Path) bool {
	if !m.Pattern || top.Base != expr.Project {
		return m.Target.Below(top)
	}
	names, depth := strings.Split(m.Target.Rest, "/"), strings.Count(top.Rest, "/")+1
	return len(names) > depth && expr.Matches(strings.Join(names[:depth], "/"), top.Rest)
}

// own reports whether a protected name is the user's own: neither a built-in
// profile nor the catalogue has it, or something above it. A directory in the
// place of such a name would be in the way of the program that looks for it. Of a
// pattern nobody knows the names that are absent.
func (b *builder) own(e profile.Entry) bool {
	if e.Pattern {
		return false
	}
	return !e.Origin.Builtin() && !misleads(e.Path) && !slices.ContainsFunc(b.catalogue.Project(), func(k catalogue.Entry) bool {
		return e.Path.Equal(k.Path) || e.Path.Below(k.Path)
	})
}
