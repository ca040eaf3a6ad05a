package trace

import (
	"maps"
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
	t.now, t.ended = before, true
	t.meet(after)
}

// aside follows what changes nothing behind it: a process of its own.
func (t *tracer) aside(way func()) {
	before, frames := t.now, t.frames
	t.now, t.frames = before.clone(), nil
	way()
	t.now, t.frames, t.ended = before, frames, false
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

// join gives what holds where several ways meet.
func (t *tracer) join(states []*state) *state {
	if len(states) == 1 {
		return states[0]
	}
	sum := states[0].clone()
	var lists [][]*Argument
	for _, s := range states {
		lists = append(lists, s.args)
		raise(&sum.dropped, s.dropped)
		raise(&sum.changed, s.changed)
		raise(&sum.exitTrap, s.exitTrap)
		sum.failed = sum.failed && s.failed
		sum.shifted = max(sum.shifted, s.shifted)
	}
	names := map[string]holding{}
	for _, s := range states {
		maps.Copy(names, s.held)
	}
	for name, v := range names {
		differs := func(s *state) bool { w, ok := s.held[name]; return !ok || !w.equal(v) }
		if slices.ContainsFunc(states, differs) {
			sum.held[name] = t.joinValue(name, states)
		}
	}
	sum.args = t.joinLists(lists)
	return sum
}

// joinValue gives what a variable holds where several ways meet.
func (t *tracer) joinValue(name string, states []*state) holding {
	var set []holding // on the ways that set the variable
	var lists [][]*Argument
	array, starts := false, false
	for _, s := range states {
		v, ok := s.held[name]
		lists = append(lists, v.list)
		if ok {
			set = append(set, v)
			raise(&array, v.array)
			raise(&starts, v.startsBwrap())
		}
	}
	same := !slices.ContainsFunc(set, func(v holding) bool { return !v.equal(set[0]) })
	if len(set) < len(states) {
		// Set on one way only, a variable of the script's counts as not used elsewhere. But a
		// prefix of bwrap is left out there, and of an array the elements are.
		switch {
		case starts, array, name == strings.ToUpper(name):
			same = false
		}
	}
	switch {
	case same:
		return set[0]
	case array:
		return holding{list: t.joinLists(lists), array: true}
	}
	return t.begun(name, lists)
}

// begun is a variable to which some of the ways have added words: the script tells
// what it begins with, and what may follow.
func (t *tracer) begun(name string, lists [][]*Argument) holding {
	var put values
	var all [][]string
	for _, list := range lists {
		switch {
		case len(list) == 0:
			all = append(all, nil)
		case len(list) > 1, !list[0].isOne():
			return t.unknown(name)
		default:
			all = append(all, strings.FieldsFunc(put.marked(list[0].Text), isBlank))
		}
	}
	n := len(all[0])
	for _, other := range all[1:] {
		n = min(n, same(all[0], other))
	}
	begin := put.filled(literal(strings.Join(all[0][:n], " ") + " "))
	if !strings.Contains(" "+begin.String(), " --") {
		n, begin = 0, Text{}
	}
	one := t.fresh(name)
	for _, words := range all {
		one[0].Either = append(one[0].Either, put.filled(literal(strings.Join(words[n:], " "))))
	}
	one[0].Words = areWords(one[0].Either)
	return scalar(&Argument{Text: begin.plus(one)})
}

// same says how many elements two lists begin with in common.
func same[T comparable](a, b []T) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// areWords reports whether there are values, and each is words for bwrap or nothing.
func areWords(values []Text) bool {
	isOther := func(value Text) bool { return !value.Is("") && !addsOptions(value) }
	return len(values) > 0 && !slices.ContainsFunc(values, isOther)
}

// addsOptions reports whether a text is options, or a start of bwrap.
func addsOptions(t Text) bool {
	switch {
	case len(t) == 0:
		return false
	case t[0].Words, startsBwrap(t):
		return true
	}
	return strings.HasPrefix(strings.TrimSpace(t[0].Literal), "--")
}

func startsBwrap(t Text) bool {
	for word := range strings.FieldsSeq(t.beginning()) {
		return isBwrap(literal(word))
	}
	return false
}

func (v holding) startsBwrap() bool {
	return len(v.list) == 1 && startsBwrap(v.list[0].Text)
}

func (v holding) equal(w holding) bool {
	if v.array != w.array || v.refer != w.refer {
		return false
	}
	return slices.EqualFunc(v.list, w.list, func(a, b *Argument) bool {
		return a == b || !v.array && a.Text.Key() == b.Text.Key()
	})
}

// joinLists keeps what the lists begin with in common. What else they hold may
// be there or not.
func (t *tracer) joinLists(lists [][]*Argument) []*Argument {
	common := lists[0]
	for _, list := range lists[1:] {
		common = common[:same(common, list)]
	}
	sum := common[:len(common):len(common)]
	for _, list := range lists {
		sum = append(sum, t.maybe(list[len(common):])...)
	}
	return t.bounded(sum)
}

// maybe gives words that stand in a branch.
func (t *tracer) maybe(list []*Argument) []*Argument {
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
