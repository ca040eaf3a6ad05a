package gen

import (
	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// directoryView is what the templates see of home, the project and what a
// variable may move.
type directoryView struct {
	Relocations               []bash.Word
	ProjectGit                bool
	ProjectRead, ProjectWrite bool
	ProjectPath               *required
	Kept                      []required // what no project may hold
}

func (w *viewer) directories(p plan.Plan) directoryView {
	v := directoryView{
		ProjectGit:   p.Project.Root.Kind == profile.RootGit,
		ProjectRead:  p.Project.Access == profile.AccessRead,
		ProjectWrite: p.Project.Access == profile.AccessWrite,
	}
	for _, name := range p.Relocations {
		v.Relocations = append(v.Relocations, w.quote(w.name(name).String()))
	}
	if root := p.Project.Root; root.Kind == profile.RootPath {
		v.ProjectPath = &required{Path: w.path(root.Path), Missing: w.sentence("there is no directory ", root.Path, "")}
	}
	for _, m := range outside(p) {
		if m.Target.Base == expr.Home && m.Op != plan.Bind && !m.Optional {
			v.Kept = append(v.Kept, required{Path: w.path(m.Target), Missing: w.sentence("refusing to share the project: it holds ", m.Target, "")})
		}
	}
	return v
}

// outside are the mounts that do not follow the project.
func outside(p plan.Plan) []plan.Mount { return flat(p.Groups) }
