package gen

import (
	"maps"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// projectView is what the templates see of what is protected in the project.
type projectView struct {
	Git                 bool          // what lets git run something is, wherever the repository is
	Hooks               bool          // what to do about hooks that are not there
	Ghosts              bool          // of them or others it may be that none can be made
	Protected, Reserved [][]bash.Word // names, some to a line; of the second none can be made
	Above               []bash.Word   // directories that those lie in, the upper before the lower
	Below               bool          // some that are not built in lie in a directory of the project's
}

func (w *viewer) project(p plan.Plan) projectView {
	var v projectView
	var names, own []bash.Word
	above := map[string]bash.Word{}
	name := func(m plan.Mount) bash.Word {
		if m.Target.Base != expr.Project {
			return w.path(m.Target)
		}
		repository := strings.HasPrefix(m.Target.Rest, "/.git/") && m.Origin.Builtin()
		for at := path.Dir(m.Target.Rest); at != "/" && at != "/.git"; at = path.Dir(at) {
			above[at] = w.below("project", at)
			if repository {
				above[at] = w.below("repository", strings.TrimPrefix(at, "/.git"))
			}
		}
		if repository {
			return w.below("repository", strings.TrimPrefix(m.Target.Rest, "/.git"))
		}
		return w.quote(strings.TrimPrefix(m.Target.Rest, "/"))
	}
	writable := p.Project.Access == profile.AccessWrite
	for _, m := range p.Project.Protect {
		isOwn := func(o plan.Mount) bool { return o.Target.Equal(m.Target) }
		switch {
		case slices.Contains(ofRepository(), m.Target.Rest):
			v.Git = true
		case writable && slices.ContainsFunc(p.Project.Own, isOwn):
			own = append(own, name(m))
		default:
			names = append(names, name(m))
		}
	}
	for _, m := range p.Project.Pinned {
		names = append(names, name(m))
	}
	v.Below = slices.ContainsFunc(slices.Concat(p.Project.Protect, p.Project.Pinned), func(m plan.Mount) bool {
		return !m.Origin.Builtin() && deep(p, m)
	})
	for _, at := range slices.Sorted(maps.Keys(above)) {
		v.Above = append(v.Above, above[at])
	}
	v.Hooks = v.Git && writable
	v.Protected, v.Reserved = rows(names, columns), rows(own, columns)
	v.Ghosts = v.Hooks || len(v.Reserved) > 0
	return v
}

// below is what lies below the directory that a variable of the launcher's holds.
func (w *viewer) below(directory, rest string) bash.Word {
	return w.keep(bash.Join(bash.Part{Var: directory}, bash.Part{Text: rest}))
}

// deep reports whether a mount stands in a directory of the project, of which a
// command can make a repository: then that is the project of a launcher there.
func deep(p plan.Plan, m plan.Mount) bool {
	return p.Project.Root.Kind == profile.RootGit && m.Target.Base == expr.Project && strings.Count(m.Target.Rest, "/") > 1
}

// ofRepository are the protected names that the launcher finds wherever the
// repository is.
func ofRepository() []string {
	return []string{"/.git/hooks", "/.git/config", "/.git/config.worktree", "/.git/commondir"}
}

// maskView is what the templates see of what is hidden, and what is emptied, in
// what is shown.
type maskView struct {
	Masks      [][]bash.Word // some to a line
	Elsewhere  [][]bash.Word // variables, some to a line, that lead to what is hidden
	MasksGiven []masksGiven  // so it is with what lies below where others lead
	Stowed     []bash.Word   // hidden where the project holds it
	Emptied    []bash.Word
	Hides      bool        // there are some of the first two
	Covers     bool        // or of any
	Revealed   []bash.Word // shown below what is hidden

	HidesBelow              bool // some lie in a directory of the project's
	RevealsProject, Reveals bool // the project may be shown there, or any
	RevealsRepository       bool // and what it has elsewhere
}

// masksGiven are hidden where a variable leads to them.
type masksGiven struct {
	Name  bash.Name
	Paths []bash.Word
}

func (w *viewer) masks(p plan.Plan) maskView {
	v := maskView{Reveals: p.Revealed.Any(), RevealsProject: p.Revealed.Project}
	for _, at := range p.Revealed.Paths {
		v.Revealed = append(v.Revealed, w.shownPath(at))
	}
	v.HidesBelow = slices.ContainsFunc(p.Masks, func(m plan.Mount) bool { return deep(p, m) })
	var hidden []bash.Word
	var moved []string
	for _, m := range p.Masks {
		p := m.Target
		switch {
		case m.Stowed:
			v.Stowed = append(v.Stowed, w.path(p))
		case m.Op == plan.Tmpfs:
			v.Emptied = append(v.Emptied, w.mask(p, w.present))
		case needsVariable(p) && p.Rest == "":
			moved = append(moved, p.Name)
		case needsVariable(p):
			v.giveMask(w.name(p.Name), w.mask(p, set))
		case p.Base == expr.Home && p.Rest != "" && !strings.Contains(p.Rest, "*"):
			hidden = append(hidden, w.quote(p.Rest[1:]))
		default:
			hidden = append(hidden, w.mask(p, w.present))
		}
	}
	words, err := bash.Braces(moved)
	w.note(err)
	v.Masks, v.Elsewhere = rows(hidden, columns), rows(words, wide)
	v.Hides = len(p.Masks) > len(v.Emptied)
	v.Covers = len(p.Masks) > 0
	return v
}

// giveMask has something hidden where a variable is set.
func (v *maskView) giveMask(name bash.Name, path bash.Word) {
	for i := range v.MasksGiven {
		if given := &v.MasksGiven[i]; given.Name == name {
			given.Paths = append(given.Paths, path)
			return
		}
	}
	v.MasksGiven = append(v.MasksGiven, masksGiven{name, []bash.Word{path}})
}
