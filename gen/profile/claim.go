package profile

import (
	"slices"

	"bwrapgen/gen/expr"
)

// claim takes the entry's place in its file; two claims that differ are a
// contradiction.
func (r *reader) claim(e Rule) bool {
	place := e.Place().String()
	first, taken := r.places[place]
	if !taken {
		r.places[place], r.shapes[place] = e.Origin, e
		return true
	}
	old := r.shapes[place]
	old.Origin, old.Dir = e.Origin, e.Dir
	if old.equal(e) {
		return true
	}
	r.fail(e.Origin.Key, contradicts(place, first, samePlace()))
	return false
}

// equal compares all but the origins.
func (e Rule) equal(o Rule) bool {
	same := e.Path.Equal(o.Path) && e.At.Equal(o.At)
	o.Key, o.Path, o.At, o.Origin = e.Key, e.Path, e.At, e.Origin
	return same && e == o
}

// put adds a rule. What stood at its place gives way, but one of the user's own remains
// that where a built-in profile asks for the same.
func (p *Profile) put(e Rule) {
	at := slices.IndexFunc(p.Rules, func(o Rule) bool { return o.Place().Equal(e.Place()) })
	if at < 0 || p.Rules[at].Key != e.Key {
		p.clear(e.Place())
		p.Rules = append(p.Rules, e)
		return
	}
	old := p.Rules[at]
	repeats := e.Origin.Builtin() && old.equal(e)
	if old.Origin.Builtin() || !repeats {
		p.Rules[at] = e
	}
}

// clear removes what stands at a place.
func (p *Profile) clear(place expr.Path) {
	p.Rules = slices.DeleteFunc(p.Rules, func(e Rule) bool { return e.Place().Equal(place) })
	p.Filesystem.Link = slices.DeleteFunc(p.Filesystem.Link, func(l Link) bool { return l.Path.Equal(place) })
}
