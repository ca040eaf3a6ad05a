package compare

import (
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// said compares what changes nothing of what the command can see, reach and use.
func (d *differences) said() {
	was, is := d.was.Plan, d.is.Plan
	d.remark("about", quoted(was.About), quoted(is.About))
	d.remark("command", commandWords(was.Command), commandWords(is.Command))
	d.remark("confirm.mode", confirmWords(was.Confirm), confirmWords(is.Confirm))
	d.remark("machines", strings.Join(was.Arches, ", "), strings.Join(is.Arches, ", "))
	if was.System.Time && is.System.Time {
		d.remark("time zone", was.System.Zone, is.System.Zone)
	}
	for _, name := range union(subjects(was.Environ.Reasons), subjects(is.Environ.Reasons)) {
		d.remark("$"+name, reasonFor(was, name), reasonFor(is, name))
	}
	if reordered(was, is) {
		d.note(said, Change{Subject: "order", Was: State{What: "the same entries"}, Is: State{What: "the same entries, in another order"}, Kind: Other})
	}
}

func (d *differences) remark(key, was, is string) {
	c := Change{Subject: key, Was: State{What: was}, Is: State{What: is}, Kind: Other}
	for _, s := range []*State{&c.Was, &c.Is} {
		if s.What == "" {
			s.What = "not known"
		}
	}
	if slices.Contains(profile.Keys(), key) {
		c.Was.From, c.Is.From = d.was.origin(key), d.is.origin(key)
	}
	d.noteIf(said, c)
}

func quoted(text string) string {
	if text == "" {
		return "nothing"
	}
	return strconv.Quote(text)
}

func commandWords(words []string) string {
	if len(words) == 0 {
		return "what the launcher is given, or a shell"
	}
	var all []string
	for _, w := range words {
		all = append(all, strconv.Quote(w))
	}
	return strings.Join(all, " ")
}

func confirmWords(c profile.Confirm) string {
	switch {
	case c.Mode != profile.ConfirmAlways:
		return "nothing is asked before a run"
	case c.AllowYes:
		return "each command is asked about, unless --sandbox-yes says not to"
	}
	return "each command is asked about"
}

func subjects(lines []plan.Line) []string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Subject)
	}
	return all
}

func reasonFor(p plan.Plan, name string) string {
	for _, l := range p.Environ.Reasons {
		if l.Subject == name {
			return "the reason is " + strconv.Quote(l.Words)
		}
	}
	return "no reason is given"
}

// reordered reports whether some list holds the same in another order.
func reordered(was, is plan.Plan) bool {
	a, b := orders(was), orders(is)
	for i := range a {
		if !slices.Equal(a[i], b[i]) && slices.Equal(slices.Sorted(slices.Values(a[i])), slices.Sorted(slices.Values(b[i]))) {
			return true
		}
	}
	return false
}

func orders(p plan.Plan) [][]string {
	var lists [][]string
	for _, scope := range plan.Scopes() {
		var names []string
		for _, m := range p.Mounts.In(scope) {
			names = append(names, m.Target.String())
		}
		lists = append(lists, names)
	}
	return append(lists, setNames(p.Environ.Set), p.Sockets.Talk, p.Sockets.Own, paths(p.Environ.Visible))
}

func setNames(set []profile.Variable) []string {
	var all []string
	for _, v := range set {
		all = append(all, v.Name)
	}
	return all
}

func paths(list []expr.Path) []string {
	var all []string
	for _, p := range list {
		all = append(all, p.String())
	}
	return all
}
