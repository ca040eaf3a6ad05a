package bash

import (
	"fmt"
	"regexp"
	"strings"
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

// plainName is what braces may list.
var plainName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// IsPlainName reports whether Braces can list a name.
func IsPlainName(name string) bool { return plainName.MatchString(name) }

// Braces returns a word that bash expands to names in a directory, such as
// "$home"/{a,b}; of one name, to that alone. It refuses names that are not plain, and
// what Join refuses.
func Braces(names []string, directory ...Part) (Word, error) {
	for _, name := range names {
		if !plainName.MatchString(name) {
			return Word{}, fmt.Errorf("not a plain name: %q", name)
		}
	}
	if len(names) == 1 {
		return Join(append(directory, Part{Text: "/" + names[0]})...)
	}
	w, err := Join(directory...)
	return Word{w.s + "/{" + strings.Join(names, ",") + "}"}, err
}
