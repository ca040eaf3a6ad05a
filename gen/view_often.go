package gen

import (
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
)

// often is how many paths begin alike before their beginning gets a name.
const often = 5

// beginning is where a variable moves a directory to, or where that is without it,
// if many paths begin so: the launcher finds it once.
type beginning struct {
	Name  bash.Name
	Value bash.Word
}

// counted is how many paths begin so.
type counted struct {
	path  expr.Path
	times int
}

// parts is like the function, with the name of a beginning that has one.
func (w *viewer) parts(p expr.Path) []bash.Part {
	all := parts(p)
	if p.Base != expr.Variable || p.Default == nil {
		return all
	}
	if slices.Contains(w.found, p.Name) {
		all[0] = bash.Part{Var: ofLauncher(p.Name)}
		return all
	}
	p.Rest = ""
	i := slices.IndexFunc(w.begin, func(c counted) bool { return c.path.Equal(p) })
	if i < 0 {
		i, w.begin = len(w.begin), append(w.begin, counted{path: p})
	}
	w.begin[i].times++
	return all
}

// beginnings names those that are counted often enough. Of two that would have one
// name there is none.
func (w *viewer) beginnings() []beginning {
	var all []beginning
	for _, c := range w.begin {
		name := ofLauncher(c.path.Name)
		other := func(o counted) bool { return ofLauncher(o.path.Name) == name && !o.path.Equal(c.path) }
		if c.times < often || name == "" || slices.ContainsFunc(w.begin, other) {
			continue
		}
		w.found = append(w.found, c.path.Name)
		all = append(all, beginning{w.name(name), w.keep(bash.Join(parts(c.path)...))})
	}
	return all
}

// ofLauncher makes a variable's name one that only the launcher has: lower case, in
// one word (expr.OfLauncher).
func ofLauncher(name string) string {
	return strings.Map(func(c rune) rune {
		if c < 'a' || c > 'z' {
			return -1
		}
		return c
	}, strings.ToLower(name))
}
