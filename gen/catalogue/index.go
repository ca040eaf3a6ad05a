package catalogue

import (
	"cmp"
	"path"
	"slices"

	"bwrapgen/gen/expr"
)

// index finds sensitive paths without comparing each with each.
type index struct {
	count int
	at    map[string][]placed // by its path
	above map[string][]placed // by each folder above it
	globs []placed
}

// placed is where one sensitive path lies.
type placed struct {
	Secret
	at    string
	parts []string // of one that holds a *
	order int      // in which it was added
}

func newIndex() index {
	return index{at: map[string][]placed{}, above: map[string][]placed{}}
}

// addIn adds a secret where it lies in an environment, if that is anywhere.
func (ix *index) addIn(env expr.Env, s Secret) {
	if at, ok := s.Eval(env); ok {
		ix.add(s, at)
	}
}

func (ix *index) add(s Secret, at string) {
	p := placed{Secret: s, at: at, order: ix.count}
	ix.count++
	if isGlob(at) {
		p.parts = parts(at)
		ix.globs = append(ix.globs, p)
		return
	}
	ix.at[at] = append(ix.at[at], p)
	for up := at; up != "/"; {
		up = path.Dir(up)
		ix.above[up] = append(ix.above[up], p)
	}
}

// touching lists what lies at, below or above a clean absolute path, in the
// order in which it was added.
func (ix *index) touching(at string) []placed {
	found := slices.Clone(ix.above[at])
	for up := at; ; up = path.Dir(up) {
		found = append(found, ix.at[up]...)
		if up == "/" {
			break
		}
	}
	names := parts(at)
	for _, p := range ix.globs {
		if touches(names, p.parts) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b placed) int { return cmp.Compare(a.order, b.order) })
	return found
}
