package bash

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Rules says what a script may hold beside plain bash.
type Rules struct {
	Builtins      []string // command words allowed beside the script's own functions
	Programs      []string // external programs that may be called by their bare name
	Bwrap         string   // the variable that holds bwrap's path: bwrap for "$bwrap"; empty: none is called
	MaxBwrapCalls int      // how often bwrap may be called; 0 means once
	MaySubstitute []string // functions that may fork: $( ), <( ), |, &, here-documents, more calls of bwrap
	Globs         []string // words that may glob, exactly as they are written
	ListGlobs     bool     // words of Files may stand in a list
}

// Problem is one thing in a script that the rules do not allow.
type Problem struct {
	Line, Col uint
	What      string
}

// String returns the problem as LINE:COLUMN: sentence.
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

// Check reads a script and refuses what no launcher needs: all that runs text
// as code, splits words, forks unasked, or calls something that is neither
// listed nor defined in the script; and a call of bwrap that is not the one
// call, with "--", at the end. The error is Problems, or the parser's own.
//
// Check guards against mistakes in templates. It is no proof against a script
// that was written to deceive it.
func Check(src []byte, rules Rules) error {
	file, err := parse(src)
	if err != nil {
		return err
	}
	return check(src, file, rules)
}

func check(src []byte, file *syntax.File, rules Rules) error {
	c := checker{rules: rules, src: src, functions: functions(file), calls: map[string][]string{}}
	c.run = c.running(file)
	syntax.Walk(file, c.visit)
	c.unusedFunctions()
	c.bwrapCount(file)
	c.ending()
	if len(c.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return c.problems
}

// checker is one run of Check.
type checker struct {
	rules     Rules
	src       []byte
	functions map[string]*syntax.FuncDecl
	calls     map[string][]string // what each function calls; "" is the script itself
	run       *syntax.Stmt        // the statement of the script itself that calls bwrap
	bwrap     []*syntax.CallExpr  // the calls of bwrap that count
	path      []syntax.Node       // from the file down to the node before this one
	problems  Problems
}

// visitors are the rules that look at one node in its place.
var visitors = [...]func(*checker, syntax.Node){
	(*checker).construct,
	(*checker).commandWord,
	(*checker).declaration,
	(*checker).trap,
	(*checker).bwrapCall,
	(*checker).unquoted,
	(*checker).glob,
	(*checker).tilde,
	(*checker).joined,
}

// visit is called by syntax.Walk: with each node, and with nil after its
// children.
func (c *checker) visit(n syntax.Node) bool {
	if n == nil {
		c.path = c.path[:len(c.path)-1]
		return true
	}
	for _, visitor := range visitors {
		visitor(c, n)
	}
	c.path = append(c.path, n)
	return true
}

func (c *checker) report(at syntax.Pos, format string, args ...any) {
	c.problems = append(c.problems, Problem{at.Line(), at.Col(), fmt.Sprintf(format, args...)})
}

// parent returns the node that holds the present one, or nil.
func (c *checker) parent() syntax.Node {
	if len(c.path) == 0 {
		return nil
	}
	return c.path[len(c.path)-1]
}

// function returns the name of the innermost function around the present
// node, or "".
func (c *checker) function() string {
	for _, n := range slices.Backward(c.path) {
		if f, ok := n.(*syntax.FuncDecl); ok {
			return f.Name.Value
		}
	}
	return ""
}

// mayFork reports whether the present node stands after the run, or in one of
// the functions that may start processes.
func (c *checker) mayFork() bool {
	if c.run != nil && len(c.path) > 1 && c.path[1].Pos().After(c.run.End()) {
		return true
	}
	for _, n := range c.path {
		if f, ok := n.(*syntax.FuncDecl); ok && slices.Contains(c.rules.MaySubstitute, f.Name.Value) {
			return true
		}
	}
	return false
}
