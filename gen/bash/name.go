package bash

import (
	"fmt"
	"strings"
)

// Name is the name of a shell variable. The zero Name is no name.
type Name struct{ s string }

// NewName returns text as a Name if bash would take it for one.
func NewName(text string) (Name, error) {
	if !isName(text) {
		return Name{}, fmt.Errorf("not the name of a variable: %q", text)
	}
	return Name{text}, nil
}

// String returns the name.
func (n Name) String() string { return n.s }

// isName reports whether bash takes a text for a variable's name: letters, digits
// and _, not a digit first.
func isName(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

// Names returns the word that stands for the names of all variables that begin
// with a text: LC_* gives "${!LC_@}", which is nothing where there is none. A
// star alone, a star elsewhere than at the end, and any other special character
// are refused.
func Names(pattern string) (Word, error) {
	beginning, star := strings.CutSuffix(pattern, "*")
	if !star || !isName(beginning) {
		return Word{}, fmt.Errorf("not a beginning of names and a star: %q", pattern)
	}
	return Word{`"${!` + beginning + `@}"`}, nil
}
