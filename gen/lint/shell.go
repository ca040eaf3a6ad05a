package lint

import (
	"path"
	"slices"
	"strings"
)

// speaksBash reports whether bash runs the script, as far as its first line says.
func (s *script) speaksBash() bool {
	words := strings.Fields(s.Interpreter)
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return path.Base(w) == "bash" })
}

// started reports whether the first line gives the shell an option of one letter.
func (s *script) started(letter string) bool {
	return slices.ContainsFunc(strings.Fields(s.Interpreter), func(w string) bool {
		return len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, letter)
	})
}
