package gen

import (
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// placeView is what the templates see of project and home that stand elsewhere.
type placeView struct {
	Places *places // nil: both are at their own paths
}

// places is where project and home stand inside.
type places struct {
	Project, Home *bash.Word
	Room          *bash.Word // hidden for home's sake, in the host base
}

func (w *viewer) places(p plan.Plan) placeView {
	if !p.Places.Moved() {
		return placeView{}
	}
	var all places
	if at := p.Places.Project; !at.IsZero() {
		word := w.quote(at.Rest)
		all.Project = &word
	}
	if at := p.Places.Home; !at.IsZero() {
		word, room := w.quote(at.Rest), w.quote(path.Dir(at.Rest))
		all.Home = &word
		if p.Base == profile.BaseHost {
			all.Room = &room
		}
	}
	return placeView{&all}
}

// placed writes a path as the command will see it.
func placed(all []bash.Part, p plan.Places) []bash.Part {
	moved := make([]bash.Part, len(all))
	for i, part := range all {
		switch {
		case part.Var == "home" && !p.Home.IsZero(), part.Var == "HOME" && !p.Home.IsZero():
			part = bash.Part{Text: p.Home.Rest}
		case part.Var == "project" && !p.Project.IsZero():
			part = bash.Part{Text: p.Project.Rest}
		case part.Default != nil:
			part.Default = placed(part.Default, p)
		}
		moved[i] = part
	}
	return moved
}

// credential is one file, and where it stands.
type credential struct {
	Source, Target bash.Word
	Optional       bool
}

func (w *viewer) credentials(p plan.Plan) []credential {
	var all []credential
	for _, m := range p.Credentials {
		all = append(all, credential{w.path(m.Source), w.path(m.Target), m.Optional})
	}
	return all
}

// covered requires what a mount at another place covers, or an empty directory, in
// the project and in the host's root: bwrap would make it there, on the host, or
// could not.
func (w *viewer) covered(p plan.Plan) []required {
	var all []required
	for _, m := range displaced(p.Inside) {
		all = append(all, w.covers(m))
	}
	for _, m := range displaced(p.Groups) {
		if stands(p, m) && !m.Optional {
			all = append(all, w.covers(m))
		}
	}
	for _, m := range flat(p.Groups) {
		inEmpty := func(o plan.Mount) bool { return o.Op == plan.Tmpfs && m.Target.Below(o.Target) }
		if m.Op == plan.Tmpfs && stands(p, m) && !m.Optional && !slices.ContainsFunc(flat(p.Groups), inEmpty) {
			all = append(all, w.covers(m))
		}
	}
	return all
}

func (w *viewer) covers(m plan.Mount) required {
	return required{
		Path:    w.path(m.Target),
		Missing: w.sentence("there is no ", m.Target, " that something could stand at"),
		Hint:    w.quote("make an empty one; the profile names it in " + m.Origin.Key),
	}
}

// stands reports whether a mount stands on what the host's root has: there, it may
// be a link.
func stands(p plan.Plan, m plan.Mount) bool {
	return m.Op != plan.Symlink && p.Base == profile.BaseHost && bare(m) == "" && !aside(p, m.Target)
}

// aside reports whether a place in the host's root is the sandbox's own, where
// bwrap makes what it needs.
func aside(p plan.Plan, at expr.Path) bool {
	if at.Base != expr.Root {
		return p.Home != profile.HomeHost
	}
	own := append([]string{"/tmp", "/var/tmp", "/run", "/dev"}, plan.OtherHomes()...)
	if home := p.Places.Home; !home.IsZero() {
		own = append(own, path.Dir(home.Rest))
	}
	return slices.ContainsFunc(own, func(dir string) bool { return strings.HasPrefix(at.Rest, dir+"/") })
}

// displaced are the mounts that show something at another place.
func displaced(groups []plan.Group) []plan.Mount {
	return slices.DeleteFunc(flat(groups), func(m plan.Mount) bool {
		shows := m.Op == plan.ROBind || m.Op == plan.Bind
		return !shows || m.Source.IsZero() || m.Source.Equal(m.Target)
	})
}
