// Package access knows what a command finds at each place of its sandbox.
//
// It is pure: it reads a plan, and puts it into words. Which place a path of a
// host is, the caller says with an environment to evaluate expressions in.
package access

import (
	"path"
	"strings"

	"bwrapgen/gen/expr"
)

// Entry is what the command finds at one place, and below it.
type Entry struct {
	At     expr.Path
	Shows  Shows
	Lasts  Lasts     // of what is written there, and does not reach the host
	Source expr.Path // where on the host it is; none where nothing of the host is shown
	What   string    // in words
	Notes  []string  // what the words leave out
	Facts
	From string // what asks for it; empty: every sandbox has it
	Why  string
	Tool string // of the catalogue, if it is one's
}

// Facts are what the words of an entry say, for programs: nobody reads them out of a sentence.
type Facts struct {
	Pattern   bool   // At stands for the names that match it
	Optional  bool   // nothing is shown, or made, where the host has nothing there
	IfNoLogin bool   // shown as long as it holds no credentials and sets no variables
	Reserved  bool   // a protected name that cannot be created where it is absent
	Made      bool   // created on the host where it does not exist
	Writable  bool   // the command can write to it (only for what the sandbox creates)
	LeadsTo   string // of a link: its target, as it is written
}

// Shows says what of the host is at a place, from the least to the most.
type Shows uint8

// What a place may show.
const (
	Nothing Shows = iota // it is not there
	Hidden               // what is there is covered
	Link                 // a symbolic link, to whatever is visible
	Own                  // something of the sandbox's own
	Read                 // the host's, read-only
	View                 // the host's; what is written does not reach it
	Write                // the host's, writable
)

// Host reports whether something of the host is shown.
func (s Shows) Host() bool { return s >= Read }

// Lasts says how long something stays, from the least to the most.
type Lasts uint8

// How long something may stay.
const (
	Gone    Lasts = iota // with the sandbox
	Session              // as long as the session
	InStore              // in the store
)

// Index finds the entry that decides about a path, in one environment.
type Index struct {
	all      []Entry
	at       map[string]int // the last of those at a place
	patterns []pattern
}

// pattern is an entry that stands for the names that match it below a directory.
type pattern struct {
	entry     int
	top, rest string
}

// NewIndex evaluates where the entries are; what is nowhere is left out.
func NewIndex(all []Entry, env expr.Env) Index {
	x := Index{all: all, at: make(map[string]int, len(all))}
	for i, s := range all {
		at, ok := s.At.Eval(env)
		if !ok {
			continue
		}
		x.at[at] = i
		switch {
		case !s.Pattern:
		case s.At.Base == expr.Project:
			x.patterns = append(x.patterns, pattern{i, env.Project, s.At.Rest})
		default: // in the last name alone
			x.patterns = append(x.patterns, pattern{i, strings.TrimSuffix(path.Dir(at), "/"), "/" + path.Base(at)})
		}
	}
	return x
}

// Decisive is the entry that decides about an absolute path, and where that is:
// the deepest at or above it, and of those the last.
func (x Index) Decisive(at string) (Entry, string) {
	for ; ; at = path.Dir(at) {
		i, ok := x.last(at)
		if ok {
			return x.all[i], at
		}
		if at == "/" {
			return Entry{}, at
		}
	}
}

// last is the last entry at a place: of that very path, or of a pattern that it matches.
func (x Index) last(at string) (int, bool) {
	last, found := x.at[at]
	for _, p := range x.patterns {
		rest, isBelow := strings.CutPrefix(at, p.top)
		if isBelow && expr.Matches(p.rest, rest) {
			last, found = max(last, p.entry), true
		}
	}
	return last, found
}
