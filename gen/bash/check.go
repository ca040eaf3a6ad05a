package bash

import (
	"fmt"
	"strings"
)

// Rules says what a script may hold beside plain bash.
type Rules struct {
	Builtins      []string // command words allowed beside the script's own functions
	Programs      []string // external programs that may be called by their bare name
	Bwrap         string   // the variable that holds bwrap's path: bwrap for "$bwrap"
	MaxBwrapCalls int      // how often bwrap may be called; 0 means once
	MaySubstitute []string // functions that may fork: $( ), <( ), |, &, here-documents, more calls of bwrap
	Globs         []string // words that may glob, exactly as they are written
}

// Problem is one thing in a script that the rules do not allow.
type Problem struct {
	Line, Col uint
	What      string
}

func (p Problem) String() string { return fmt.Sprintf("%d:%d: %s", p.Line, p.Col, p.What) }

// Problems is the error that Check returns, in the script's order.
type Problems []Problem

// Error returns the problems, one a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}
