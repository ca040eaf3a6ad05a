package bash

import (
	"fmt"
	"regexp"

	"mvdan.cc/sh/v3/syntax"
)

// pattern is what may follow the quotes in Files: nothing that bash reads in
// another way than as a name with stars.
var pattern = regexp.MustCompile(`^(/[A-Za-z0-9._*-]+)+$`)

// Files returns a word that bash expands to the names below a directory that
// match, such as "$home"/*.kdbx; to itself where none does. The names begin
// with a slash, and hold plain letters and stars.
func Files(names string, directory ...Part) (Word, error) {
	if !pattern.MatchString(names) {
		return Word{}, fmt.Errorf("not a pattern of plain names: %q", names)
	}
	if len(directory) == 0 {
		return Word{names}, nil
	}
	w, err := Join(directory...)
	return Word{w.s + names}, err
}

// isGlob reports whether a word is one that Files makes, where bash may make
// several of it.
func (c *checker) isGlob(word *syntax.Word) bool {
	parts := word.Parts
	if _, array := c.parent().(*syntax.ArrayElem); !array {
		return false
	}
	if _, quoted := parts[0].(*syntax.DblQuoted); quoted {
		parts = parts[1:]
	}
	if len(parts) != 1 {
		return false
	}
	names, ok := parts[0].(*syntax.Lit)
	return ok && pattern.MatchString(names.Value)
}
