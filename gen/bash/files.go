package bash

import (
	"fmt"
	"regexp"
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
