package catalogue

import (
	"fmt"
	"strings"

	"bwrapgen/gen/source"
)

// Problem is one thing wrong in one file, with the line and key to look at.
type Problem struct {
	File string // as the reader named it
	Line int    // from 1; 0: the file as a whole
	Key  string // for example caches[1].needs-write; empty: the file as a whole
	What string
	Hint string // what to write instead
}

// Error gives the problem as one line, without the hint.
func (p Problem) Error() string {
	where := p.File
	if p.Line > 0 {
		where += fmt.Sprintf(":%d", p.Line)
	}
	if p.Key != "" {
		where += ": " + p.Key
	}
	return where + ": " + p.What
}

// Problems is everything wrong with a set of files, in file order.
type Problems []Problem

// Error gives one line per problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.Error()
	}
	return strings.Join(lines, "\n")
}

// err is p as an error, nil where there is none.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

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
