package trace

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// answer is what a condition says about bwrap.
type answer int8

const (
	unasked      answer = 0
	bwrapThere   answer = 1  // the condition holds where there is a bwrap
	bwrapMissing answer = -1 // it holds where there is none
)

// unless is the answer, or the one of the negated condition.
func (a answer) unless(negated bool) answer {
	if negated {
		return -a
	}
	return a
}

// asking is the beginning of a command that looks for another one.
var asking = regexp.MustCompile(`^(command -[vV]|(which|type|hash|\[|test) )`)

func isAsking(words []*syntax.Word) bool {
	return asking.MatchString(litAt(words, 0) + " " + litAt(words, 1))
}

// asks says whether a condition looks for bwrap, as command -v bwrap does, or at the status
// of a call of it.
func (t *tracer) asks(s *syntax.Stmt) answer {
	if t.now.launched {
		if test := source(s.Cmd); strings.Contains(test, "$?") {
			return bwrapThere.unless(unequal.MatchString(test)).unless(s.Negated)
		}
	}
	if !looks(s.Cmd) {
		return unasked
	}
	return bwrapThere.unless(some(s.Cmd, empties)).unless(s.Negated)
}

// unequal is a comparison that holds for another status than the one it names.
var unequal = regexp.MustCompile(`\s(-ne|-gt|!=|>)\s`)

// empties reports whether a test holds for what is empty, or not there.
func empties(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.UnaryTest:
		return slices.Contains([]syntax.UnTestOperator{syntax.TsEmpStr, syntax.TsNot}, n.Op)
	case *syntax.CallExpr:
		return slices.Contains([]string{"-z", "!"}, litAt(n.Args, 1))
	}
	return false
}

// looks reports whether a command does no more than look for bwrap.
func looks(cmd syntax.Command) bool {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return isAsking(c.Args) && slices.ContainsFunc(c.Args[1:], namesBwrap)
	case *syntax.TestClause:
		return some(c, namesBwrap)
	case *syntax.BinaryCmd:
		return !isPipe(c) && slices.ContainsFunc([]syntax.Command{c.X.Cmd, c.Y.Cmd}, looks)
	}
	return false
}

// namesBwrap reports whether a word is bwrap, a variable for it, or its path as a
// program prints it.
func namesBwrap(w *syntax.Word) bool {
	if some(w, func(p *syntax.ParamExp) bool { return bwrapName.MatchString(nameOf(p)) }) {
		return true
	}
	text := plainText(w.Lit())
	for c := range nodes[*syntax.CallExpr](w) {
		if isAsking(c.Args) {
			text = c.Args[len(c.Args)-1].Lit()
		}
	}
	return isBwrap(literal(text))
}

// succeeds reports whether a command does nothing and is always successful.
func succeeds(s *syntax.Stmt) bool {
	return len(wordsOf(s.Cmd)) == 1 && slices.Contains([]string{"true", ":"}, program(s.Cmd))
}

// compared notes what a test or case compares.
func compared[W any](r *Reading, words []W, textOf func(W) Text) {
	var all []Text
	for _, w := range words {
		all = append(all, textOf(w))
	}
	r.Tests = append(r.Tests, all)
}
