package catalogue

import (
	"fmt"
	"strings"

	"bwrapgen/gen/source"
)

// The sentences, and what to do about them.

func unknownKey(key string, known []string) (what, hint string) {
	if near := source.Nearest(key, known); near != "" {
		return "unknown key", "did you mean " + near + "?"
	}
	return "unknown key", "the keys here are " + strings.Join(known, ", ")
}

func wrongType(got any, want, example string) (what, hint string) {
	return fmt.Sprintf("is %s, not %s", source.TypeName(got), want), "write " + example
}

func wrongWord(word string, allowed []string) (what, hint string) {
	if near := source.Nearest(word, allowed); near != "" {
		return fmt.Sprintf("unknown word: %q", word), fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Sprintf("unknown word: %q", word), "one of " + strings.Join(allowed, ", ")
}

func wrongPath(text string, err error) (what, hint string) {
	return fmt.Sprintf("%q %v", text, err),
		"a path begins with /, ~/, ./ or a variable, as in ${CARGO_HOME:-~/.cargo}/bin"
}
