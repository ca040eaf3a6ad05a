package gen

import (
	"strings"

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
	Kept                      []bash.Word // what no project may hold
	Constant                  []bash.Word // what no project may be: it is read-only
	Entries                   bool        // something of this is so where the project holds it:
	Again                     bool        // what is read-only stays read-only
	Anew                      bool        // what is writable stays writable
	Plain                     []bash.Word // and so does this, which is shown anyway
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
	last := map[string]int{} // of a place: what comes before may only pin it
	for i, m := range outside(p) {
		last[m.Target.String()] = i
	}
	for i, m := range outside(p) {
		switch {
		case m.Target.Base == expr.Root && profile.SystemDirectory(m.Target.Rest):
		case m.Op == plan.Bind && m.Source.Equal(m.Target):
			v.Anew = !v.ProjectWrite
		case m.Op == plan.ROBind && m.Source.Equal(m.Target):
			v.Again = !v.ProjectRead
			if v.Again && eligible(m.Target) && last[m.Target.String()] == i {
				v.Constant = append(v.Constant, w.path(m.Target))
			}
		default:
			v.Kept = append(v.Kept, w.path(m.Target))
		}
	}
	v.Entries = v.Again || v.Anew
	for _, m := range p.Plain {
		v.Plain = append(v.Plain, w.shownPath(m.Source))
	}
	for _, o := range p.Overlays {
		if !o.Cache && o.Tool == "" {
			v.Kept = append(v.Kept, w.path(o.Target))
		}
	}
	return v
}

// eligible reports whether a launcher would take a directory for its project: none
// in home whose name begins with a dot, nor where a variable may lead.
func eligible(at expr.Path) bool {
	return at.Base == expr.Root || at.Base == expr.Home && !strings.HasPrefix(at.Rest, "/.")
}

// outside are the mounts that do not follow the project.
func outside(p plan.Plan) []plan.Mount { return flat(p.Groups) }
