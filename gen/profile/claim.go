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
	return e.Kind == o.Kind && e.Path.Equal(o.Path) && e.At.Equal(o.At) &&
		e.Optional == o.Optional && e.Create == o.Create && e.Content == o.Content && e.Dir == o.Dir && e.Why == o.Why
}

// entryLists are all lists of entries; a place stands in one of them at most.
func (p *Profile) entryLists() []*[]Entry {
	var lists []*[]Entry
	for _, f := range fields(p) {
		if list, ok := f.to.(*[]Entry); ok {
			lists = append(lists, list)
		}
	}
	return lists
}

// put adds an entry to one list. What stood at its place gives way.
func (p *Profile) put(to *[]Entry, e Entry) {
	place := e.Place()
	same := func(o Entry) bool { return o.Place().Equal(place) }
	at := slices.IndexFunc(*to, same)
	if at < 0 {
		p.clear(place)
		*to = append(slices.Clone(*to), e)
		return
	}
	list := slices.Clone(*to)
	list[at] = e
	*to = list
}

// clear removes what stands at a place.
func (p *Profile) clear(place expr.Path) {
	for _, list := range p.entryLists() {
		*list = slices.DeleteFunc(slices.Clone(*list), func(e Entry) bool { return e.Place().Equal(place) })
	}
	p.Filesystem.Link = slices.DeleteFunc(slices.Clone(p.Filesystem.Link),
		func(l Link) bool { return l.Path.Equal(place) })
}
