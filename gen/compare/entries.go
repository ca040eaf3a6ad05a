package compare

import (
	"fmt"
	"maps"
	"slices"

	"bwrapgen/gen"
	"bwrapgen/gen/plan"
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
	d.eachEntry()
	if d.report.Same() {
		d.note(neither, Change{Kind: Other, Subject: "digest", Was: State{What: was}, Is: State{What: is}})
	}
	return nil
}

// eachEntry compares the entries themselves, of plans that show the same.
func (d *differences) eachEntry() {
	was, is := entriesOf(d.was.Plan), entriesOf(d.is.Plan)
	for _, name := range union(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(is))) {
		if !slices.Equal(was[name], is[name]) {
			d.note(neither, Change{Subject: name, Was: d.was.entry(name, was, nil), Is: d.is.entry(name, is, was), Kind: Other})
		}
	}
}

// entriesOf lists the entries of a plan by where they stand, without what is there
// for people.
func entriesOf(p plan.Plan) map[string][]string {
	all := map[string][]string{}
	add := func(at fmt.Stringer, entry string) { all[at.String()] = append(all[at.String()], entry) }
	for _, m := range p.Mounts {
		if m.Scope != plan.ScopeBase { // it is no mount of its own
			add(m.Target, fmt.Sprint(m.Scope, m.Op, m.Source, m.Layer, m.Text, m.Optional, m.Create, m.Links, m.IfNoLogin, m.Held, m.Guarded, m.Reserved, m.Pattern))
		}
	}
	for _, list := range all {
		slices.Sort(list)
	}
	return all
}

const (
	withEntry    = "the same, with an entry of its own, which cannot be renamed"
	withoutEntry = "the same, without an entry of its own"
)

// entry says in words whether a place has an entry of its own, or another than
// before.
func (l look) entry(name string, entries, before map[string][]string) State {
	s := State{What: withEntry}
	switch {
	case entries[name] == nil:
		return State{What: withoutEntry}
	case before[name] != nil:
		s.What = "the same, with another entry of its own"
	}
	s.From, s.Why = l.named[name].From, l.named[name].Why
	return s
}

// entry is what is said of a view beside one that shows the same.
func (v view) entry() State {
	if !v.own {
		return State{What: withoutEntry}
	}
	return State{What: withEntry, From: v.From, Why: v.Why}
}
