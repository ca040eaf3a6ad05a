package bash

import (
	"fmt"
	"regexp"
	"strings"
)

// Name is the name of a shell variable. The zero Name is no name.
type Name struct{ s string }

var name = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// NewName returns text as a Name if bash would take it for one.
func NewName(text string) (Name, error) {
	if !name.MatchString(text) {
		return Name{}, fmt.Errorf("not the name of a variable: %q", text)
	}
	return Name{text}, nil
}

// String returns the name.
func (n Name) String() string { return n.s }

// Glob is a pattern for names of variables: a beginning and one star, such as
// LC_*. It stands unquoted on the right of [[ == ]] and in a case.
type Glob struct{ s string }

var glob = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*$`)

// Pattern returns text as a Glob. A star alone, a star elsewhere than at the
// end, and any other special character are refused.
func Pattern(text string) (Glob, error) {
	if !glob.MatchString(text) {
		return Glob{}, fmt.Errorf("not a beginning of names and a star: %q", text)
	}
	return Glob{text}, nil
}

// String returns the pattern, star and all.
func (g Glob) String() string { return g.s }

// Prefix returns the pattern without its star, for ${!LC_@}.
func (g Glob) Prefix() Name { return Name{strings.TrimSuffix(g.s, "*")} }

// Names returns the word that stands for the names of all variables that match
// a pattern: LC_* gives "${!LC_@}", which is nothing where there is none.
func Names(pattern string) (Word, error) {
	g, err := Pattern(pattern)
	if err != nil {
		return Word{}, err
	}
	return Word{`"${!` + g.Prefix().s + `@}"`}, nil
}
