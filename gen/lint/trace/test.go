package trace

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// answer is what a condition says about bwrap.
type answer uint8

const (
	unasked      answer = iota
	bwrapThere          // it holds where there is a bwrap
	bwrapMissing        // it holds where there is none
)

// askers are programs that look for another one.
var askers = []string{"command", "which", "type", "hash", "[", "test"}

// asks says whether a condition looks for bwrap, as command -v bwrap does.
func (t *tracer) asks(s *syntax.Stmt) answer {
	if t.launched && readsStatus(s) {
		if unequal(s) != s.Negated {
			return bwrapMissing
		}
		return bwrapThere
	}
	if !t.looks(s.Cmd) {
		return unasked
	}
	missing := s.Negated
	if t.empties(s.Cmd) {
		missing = !missing
	}
	if missing {
		return bwrapMissing
	}
	return bwrapThere
}

// readsStatus reports whether a condition looks at $?.
func readsStatus(s *syntax.Stmt) bool {
	for n := range syntax.Preorder(s) {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil && p.Param.Value == "?" {
			return true
		}
	}
	return false
}

// unequal reports whether a condition holds for another status than the one it names.
func unequal(s *syntax.Stmt) bool {
	for n := range syntax.Preorder(s) {
		switch n := n.(type) {
		case *syntax.BinaryTest:
			if n.Op == syntax.TsNeq || n.Op == syntax.TsNoMatch || n.Op == syntax.TsGtr {
				return true
			}
		case *syntax.BinaryArithm:
			if n.Op == syntax.Neq || n.Op == syntax.Gtr {
				return true
			}
		case *syntax.Lit:
			if n.Value == "-ne" || n.Value == "!=" || n.Value == "-gt" {
				return true
			}
		}
	}
	return false
}

// looks reports whether a command does no more than look for bwrap.
func (t *tracer) looks(cmd syntax.Command) bool {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) < 2 || !slices.Contains(askers, c.Args[0].Lit()) {
			return false
		}
		if c.Args[0].Lit() == "command" && !strings.HasPrefix(strings.ToLower(c.Args[1].Lit()), "-v") {
			return false
		}
		return slices.ContainsFunc(c.Args[1:], t.names)
	case *syntax.TestClause:
		for n := range syntax.Preorder(c) {
			if w, ok := n.(*syntax.Word); ok && t.names(w) {
				return true
			}
		}
	case *syntax.BinaryCmd:
		return !isPipe(c) && (t.looks(c.X.Cmd) || t.looks(c.Y.Cmd))
	}
	return false
}

// names reports whether a word is bwrap, or a variable for it.
func (t *tracer) names(w *syntax.Word) bool {
	for n := range syntax.Preorder(w) {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil && bwrapName.MatchString(p.Param.Value) {
			return true
		}
	}
	text := plainText(w.Lit())
	for n := range syntax.Preorder(w) {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 1 && slices.Contains(askers, c.Args[0].Lit()) {
			text = c.Args[len(c.Args)-1].Lit()
		}
	}
	return text != "" && isBwrapWord(&Argument{Text: literal(text)})
}

// empties reports whether a test holds for what is empty, or not there.
func (t *tracer) empties(cmd syntax.Command) bool {
	for n := range syntax.Preorder(cmd) {
		switch n := n.(type) {
		case *syntax.UnaryTest:
			if n.Op == syntax.TsEmpStr || n.Op == syntax.TsNot {
				return true
			}
		case *syntax.CallExpr:
			if len(n.Args) > 1 && (n.Args[1].Lit() == "-z" || n.Args[1].Lit() == "!") {
				return true
			}
		}
	}
	return false
}

// succeeds reports whether a command does nothing and is always successful.
func succeeds(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) == 1 && (c.Args[0].Lit() == "true" || c.Args[0].Lit() == ":")
}

// tested notes what [[ ]] compares.
func (t *tracer) tested(c *syntax.TestClause) {
	var all []Text
	for n := range syntax.Preorder(c) {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
		case *syntax.Word:
			all = append(all, t.text(n))
		}
	}
	t.r.Tests = append(t.r.Tests, all)
}

// compared notes what case compares.
func (t *tracer) compared(c *syntax.CaseClause) {
	all := []Text{t.text(c.Word)}
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			all = append(all, t.text(p))
		}
	}
	t.r.Tests = append(t.r.Tests, all)
}
