package gen

import (
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
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

// required lists it. What is empty needs a place in the project to stand on: without
// one the command would write to the host.
func (w *viewer) required(p plan.Plan) requiredView {
	var v requiredView
	for _, m := range slices.Concat(p.System.Mounts, outside(p), flat(p.Inside)) {
		shows := m.Op == plan.ROBind || m.Op == plan.Bind || m.Op == plan.Tmpfs && m.Target.Base == expr.Project
		if shows && !m.Optional && !m.Create && m.Tool == "" && m.Source.Rest != "/usr" {
			v.Required = append(v.Required, w.named(m))
		}
	}
	v.Required = append(v.Required, w.covered(p)...)
	for _, o := range p.Overlays {
		if !o.Cache && !o.Optional && !o.Create {
			v.Required = append(v.Required, w.named(plan.Mount{Source: o.Path, Target: o.Target, Why: o.Why, Origin: o.Origin}))
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

// named requires a path that the profile names as what has to be there: with a
// suffix it need not be, or, in a table, by a key of its own.
func (w *viewer) named(m plan.Mount) required {
	optional := m.Source.String() + "?"
	if m.Why != "" || !m.Source.Equal(m.Target) || strings.HasSuffix(m.Source.Rest, "?") || strings.HasSuffix(m.Source.Rest, "!") {
		optional = "optional = true"
	}
	return required{
		Path:    w.path(m.Source),
		Missing: w.sentence("there is no ", m.Source, ""),
		Hint:    w.quote(fmt.Sprintf("the profile names it in %s; write %s there if it is optional", m.Origin.Key, optional)),
	}
}
