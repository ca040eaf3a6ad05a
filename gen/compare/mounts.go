package compare

import (
	"fmt"
	"maps"
	"slices"

	"bwrapgen/gen/plan"
)

// mounts compares the entries themselves, of plans that show the same.
func (d *differences) mounts() {
	was, is := entriesOf(d.was.Plan), entriesOf(d.is.Plan)
	names := map[string]bool{}
	for _, side := range []map[string][]string{was, is} {
		for name := range side {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !slices.Equal(was[name], is[name]) {
			d.note(neither, Change{Subject: name, Was: entryState(was[name], "an entry of its own"), Is: entryState(is[name], another(was[name])), Kind: Other})
		}
	}
}

// entriesOf lists the entries of a plan by where they stand, without what is there
// for people.
func entriesOf(p plan.Plan) map[string][]string {
	all := map[string][]string{}
	add := func(at fmt.Stringer, entry string) { all[at.String()] = append(all[at.String()], entry) }
	groups := slices.Concat(p.Toolchains, p.Groups, p.Inside)
	groups = append(groups, plan.Group{Mounts: slices.Concat(p.System.Mounts, p.System.Roots, p.System.Etc, p.Project.Protect, p.Project.Own, p.Masks, p.Credentials)})
	for _, g := range groups {
		for _, m := range g.Mounts {
			add(m.Target, fmt.Sprint(m.Op, m.Source, m.Text, m.Optional, m.Create, m.IfNoEnv, m.Held, m.Guarded))
		}
	}
	for _, c := range p.Caches {
		add(c.Path, fmt.Sprint(c.Mode, c.Store, c.Fallback))
	}
	for _, o := range p.Overlays {
		add(o.Target, fmt.Sprint(o.Path, o.Layer, o.Read, o.Cache, o.Optional, o.Create))
	}
	for _, list := range all {
		slices.Sort(list)
	}
	return all
}

func entryState(entries []string, by string) State {
	if len(entries) == 0 {
		return State{What: "the same, without an entry of its own"}
	}
	return State{What: "by " + by}
}

func another(was []string) string {
	if len(was) == 0 {
		return "an entry of its own"
	}
	return "another entry of its own"
}
