package bash

import (
	"fmt"
	"strings"
)

// Text returns one word that holds several lines of prose, in single quotes
// and with real newlines, so that they read in the script as they will on the
// terminal. There is no newline at the end. Control bytes, unprintable
// characters and bytes that are not UTF-8 are refused.
func Text(lines ...string) (Word, error) {
	text := strings.Join(lines, "\n")
	if !printable(strings.ReplaceAll(text, "\n", "")) {
		return Word{}, fmt.Errorf("prose cannot hold unprintable characters: %q", text)
	}
	return Word{"'" + strings.ReplaceAll(text, "'", `'\''`) + "'"}, nil
}
