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

var prefix = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*$`)

// Names returns the word that stands for the names of all variables that begin
// with a text: LC_* gives "${!LC_@}", which is nothing where there is none. A
// star alone, a star elsewhere than at the end, and any other special character
// are refused.
func Names(pattern string) (Word, error) {
	if !prefix.MatchString(pattern) {
		return Word{}, fmt.Errorf("not a beginning of names and a star: %q", pattern)
	}
	return Word{`"${!` + strings.TrimSuffix(pattern, "*") + `@}"`}, nil
}
