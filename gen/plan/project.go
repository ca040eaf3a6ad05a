package plan

import (
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

func (b *builder) project() {
	for _, e := range b.profile.Project.Protect {
		b.plan.Project.Protect = append(b.plan.Project.Protect, mount(e))
		if own(e) {
			b.plan.Project.Own = append(b.plan.Project.Own, mount(e))
		}
	}
	b.nested()
	for _, at := range b.inputs {
		b.plan.Project.Protect = append(b.plan.Project.Protect, Mount{
			Op: ROBind, Source: at, Target: at, Optional: true, Why: "a launcher, or what one is made of",
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
		if !ok || !covered || m.Tool != "" {
			continue
		}
		if rest, below := strings.CutPrefix(at, root+"/"); below {
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

// own reports whether a protected name is the user's own, and so cannot be made where
// it is absent. Those of git itself are what they are in any profile. Of a pattern
// nobody knows the names that are absent.
func own(e profile.Entry) bool {
	ofGit := misleads(e.Path) || slices.Contains(OfRepository(), e.Path.Rest)
	return !ofGit && !e.Pattern && !e.Origin.Builtin()
}

// OfRepository are the protected names that the launcher finds wherever the
// repository is.
func OfRepository() []string {
	return []string{"/.git/hooks", "/.git/config", "/.git/config.worktree", "/.git/commondir"}
}
