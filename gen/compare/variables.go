package compare

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// variables compares the environment, name by name.
func (d *differences) variables() {
	var names []string
	for _, s := range []look{d.was, d.is} {
		names = append(names, s.Plan.Environ.Pass...)
		for _, v := range s.Plan.Environ.Set {
			names = append(names, v.Name)
		}
		for _, r := range s.Plan.Environ.Require {
			names = append(names, r.Text)
		}
	}
	for _, name := range union(names, []string{"PATH", runtime}) {
		was, wasMuch := d.was.variable(name)
		is, isMuch := d.is.variable(name)
		if was == is {
			continue
		}
		c := Change{
			Kind: Variable, Subject: "$" + name,
			Was: State{What: was, From: d.was.variableFrom(name, d.catalogue)}, Is: State{What: is, From: d.is.variableFrom(name, d.catalogue)},
		}
		if wasMuch != isMuch {
			c.Secret = sensitive(d.catalogue, name)
		}
		if c.Secret != "" {
			c.Kind = Secret
		}
		d.note(direction(cmp.Compare(isMuch, wasMuch)), c)
	}
	d.programs()
}

const runtime = "XDG_RUNTIME_DIR"

// variable says what becomes of a variable, or of all that begin alike, and
// whether the caller's value gets in.
func (l look) variable(name string) (what string, much int) {
	e := l.Plan.Environ
	if i := slices.IndexFunc(e.Set, func(v profile.Variable) bool { return v.Name == name }); i >= 0 {
		return "set to " + assigned(e.Set[i]), 0
	}
	if slices.ContainsFunc(e.Require, func(r profile.Item) bool { return r.Text == name }) {
		return "passed, and required", 1
	}
	if slices.Contains(e.Addresses, name) {
		return "passed, where it is set and holds no login", 1
	}
	if l.pattern(name) != "" {
		return "passed, where it is set", 1
	}
	switch {
	case name == "PATH":
		return "passed, but for directories that are not visible", 1
	case name == runtime && l.Plan.Sockets.Runtime:
		return "a directory of the sandbox's own", 0
	case slices.Contains([]string{"HOME", "USER", "LOGNAME", "SHELL"}, name):
		return "passed", 1
	}
	return "dropped", 0
}

// pattern is what passes a variable; empty: nothing does.
func (l look) pattern(name string) string {
	for _, pattern := range l.Plan.Environ.Pass {
		if covers(pattern, name) {
			return pattern
		}
	}
	return ""
}

// variableFrom says what sets or passes a variable.
func (l look) variableFrom(name string, c catalogue.Catalogue) string {
	e := l.Plan.Environ
	if i := slices.IndexFunc(e.Set, func(v profile.Variable) bool { return v.Name == name }); i >= 0 {
		return setter(e.Set[i], c)
	}
	if from := origin(e.Require, name); from != "" {
		return from
	}
	if pattern := l.pattern(name); pattern != "" {
		return l.passer(pattern, c)
	}
	return ""
}

func assigned(v profile.Variable) string {
	if !v.Path.IsZero() {
		return v.Path.String()
	}
	return strconv.Quote(v.Text)
}

// covers reports whether a name, or a pattern of names, fits a pattern.
func covers(pattern, name string) bool {
	head, open := strings.CutSuffix(pattern, "*")
	return pattern == name || open && strings.HasPrefix(name, head)
}

// setter is what sets a variable: a profile, or else a tool.
func setter(v profile.Variable, c catalogue.Catalogue) string {
	if v.Origin.File != "" {
		return access.Asker("", v.Origin)
	}
	return toolThat(c, func(t catalogue.Tool) bool {
		return slices.ContainsFunc(t.Set, func(one catalogue.Setting) bool { return one.Name == v.Name })
	})
}

// passer is what passes a variable: a profile, or else what has a place in the
// sandbox that depends on it, or else a tool that needs it.
func (l look) passer(name string, c catalogue.Catalogue) string {
	if from := origin(l.Profile.Environment.Pass, name); from != "" {
		return from
	}
	for _, one := range l.entries {
		if slices.Contains(one.At.Variables(), name) && one.From != "" {
			return one.From
		}
	}
	return toolThat(c, func(t catalogue.Tool) bool { return slices.Contains(t.Variables(), name) })
}

// toolThat is the one tool that fits, or several.
func toolThat(c catalogue.Catalogue, fits func(catalogue.Tool) bool) string {
	var found []string
	for _, t := range c.Tools {
		if fits(t) {
			found = append(found, access.Asker(t.Name, profile.Origin{}))
		}
	}
	if len(found) > 1 {
		return "one of several tools"
	}
	return strings.Join(found, "")
}

// sensitive says what a variable is known to hold that no tool gets unasked.
func sensitive(c catalogue.Catalogue, name string) string {
	fits := func(other string) bool { return covers(name, other) || covers(other, name) }
	switch {
	case slices.ContainsFunc(c.Tools, func(t catalogue.Tool) bool { return slices.ContainsFunc(t.Keys, fits) }):
		return "a login"
	case slices.ContainsFunc(c.Tools, func(t catalogue.Tool) bool { return slices.ContainsFunc(t.Clear, fits) }):
		return "a secret, or the way to a daemon"
	case plan.LooksLikeLogin(name):
		return "a login, by its name"
	}
	return ""
}

// programs compares which directories PATH may name, where the same is visible
// there: the command finds programs in them.
func (d *differences) programs() {
	switch {
	case d.was.Plan.Base != d.is.Plan.Base, !d.was.Plan.Environ.TakePath, !d.is.Plan.Environ.TakePath:
		return
	}
	was, is := d.was.Plan.Environ.Visible, d.is.Plan.Environ.Visible
	for _, p := range slices.Concat(was, is) {
		before, after := at(was, p), at(is, p)
		if !d.told(p) {
			d.noteIf(growth(before, after), Change{
				Subject: "$PATH", Was: programState(p, before), Is: programState(p, after), Kind: Variable,
			})
		}
	}
}

func programState(p expr.Path, kept bool) State {
	if kept {
		return State{What: "directories in " + p.String() + " are kept"}
	}
	return State{What: "directories in " + p.String() + " are left out"}
}

// at reports whether a path is or lies below one of a list.
func at(list []expr.Path, p expr.Path) bool {
	return slices.ContainsFunc(list, p.Within)
}

// told reports whether a path is known to differ.
func (d *differences) told(p expr.Path) bool {
	return slices.ContainsFunc(slices.Concat(d.report.Exposes, d.report.TakesAway, d.report.Differs), func(c Change) bool {
		return c.Subject == p.String()
	})
}
