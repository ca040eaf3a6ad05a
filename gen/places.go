package gen

import (
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
)

// places are what a variable of the caller's moves, without what stands below.
// What a policy names often has a variable of the policy's.
type places struct {
	seen  []expr.Path
	uses  map[string]int // by the expression
	names map[string]string
}

// often is from how many uses on a place has a name.
const often = 6

// use counts a use of a place, and returns the policy's name for it, if it has one.
func (p *places) use(e expr.Path) string {
	if p.uses == nil {
		p.uses = map[string]int{}
	}
	key := e.String()
	if p.uses[key]++; p.uses[key] == 1 {
		p.seen = append(p.seen, e)
	}
	return p.names[key]
}

// named gives names to what is used often.
func (p *places) named() places {
	named := places{names: map[string]string{}}
	taken := map[string]bool{}
	for _, e := range p.seen {
		name := "at_" + strings.ToLower(e.Name)
		if p.uses[e.String()] < often || taken[name] {
			continue
		}
		taken[name] = true
		named.names[e.String()] = name
		named.seen = append(named.seen, e)
	}
	return named
}

// define adds the places that have names, those that others are made of first.
func (w *policy) define(named places) {
	byDepth := func(a, b expr.Path) int { return len(a.Variables()) - len(b.Variables()) }
	for _, e := range slices.SortedStableFunc(slices.Values(named.seen), byDepth) {
		w.set(named.names[e.String()], w.keep(bash.Join(w.variableOr(e))))
	}
	w.group("Where tools keep their files; the caller's variables can move these directories.")
}
