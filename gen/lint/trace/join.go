package trace

import (
	"slices"
	"strings"
)

// alternatives follows several ways of which one is taken.
func (t *tracer) alternatives(ways ...func()) {
	before := t.now
	var after []*state
	for _, way := range ways {
		t.now, t.ended = before.clone(), false
		way()
		if !t.ended {
			after = append(after, t.now)
		}
	}
	t.now, t.ended = before, len(after) == 0
	if !t.ended {
		t.now = t.join(after)
	}
}

// aside follows what changes nothing behind it: a process of its own.
func (t *tracer) aside(way func()) {
	before, frames := t.now, t.frames
	t.now, t.frames = before.clone(), nil
	way()
	t.now, t.frames, t.ended = before, frames, false
}

// join gives what holds where several ways meet.
func (t *tracer) join(states []*state) *state {
	if len(states) == 1 {
		return states[0]
	}
	sum := states[0].clone()
	var lists [][]*Argument
	for _, s := range states {
		lists = append(lists, s.args)
		sum.dropped = sum.dropped || s.dropped
		sum.changed = sum.changed || s.changed
		sum.exitTrap = sum.exitTrap || s.exitTrap
		sum.failed = sum.failed && s.failed
		sum.shifted = max(sum.shifted, s.shifted)
	}
	for name := range differing(states) {
		sum.set(name, t.joinValue(name, states))
	}
	sum.args = t.joinLists(lists)
	return sum
}

// differing names the variables that do not hold the same in all states.
func differing(states []*state) map[string]bool {
	names := map[string]bool{}
	first := states[0].vars
	for _, s := range states[1:] {
		if s.vars == first {
			continue
		}
		for name, v := range s.vars.held {
			if w, ok := first.held[name]; !ok || !v.equal(w) {
				names[name] = true
			}
		}
		for name := range first.held {
			if _, ok := s.vars.held[name]; !ok {
				names[name] = true
			}
		}
	}
	return names
}

func (t *tracer) joinValue(name string, states []*state) holding {
	var first *holding
	same, array, everywhere := true, false, true
	var lists [][]*Argument
	starts := slices.ContainsFunc(states, func(s *state) bool {
		v, _ := s.get(name)
		return len(v.list) == 1 && !v.array && startsBwrap(v.list[0].Text)
	})
	for _, s := range states {
		v, ok := s.get(name)
		lists = append(lists, v.list)
		array = array || v.array
		switch {
		case !ok && starts: // a prefix that is left out elsewhere
			same, everywhere = false, false
		case !ok: // set on one way only: elsewhere it counts as not used
			same, everywhere = same && name != strings.ToUpper(name), false
		case first == nil:
			first = &v
		default:
			same = same && v.equal(*first)
		}
	}
	switch {
	case same && (!array || everywhere):
		return *first
	case array:
		return holding{list: t.joinLists(lists), array: true}
	}
	return t.begun(name, lists)
}

// begun is a variable to which some of the ways have added words: the script tells
// what it begins with, and what may follow.
func (t *tracer) begun(name string, lists [][]*Argument) holding {
	var values []Text
	for _, list := range lists {
		switch {
		case len(list) == 0:
			values = append(values, Text{})
		case len(list) != 1 || list[0].Many || list[0].When != 0:
			return t.unknown(name)
		default:
			values = append(values, list[0].Text)
		}
	}
	begin := values[0]
	for _, value := range values[1:] {
		begin = begin.common(value)
	}
	one := t.fresh(name)
	one[0].Either, one[0].Words = values, true
	for i, value := range values {
		rest := value.behind(begin)
		one[0].Either[i] = rest
		one[0].Words = one[0].Words && (len(rest) == 0 || rest.Is("") || addsOptions(rest))
	}
	return holding{list: []*Argument{{Text: begin.plus(one)}}}
}

// addsOptions reports whether a text is options, or a start of bwrap.
func addsOptions(t Text) bool {
	if len(t) == 0 {
		return false
	}
	return t[0].Words || t[0].Name == "" && strings.HasPrefix(strings.TrimSpace(t[0].Literal), "--") || startsBwrap(t)
}

func startsBwrap(t Text) bool {
	if len(t) == 0 || t[0].Name != "" {
		return false
	}
	words := strings.Fields(t[0].Literal)
	return len(words) > 0 && isBwrapWord(&Argument{Text: literal(words[0])})
}

func (v holding) equal(w holding) bool {
	if v.array != w.array || v.refer != w.refer || len(v.list) != len(w.list) {
		return false
	}
	if len(v.list) == 0 || &v.list[0] == &w.list[0] {
		return true
	}
	for i := range v.list {
		a, b := v.list[i], w.list[i]
		if a != b && (v.array || a.Text.Key() != b.Text.Key()) {
			return false
		}
	}
	return true
}

// joinLists keeps what the lists begin with in common. What else they hold may
// be there or not.
func (t *tracer) joinLists(lists [][]*Argument) []*Argument {
	common := lists[0]
	for _, list := range lists[1:] {
		n := 0
		if min(len(common), len(list)) > 0 && &common[0] == &list[0] {
			n = min(len(common), len(list))
		}
		for n < len(common) && n < len(list) && common[n] == list[n] {
			n++
		}
		common = common[:n]
	}
	sum := common[:len(common):len(common)]
	for _, list := range lists {
		sum = append(sum, t.maybe(list[len(common):])...)
	}
	return t.bounded(sum)
}

// maybe gives words that stand in a branch.
func (t *tracer) maybe(list []*Argument) []*Argument {
	if len(list) == 0 {
		return nil
	}
	t.values++
	branch := t.values
	var all []*Argument
	for _, a := range list {
		b := *a
		if b.When == 0 {
			b.When = branch
		}
		all = append(all, &b)
	}
	return all
}

// bounded keeps a list from growing without end: what else it holds is unknown.
func (t *tracer) bounded(list []*Argument) []*Argument {
	if len(list) <= maxWords {
		return list
	}
	return append(list[:maxWords:maxWords], &Argument{Many: true, Text: Text{{Name: "...", value: -1}}})
}

// meet joins ways that lead here to the present one.
func (t *tracer) meet(others []*state) {
	if !t.ended {
		others = append(others[:len(others):len(others)], t.now)
	}
	if t.ended = len(others) == 0; !t.ended {
		t.now = t.join(others)
	}
}
