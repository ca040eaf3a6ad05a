package gen

import (
	"fmt"
	"slices"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// requiredView is what has to be there, or nothing runs.
type requiredView struct {
	Required          []required
	RequiredVariables []variable
}

// required is a path, the sentence if it is missing, and what to do about it.
type required struct{ Path, Missing, Hint bash.Word }

// variable is one of the environment, and where the launcher has it.
type variable struct{ Name, At bash.Name }

func (w *viewer) required(p plan.Plan) requiredView {
	var v requiredView
	for _, m := range slices.Concat(p.System.Mounts, outside(p), flat(p.Inside)) {
		shows := m.Op == plan.ROBind || m.Op == plan.Bind
		if shows && !m.Optional && !m.Create && m.Tool == "" && m.Source.Rest != "/usr" {
			v.Required = append(v.Required, w.named(m.Source, m.Origin))
		}
	}
	v.Required = append(v.Required, w.covered(p)...)
	for _, o := range p.Overlays {
		if !o.Cache && !o.Optional && !o.Create {
			v.Required = append(v.Required, w.named(o.Path, o.Origin))
		}
	}
	for _, r := range p.Environ.Require {
		one := variable{w.name(r.Text), w.name(r.Text)}
		if r.Text == "TMPDIR" {
			one.At = w.name("temporary")
		}
		v.RequiredVariables = append(v.RequiredVariables, one)
	}
	return v
}

// named requires a path that the profile names without a question mark.
func (w *viewer) named(path expr.Path, o profile.Origin) required {
	return required{
		Path:    w.path(path),
		Missing: w.sentence("there is no ", path, ""),
		Hint:    w.quote(fmt.Sprintf("the profile names it in %s; write %s? there if it is optional", o.Key, path)),
	}
}
