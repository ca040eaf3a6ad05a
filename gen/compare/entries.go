package compare

import (
	"fmt"
	"maps"
	"slices"

	"bwrapgen/gen"
	"bwrapgen/gen/access"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// entries looks for what tells two plans apart that show the same: a path with an
// entry of its own cannot be renamed.
func (d *differences) entries() error {
	was, err := gen.Digest(d.was.Plan)
	if err != nil {
		return err
	}
	is, err := gen.Digest(d.is.Plan)
	if err != nil || was == is {
		return err
	}
	before, after := mounts(d.was.Plan), mounts(d.is.Plan)
	for _, at := range union(slices.Collect(maps.Keys(before)), slices.Collect(maps.Keys(after))) {
		if slices.Equal(before[at], after[at]) {
			continue
		}
		c := Change{Kind: Other, Subject: at}
		c.Was = entry(d.was.named[at], len(before[at]) > 0)
		c.Is = entry(d.is.named[at], len(after[at]) > 0)
		if c.Was.What == c.Is.What {
			c.Is.What = "the same, with another entry of its own"
		}
		d.note(neither, c)
	}
	if d.report.Same() {
		d.note(neither, Change{Kind: Other, Subject: "digest", Was: State{What: was}, Is: State{What: is}})
	}
	return nil
}

// mounts are those of a plan by where they stand, without what is there for people.
func mounts(p plan.Plan) map[string][]string {
	all := map[string][]string{}
	for _, m := range p.Mounts {
		if m.Scope == plan.ScopeBase { // it is no mount of its own
			continue
		}
		at := m.Target.String()
		m.Why, m.Tool, m.Origin = "", "", profile.Origin{}
		all[at] = append(all[at], fmt.Sprint(m))
	}
	for _, list := range all {
		slices.Sort(list)
	}
	return all
}

// entry says of a place that shows the same as before whether it has an entry of its own.
func entry(e access.Entry, own bool) State {
	if !own {
		return State{What: "the same, without an entry of its own"}
	}
	return State{What: "the same, with an entry of its own, which cannot be renamed", From: e.From, Why: e.Why}
}
