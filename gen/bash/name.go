package bash

import (
	"fmt"

	"mvdan.cc/sh/v3/syntax"
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
func isName(text string) bool { return syntax.ValidName(text) }
