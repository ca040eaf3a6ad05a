package catalogue

import (
	"slices"
	"strings"

	"bwrapgen/gen/expr"
)

// index finds sensitive paths without comparing each with each.
type index struct {
	all   []placed         // in the order in which they were added
	at    map[string][]int // which of them lie at a path
	above map[string][]int // which lie below a folder
	globs []int            // which hold a *
}

// placed is where one sensitive path lies.
type placed struct {
	Secret
	at    string
	parts []string // of one that holds a *
}

// newIndex makes one with room for so many.
func newIndex(room int) index {
	return index{all: make([]placed, 0, room), at: make(map[string][]int, room), above: map[string][]int{}}
}

// addIn adds a secret where it lies in an environment, if that is anywhere.
func (ix *index) addIn(env expr.Env, s Secret) {
	if at, ok := s.Eval(env); ok {
		ix.add(s, at)
	}
}

// add adds a secret at a clean absolute path.
func (ix *index) add(s Secret, at string) {
	p, order := placed{Secret: s, at: at}, len(ix.all)
	if isGlob(at) {
		p.parts = parts(at)
		ix.globs = append(ix.globs, order)
	} else {
		ix.at[at] = append(ix.at[at], order)
		for up := at; up != "/"; {
			up = folder(up)
			ix.above[up] = append(ix.above[up], order)
		}
	}
	ix.all = append(ix.all, p)
}

// folder is path.Dir of a clean absolute path.
func folder(at string) string { return at[:max(1, strings.LastIndexByte(at, '/'))] }

// touching lists what lies at, below or above a clean absolute path, in the
// order in which it was added.
func (ix *index) touching(at string) []placed {
	found := slices.Clone(ix.above[at])
	for up := at; ; up = folder(up) {
		found = append(found, ix.at[up]...)
		if up == "/" {
			break
		}
	}
	names := parts(at)
	for _, i := range ix.globs {
		if touches(names, ix.all[i].parts) {
			found = append(found, i)
		}
	}
	slices.Sort(found)
	all := make([]placed, len(found))
	for i, order := range found {
		all[i] = ix.all[order]
	}
	return all
}
