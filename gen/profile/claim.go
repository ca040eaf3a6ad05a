package profile

import (
	"slices"

	"bwrapgen/gen/expr"
)

// claim takes the entry's place in its file; two claims that differ are a
// contradiction.
func (r *reader) claim(e Entry) bool {
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
func (e Entry) equal(o Entry) bool {
	same := e.Path.Equal(o.Path) && e.At.Equal(o.At)
	o.Path, o.At, o.Origin = e.Path, e.At, e.Origin
	return same && e == o
}

// entryLists are all lists of entries; a place stands in one of them at most.
func (p *Profile) entryLists() []*[]Entry {
	f := &p.Filesystem
	return []*[]Entry{&p.Project.Protect, &p.Project.Hide, &f.Read, &f.Write, &f.Overlay, &f.Empty, &f.Hide, &f.Credential}
}

// Rules are the entries of some kinds, whichever keys they stand in.
func (p Profile) Rules(kinds ...Kind) []Entry {
	var all []Entry
	for _, list := range p.entryLists() {
		for _, e := range *list {
			if slices.Contains(kinds, e.Kind) {
				all = append(all, e)
			}
		}
	}
	return all
}

// With is the profile with one entry more that is to be read.
func (p Profile) With(e Entry) Profile {
	p.Filesystem.Read = append(slices.Clip(p.Filesystem.Read), e)
	return p
}

// put adds an entry to one list. What stood at its place gives way, but an entry of the
// user's own remains that where a built-in profile asks for the same.
func (p *Profile) put(to *[]Entry, e Entry) {
	place := e.Place()
	if at := indexOf(*to, place); at >= 0 {
		old := (*to)[at]
		repeats := e.Origin.Builtin() && old.equal(e)
		if old.Origin.Builtin() || !repeats {
			(*to)[at] = e
		}
		return
	}
	p.clear(place)
	*to = append(*to, e)
}

// clear removes what stands at a place.
func (p *Profile) clear(place expr.Path) {
	for _, list := range p.entryLists() {
		if at := indexOf(*list, place); at >= 0 {
			*list = slices.Delete(*list, at, at+1)
		}
	}
	p.Filesystem.Link = slices.DeleteFunc(p.Filesystem.Link, func(l Link) bool { return l.Path.Equal(place) })
}

// indexOf is where in a list a place stands, or -1.
func indexOf(list []Entry, place expr.Path) int {
	for i := range list {
		if list[i].Place().Equal(place) {
			return i
		}
	}
	return -1
}
