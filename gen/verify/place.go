package verify

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
)

// place is one place of which explain says what the command finds there.
type place struct {
	access.Entry
	inside  string // absolute, in the sandbox
	host    string // absolute: what is shown, or else what must not be
	control control
	isBlank bool // a file that is made there is empty, as programs may read it
}

// placesOf lists the places of a sandbox, each once: of several entries the last decides, as
// in the sandbox. A pattern stands for one of the names that match it. What a variable
// without a value leads to is left out.
func placesOf(all []access.Entry, inside, host expr.Env) []place {
	var places []place
	index := map[string]int{}
	for _, s := range all {
		if s.Pattern {
			s.At.Rest, s.Source.Rest = sample(s.At.Rest), sample(s.Source.Rest)
		}
		if s.Source.IsZero() {
			s.Source = s.At
		}
		at, isThere := s.At.Eval(inside)
		from, isFrom := s.Source.Eval(host)
		if !isThere || !isFrom {
			continue
		}
		p := place{Entry: s, inside: at, host: from}
		if i, again := index[at]; again {
			places[i] = p
			continue
		}
		index[at] = len(places)
		places = append(places, p)
	}
	return places
}

var wildcard = regexp.MustCompile(`[*?]|\[[^]!^][^]]*\]`)

// sample is a name that a pattern matches.
func sample(pattern string) string {
	return wildcard.ReplaceAllStringFunc(pattern, func(part string) string {
		if part[0] == '[' {
			return part[1:2]
		}
		return "x"
	})
}

// pinned lists what lies between the project and what is read-only or hidden in it:
// directories that can be written to, but not renamed.
func pinned(places []place, project string) []place {
	var all []place
	for _, p := range places {
		if p.Shows != access.Read && p.Shows != access.Hidden {
			continue
		}
		for up := path.Dir(p.inside); expr.Below(up, project); up = path.Dir(up) {
			at := expr.Path{Base: expr.Project, Rest: strings.TrimPrefix(up, project)}
			s := access.Entry{At: at, Shows: access.Write, What: "cannot be renamed: something in it is held"}
			all = append(all, place{Entry: s, inside: up, host: up})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return strings.Compare(a.inside, b.inside) })
	return slices.CompactFunc(all, func(a, b place) bool { return a.inside == b.inside })
}

// isAbsent reports whether a path of the host must not be there inside: nothing shows it,
// and nothing that is shown lies below it.
func isAbsent(at string, places []place) bool {
	var decides place
	for _, p := range places {
		if expr.Within(p.inside, at) {
			return false
		}
		if expr.Below(at, p.inside) && len(p.inside) > len(decides.inside) {
			decides = p
		}
	}
	return !decides.Shows.Host()
}
