package main

import (
	"strings"
	"unicode"
)

// checkName refuses what is no name for a launcher: it stands in messages, and
// is a part of the name of its store.
func checkName(name string) error {
	bad := func(what string) error {
		return misuse("name the launcher with --name", "%s: %q", what, name)
	}
	switch {
	case name == "", name == ".", name == "..":
		return bad("not a name for a launcher")
	case strings.HasPrefix(name, "-"):
		return bad("a launcher's name cannot begin with a dash")
	case strings.Contains(name, "/"):
		return bad("a launcher's name cannot hold a slash")
	case len(name) > maxName:
		return bad("a launcher's name cannot be that long")
	case strings.IndexFunc(name, invisible) >= 0:
		return bad("a launcher's name cannot hold a character that is not visible")
	}
	return nil
}

const maxName = 200 // a file name holds 255 bytes, and the store's has a number behind it

func invisible(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }
