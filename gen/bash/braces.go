package bash

import (
	"regexp"
	"slices"
	"strings"
)

// braceable are the texts of which a part can stand between braces as it is.
var braceable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./-]*$`)

// Braces returns words that bash expands to some texts, each once: of those that
// end alike from a _ on, as in {CARGO,CODEX}_HOME, one. A text that needs quotes
// stands alone. A NUL byte is refused.
func Braces(texts []string) ([]Word, error) {
	var rest, quoted []string
	for _, text := range texts {
		if braceable.MatchString(text) {
			rest = append(rest, text)
		} else {
			quoted = append(quoted, text)
		}
	}
	var words []Word
	for tail := likeliest(rest); tail != ""; tail = likeliest(rest) {
		var heads []string
		rest = slices.DeleteFunc(rest, func(text string) bool {
			head, found := strings.CutSuffix(text, tail)
			found = found && head != ""
			if found {
				heads = append(heads, head)
			}
			return found
		})
		words = append(words, Word{"{" + strings.Join(heads, ",") + "}" + tail})
	}
	for _, text := range append(rest, quoted...) {
		w, err := Quote(text)
		if err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return words, nil
}

// likeliest is the ending, from a _ on, that saves most; of two the first. It is
// empty where none saves anything.
func likeliest(texts []string) string {
	count, best, most := map[string]int{}, "", 0
	for _, text := range texts {
		for i := 1; i < len(text) && text[i] != '/'; i++ {
			if text[i] == '_' {
				count[text[i:]]++
			}
		}
	}
	for tail, n := range count {
		if saves := (n-1)*len(tail) - n - 1; saves > most || saves == most && saves > 0 && tail < best {
			best, most = tail, saves
		}
	}
	return best
}
