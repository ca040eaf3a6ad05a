// Package problem is what is wrong with something that a person wrote or named: where,
// and what to do about it. All packages have this one type.
package problem

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Problem is one thing that is wrong.
type Problem struct {
	File string // as the user named it; empty: it is about no file
	Line int    // from 1; 0: not known, or the file as a whole
	Key  string // filesystem.read[1]; empty: the file as a whole
	What string // one sentence, lower case
	Hint string // what to do, or to write instead; empty where What says it all
}

// New is a problem whose place is not known yet.
func New(what, hint string) Problem { return Problem{What: what, Hint: hint} }

// At is the problem at a place.
func (p Problem) At(file string, line int, key string) Problem {
	p.File, p.Line, p.Key = file, line, key
	return p
}

// Error gives the problem in one line, without its hint.
func (p Problem) Error() string {
	var where string
	if p.File != "" {
		where = OneLine(p.File)
	}
	if p.Line > 0 {
		where += fmt.Sprintf(":%d", p.Line)
	}
	if where != "" {
		where += ": "
	}
	if p.Key != "" {
		where += p.Key + ": "
	}
	return where + p.What
}

// List is all that is wrong, in the order of the files.
type List []Problem

// Error gives a line for each problem, and one for its hint.
func (l List) Error() string {
	var lines []string
	for _, p := range l {
		lines = append(lines, p.Error())
		if p.Hint != "" {
			lines = append(lines, "hint: "+p.Hint)
		}
	}
	return strings.Join(lines, "\n")
}

// Err is the list as an error, nil where nothing is wrong.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// OneLine quotes a text that would not stand well in a line of its own.
func OneLine(text string) string {
	if text == "" || !Printable(text) {
		return strconv.Quote(text)
	}
	return text
}

// Printable reports whether a text has nothing that a terminal would act on.
func Printable(text string) bool {
	special := func(r rune) bool { return !unicode.IsGraphic(r) }
	return utf8.ValidString(text) && !strings.ContainsFunc(text, special)
}
