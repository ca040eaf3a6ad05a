package gen

import (
	"path"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// places is where project and home stand inside; nil: at their own paths.
type places struct {
	Project, Home *bash.Word
	Room          *bash.Word // hidden for home's sake, in the host base
}

func (w *viewer) places(v *view, p plan.Plan) {
	if !p.Places.Moved() {
		return
	}
	v.Places = &places{}
	if at := p.Places.Project; !at.IsZero() {
		word := w.quote(at.Rest)
		v.Places.Project = &word
	}
	if at := p.Places.Home; !at.IsZero() {
		word, room := w.quote(at.Rest), w.quote(path.Dir(at.Rest))
		v.Places.Home = &word
		if p.Base == profile.BaseHost {
			v.Places.Room = &room
		}
	}
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

func (w *viewer) credentials(v *view, p plan.Plan) {
	for _, m := range p.Credentials {
		v.Credentials = append(v.Credentials, credential{w.path(m.Source), w.path(m.Target), m.Optional})
	}
}

// covered requires what a mount at another place covers in the project: bwrap
// would make it there, on the host, for good.
func (w *viewer) covered(v *view, p plan.Plan) {
	for _, g := range p.Inside {
		for _, m := range g.Mounts {
			if m.Source.IsZero() || m.Source.Equal(m.Target) || m.Op != plan.ROBind && m.Op != plan.Bind {
				continue
			}
			v.Required = append(v.Required, required{
				Path:    w.path(m.Target),
				Missing: w.sentence("there is no ", m.Target, " that something could stand at"),
				Hint:    w.quote("make an empty one; the profile names it in " + m.Origin.Key),
			})
		}
	}
}
