package plan

import (
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Inputs are files that launchers are made from, and other launchers: who could change them could
// change the next launcher.
type Inputs struct {
	Paths  []expr.Path // below the project, the home directory or the root
	Beside []string    // relative to the directory of the launcher
}

// inProject are the names in the project.
func (in Inputs) inProject() []expr.Path { return in.where(true) }

// elsewhere leaves out the names in the project.
func (in Inputs) elsewhere() Inputs { return Inputs{Paths: in.where(false), Beside: in.Beside} }

func (in Inputs) where(inProject bool) []expr.Path {
	other := func(p expr.Path) bool { return (p.Base == expr.Project) != inProject }
	return slices.DeleteFunc(slices.Clone(in.Paths), other)
}

// protected is what stays read-only in a writable project.
func (b *builder) protected() Mounts {
	var all Mounts
	for _, e := range b.profile.Rules.Of(profile.KindProtect) {
		m := mount(e)
		m.Reserved, m.Folder = own(e), e.Folder
		all = append(all, m)
	}
	all = nested(all)
	isReserved := func(m Mount) bool { return m.Reserved }
	for _, place := range b.inputs.inProject() {
		all = append(all, Mount{
			Op: ROBind, Scope: ScopeProtect, Source: place, Target: place, Optional: true,
			Reserved: all.Any(isReserved, at(place)),
			Why:      "a launcher, or what one is made from", Origin: profile.Origin{File: strings.TrimPrefix(place.String(), "./")},
		})
	}
	return all
}

// refuseCovered refuses what the profile lists by a path of the host in a project that
// always covers it.
func (b *builder) refuseCovered(all Mounts) {
	root, ok := b.plan.Project.Root.Path.Eval(b.env)
	if b.plan.Project.Root.Kind != profile.RootPath || !ok {
		return
	}
	covered := []Op{Tmpfs}
	if b.plan.Project.Access != profile.AccessWrite {
		covered = append(covered, Bind)
	}
	for _, m := range all.ofProfile().Where(does(covered...)) {
		at, _ := m.Target.Eval(b.env)
		if rest, below := strings.CutPrefix(at, root+"/"); below {
			b.refuse(m.Origin, fmt.Sprintf("write it as a path of the project: %q", "./"+rest),
				"%q lies in the project, which covers it", m.Target)
		}
	}
}

// refuseOpened refuses what is writable in a project that is not, and holds what is
// protected: only in a writable one the launcher keeps that.
func (b *builder) refuseOpened(all Mounts) {
	if b.plan.Project.Access == profile.AccessWrite {
		return
	}
	protected := all.In(ScopeProtect)
	for _, m := range all.In(ScopeProject).Where(Mount.InPlace, does(Bind)) {
		holds := func(p Mount) bool { return p.within(m.Target) }
		if i := slices.IndexFunc(protected, holds); i >= 0 {
			b.refuse(m.Origin, `write project.access = "write", with which that stays protected`,
				"%q would make %q writable, which is protected", m.Target, protected[i].Target)
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
func own(e profile.Rule) bool {
	switch {
	case misleads(e.Path), slices.Contains(OfRepository(), e.Path.Rest), e.Pattern:
		return false
	}
	return !e.Origin.Builtin()
}

// OfRepository are the protected names that the launcher finds wherever the
// repository is.
func OfRepository() []string {
	return []string{"/.git/hooks", "/.git/config", "/.git/config.worktree", "/.git/commondir"}
}
