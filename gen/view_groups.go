package gen

import (
	"slices"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
)

// group is mounts for one reason. Where each shows a path as it is, if it is
// there, the paths say all.
type group struct {
	About bash.Comment
	Paths []bash.Word
	Runs  []run
	Given []given
}

// run is some mounts of a group that follow each other and are made in one way:
// plain ones; those that stand where the host's root may have a link; read-only
// ones below what is writable; and what a writable one must not change.
type run struct {
	Lines      [][]bash.Word
	Onto       []onto
	Held, Lent []bash.Word
}

// onto is a mount whose place the launcher finds: it ends with $REPLY. One that has
// nothing of the host's to show may need the place to be there.
type onto struct {
	Target  bash.Word
	Line    []bash.Word
	IfThere bool
}

// given is a mount that is there if a variable is.
type given struct {
	Name bash.Name
	Line []bash.Word
}

// groups are the mounts that come before views, or those that come after.
func (w *viewer) groups(p plan.Plan, late bool) []group {
	var all []group
	for _, g := range p.Groups {
		one := group{About: bash.NewComment(g.About, 0)}
		if late {
			one.About = bash.NewComment("What the profile lists below a view.", 0)
		}
		mounts := slices.DeleteFunc(slices.Clone(g.Mounts), func(m plan.Mount) bool { return m.Late != late })
		if slices.ContainsFunc(mounts, func(m plan.Mount) bool { return !plain(m) }) {
			w.runs(&one, p, mounts)
		} else {
			for _, m := range mounts {
				one.Paths = append(one.Paths, w.path(m.Source))
			}
		}
		if len(mounts) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// runs adds mounts to a group, in order. What is read-only below a writable one,
// and nothing else lies below it, comes after all others.
func (w *viewer) runs(g *group, p plan.Plan, mounts []plan.Mount) {
	everything := outside(p)
	for i, m := range mounts {
		between := between(m, everything)
		switch {
		case m.Held && between:
			last := g.run(func(r run) bool { return len(r.Held) > 0 })
			last.Held = append(last.Held, w.path(m.Source))
		case m.Held:
		case stands(p, m):
			last := g.run(func(r run) bool { return len(r.Onto) > 0 })
			last.Onto = append(last.Onto, onto{w.path(m.Target), w.ends(m, w.keep(bash.Join(bash.Part{Var: "REPLY"}))), m.Op == plan.Tmpfs && m.Optional})
		case bare(m) != "":
			g.Given = append(g.Given, given{w.name(bare(m)), w.line(m)})
		default:
			last := g.run(func(r run) bool { return len(r.Lines) > 0 })
			last.Lines = append(last.Lines, w.line(m))
		}
		again := slices.ContainsFunc(mounts[i+1:], func(o plan.Mount) bool { return o.Target.Equal(m.Target) })
		if m.Op == plan.Bind && between && !again {
			last := g.run(func(r run) bool { return len(r.Lent) > 0 })
			last.Lent = append(last.Lent, w.shownPath(m.Source), w.path(m.Target))
		}
	}
}

// run is the last run of a group, or a new one if that is of another kind: what
// lies below a writable directory comes after it.
func (g *group) run(same func(run) bool) *run {
	last := len(g.Runs) - 1
	if last < 0 || !same(g.Runs[last]) {
		g.Runs = append(g.Runs, run{})
		last++
	}
	return &g.Runs[last]
}

// plain reports whether a mount shows what the host has at a path, if it is
// there, at the same path.
func plain(m plan.Mount) bool {
	return m.Op == plan.ROBind && m.Optional && !m.Held && m.Source.Equal(m.Target) && bare(m) == ""
}

// between reports whether other mounts come after one, since they lie below it;
// or it comes after a view.
func between(m plan.Mount, all []plan.Mount) bool {
	return bare(m) == "" && (m.Late || slices.ContainsFunc(all, func(o plan.Mount) bool {
		return o.Target.Below(m.Target) && !o.Late && (!o.Held || between(o, all)) && bare(o) == ""
	}))
}
