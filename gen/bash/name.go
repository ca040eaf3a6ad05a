package bash

import "fmt"

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
