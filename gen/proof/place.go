package proof

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
)

// Place is one place of which explain says what the command finds there.
type Place struct {
	access.Entry
	Inside string // absolute, in the sandbox
	Host   string // absolute: what is shown, or else what must not be
}

// Way says how a place is tried.
type Way byte

// The ways. To look changes nothing; the others are for places of the proof's own.
const (
	Look   Way = 'l' // it is read, and the mount table asked
	Know   Way = 'i' // it is looked at, and its inode asked
	Write  Way = 'w' // it is written to
	Again  Way = 'a' // what an earlier start has written is looked for
	Rename Way = 'm' // it is renamed, and back

	Reach   Way = 'h' // HOST:PORT is connected to
	Program Way = 'p' // a program is looked for
	Run     Way = 'r' // a command line is run

	Sandbox Way = 's' // the sandbox as a whole is looked at
	Stay    Way = 'k' // when all is told, the command stays for a while
)

// Places lists the places of a sandbox, each once: of several entries the last decides, as
// in the sandbox. A pattern stands for one of the names that match it. What a variable
// without a value leads to is left out.
func Places(all []access.Entry, inside, host expr.Env) []Place {
	var places []Place
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
		p := Place{s, at, from}
		i, again := index[at]
		if again {
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

// Pinned lists what lies between the project and what is read-only or hidden in it:
// directories that can be written to, but not renamed.
func Pinned(places []Place, project string) []Place {
	var all []Place
	for _, p := range places {
		isHeld := p.Shows == access.Read || p.Shows == access.Hidden
		if !isHeld {
			continue
		}
		for up := path.Dir(p.Inside); expr.Below(up, project); up = path.Dir(up) {
			at := expr.Path{Base: expr.Project, Rest: strings.TrimPrefix(up, project)}
			s := access.Entry{At: at, Shows: access.Write, What: "cannot be renamed: something in it is held"}
			all = append(all, Place{s, up, up})
		}
	}
	slices.SortFunc(all, func(a, b Place) int { return strings.Compare(a.Inside, b.Inside) })
	return slices.CompactFunc(all, func(a, b Place) bool { return a.Inside == b.Inside })
}

// IsMade reports whether the launcher makes what is shown, where the host has none.
func (p Place) IsMade() bool { return slices.Contains(p.Notes, access.Made) }

// JudgeMade says whether something is there that the host had not before the start.
func (p Place) JudgeMade(f Found) Statement {
	p.What, p.Notes = access.Made, nil
	return Statement{Subject: p.At.String(), Says: p.What, Place: &p}.concluded("", unless(f.IsThere(), "it is not there"))
}

// JudgeName says whether something could be renamed that must not be.
func (p Place) JudgeName(f Found) Statement {
	return Statement{Subject: p.At.String(), Says: p.What, Place: &p}.concluded("", unless(!f.Wrote, "it can be renamed"))
}

// Absent reports whether a path of the host must not be there inside: nothing shows it,
// and nothing that is shown lies below it.
func Absent(at string, places []Place) bool {
	var decides Place
	for _, p := range places {
		if expr.Within(p.Inside, at) {
			return false
		}
		if expr.Below(at, p.Inside) && len(p.Inside) > len(decides.Inside) {
			decides = p
		}
	}
	return !decides.Shows.Host()
}
