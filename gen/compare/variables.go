package compare

import (
	"slices"
	"strconv"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

const runtime = "XDG_RUNTIME_DIR"

// variables compares the environment, name by name.
func (d *differences) variables() {
	names := []string{"PATH", runtime}
	for _, s := range []look{d.was, d.is} {
		e := s.Plan.Environ
		names = append(names, e.Pass...)
		for _, v := range e.Set {
			names = append(names, v.Name)
		}
		for _, r := range e.Require {
			names = append(names, r.Text)
		}
	}
	tools := toolsOfVariables(d.catalogue)
	d.join(d.was.variables(names, tools), d.is.variables(names, tools))
	d.programs()
}

func (l look) variables(names []string, tools variableTools) []fact {
	var all []fact
	for _, name := range names {
		f := l.variable(name, tools)
		f.kind, f.subject = Variable, "$"+name
		all = append(all, f)
	}
	return all
}

// variable says what becomes of a variable, or of all that begin alike: whether the
// caller's value gets in, and what sets or passes it.
func (l look) variable(name string, tools variableTools) fact {
	e := l.Plan.Environ
	passed := func(what, from string) fact { return fact{State: State{What: what, From: from}, much: 1} }
	if i := slices.IndexFunc(e.Set, func(v profile.Variable) bool { return v.Name == name }); i >= 0 {
		v := e.Set[i]
		set := State{What: "set to " + strconv.Quote(v.Text), From: oneTool(tools.set[name])}
		if !v.Path.IsZero() {
			set.What = "set to " + v.Path.String()
		}
		if v.Origin.File != "" {
			set.From = access.Asker("", v.Origin)
		}
		return fact{State: set}
	}
	if required := from(e.Require, name); required.From != "" {
		return passed("passed, and required", required.From)
	}
	if i := slices.IndexFunc(e.Pass, func(pattern string) bool { return plan.Matches(pattern, name) }); i >= 0 {
		what := "passed, where it is set"
		if slices.Contains(e.Addresses, name) {
			what = "passed, where it is set and holds no login"
		}
		return passed(what, l.passer(e.Pass[i], tools))
	}
	switch {
	case name == "PATH":
		return passed("passed, but for directories that are not visible", "")
	case name == runtime && l.Plan.Sockets.Runtime:
		return fact{State: State{What: "the sandbox's own directory"}}
	case slices.Contains([]string{"HOME", "USER", "LOGNAME", "SHELL"}, name):
		return passed("passed", "")
	}
	return fact{State: State{What: "dropped"}}
}

// passer is what passes a variable: a profile, or else what has a place in the
// sandbox that depends on it, or else a tool that needs it.
func (l look) passer(name string, tools variableTools) string {
	if listed := from(l.Profile.Environment.Pass, name); listed.From != "" {
		return listed.From
	}
	for _, one := range l.entries {
		if slices.Contains(one.At.Variables(), name) && one.From != "" {
			return one.From
		}
	}
	return oneTool(tools.passed[name])
}

// variableTools are the names of the tools that set or pass a variable, by its name.
type variableTools struct{ set, passed map[string][]string }

func toolsOfVariables(c catalogue.Catalogue) variableTools {
	tools := variableTools{map[string][]string{}, map[string][]string{}}
	for _, t := range c.Tools {
		for _, one := range t.Set {
			tools.set[one.Name] = append(tools.set[one.Name], t.Name)
		}
		for _, name := range t.Variables() {
			tools.passed[name] = append(tools.passed[name], t.Name)
		}
	}
	return tools
}

// oneTool tells of the one tool, or that there are several.
func oneTool(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return access.Asker(names[0], profile.Origin{})
	}
	return "one of several tools"
}

// programs compares which directories PATH may name, where the same is visible
// there: the command finds programs in them.
func (d *differences) programs() {
	switch {
	case d.was.Plan.Base != d.is.Plan.Base, !d.was.Plan.Environ.TakePath, !d.is.Plan.Environ.TakePath:
		return
	}
	was, is := d.was.Plan.Environ.Visible, d.is.Plan.Environ.Visible
	told := slices.Concat(d.report.Exposes, d.report.TakesAway, d.report.Differs)
	for _, p := range slices.Concat(was, is) {
		isTold := slices.ContainsFunc(told, func(c Change) bool { return c.Subject == p.String() })
		kept := fact{Variable, "$PATH", State{What: "directories in " + p.String() + " are kept"}, 1, false}
		leftOut := fact{Variable, "$PATH", State{What: "directories in " + p.String() + " are left out"}, 0, false}
		before, after := slices.ContainsFunc(was, p.Within), slices.ContainsFunc(is, p.Within)
		switch {
		case isTold, before == after:
		case after:
			d.join([]fact{leftOut}, []fact{kept})
		default:
			d.join([]fact{kept}, []fact{leftOut})
		}
	}
}
