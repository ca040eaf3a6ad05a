package profile

import (
	"slices"

	"bwrapgen/gen/expr"
)

// Rule says what becomes of one path. In TOML its kind is the key of a list: a key that shows
// a path is a row of the schema, with the kind of its rules.
type Rule struct {
	Key      string // where it is written: filesystem.read
	Kind     Kind   // what becomes of it
	Path     expr.Path
	At       expr.Path // where inside; zero: at Path
	Optional bool      // may be absent at launch
	Create   bool      // is made on the host where it is absent
	Links    bool      // what links in it lead to is shown, too
	Text     string    // of a link, where it leads, as it stands in it; with Create, how the file begins
	Pattern  bool      // its names may hold *, ? and [...], outside of the project only a * in the last one
	Folder   bool      // written with a slash at its end: where it is absent, it is held by a directory
	Why      string    // the author's reason
	Origin   Origin
}

// Place is where the entry stands inside.
func (e Rule) Place() expr.Path {
	if e.At.IsZero() {
		return e.Path
	}
	return e.At
}

// Rules are all paths that a profile names, each once, in whatever key.
type Rules []Rule

// Of are the rules of some kinds.
func (all Rules) Of(kinds ...Kind) Rules {
	var found Rules
	for _, e := range all {
		if slices.Contains(kinds, e.Kind) {
			found = append(found, e)
		}
	}
	return found
}

// Any reports whether something holds for one of them.
func (all Rules) Any(holds func(Rule) bool) bool { return slices.ContainsFunc(all, holds) }

// under are the rules that stand in one key.
func (all Rules) under(key string) Rules {
	var found Rules
	for _, e := range all {
		if e.Key == key {
			found = append(found, e)
		}
	}
	return found
}

// With is a profile with more rules.
func (p Profile) With(rules ...Rule) Profile {
	p.Rules = slices.Concat(p.Rules, rules)
	return p
}
