package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unquoted refuses an expansion that is neither in double quotes nor in a
// place where quotes change nothing.
func (c *checker) unquoted(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ParamExp:
		if !c.quoted(n) {
			c.report(n.Pos(), "an expansion must stand in double quotes")
		}
	case *syntax.CmdSubst:
		if !c.quoted(n) {
			c.report(n.Pos(), "a command substitution must stand in double quotes")
		}
	}
}

// quoted climbs from an expansion to what decides whether bash would split
// it or take it for a pattern.
func (c *checker) quoted(n syntax.Node) bool {
	for i := len(c.path) - 1; i > 0; i-- {
		if _, ok := c.path[i].(*syntax.DblQuoted); ok {
			return true
		}
		word, ok := c.path[i].(*syntax.Word)
		if !ok {
			return arithmetic(c.path[i])
		}
		// The right side of ${a:-b} is quoted if the whole is.
		if p, ok := c.path[i-1].(*syntax.ParamExp); ok && inherits(p, word) {
			i--
			n = p
			continue
		}
		return harmless(c.path[i-1], word, n)
	}
	return false
}

// inherits reports whether word is the right side of an operator like :- and
// not a pattern or its replacement.
func inherits(p *syntax.ParamExp, word *syntax.Word) bool {
	if p.Exp == nil || p.Exp.Word != word {
		return false
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull,
		syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull,
		syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return true
	}
	return false
}

// harmless reports whether bash takes the expansion n in word, which stands
// directly in holder, as it is: not split, no pattern.
func harmless(holder syntax.Node, word *syntax.Word, n syntax.Node) bool {
	switch h := holder.(type) {
	case *syntax.Assign:
		whole := len(word.Parts) == 1 && word.Parts[0] == n
		return word == h.Index || word == h.Value && !h.Naked && whole
	case *syntax.ArrayElem:
		return word == h.Index
	case *syntax.Redirect:
		return word == h.Hdoc
	case *syntax.ParamExp: // a subscript or an offset; patterns are neither
		return word == h.Index || h.Slice != nil && (word == h.Slice.Offset || word == h.Slice.Length)
	case *syntax.BinaryTest:
		return word == h.X || h.Op == syntax.AndTest || h.Op == syntax.OrTest
	case *syntax.TestClause, *syntax.ParenTest, *syntax.UnaryTest, *syntax.CaseClause:
		return true
	}
	return arithmetic(holder)
}

func arithmetic(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.BinaryArithm, *syntax.UnaryArithm,
		*syntax.ParenArithm, *syntax.CStyleLoop, *syntax.LetClause:
		return true
	}
	return false
}

// glob refuses an unquoted *, ? or [ where bash would look for files.
func (c *checker) glob(n syntax.Node) {
	word, ok := n.(*syntax.Word)
	if !ok || !c.splits() || word.Lit() == "[" || !slices.ContainsFunc(word.Parts, globs) {
		return
	}
	if !slices.Contains(c.rules.Globs, c.source(word)) && !(c.rules.ListGlobs && c.isGlob(word)) {
		c.report(word.Pos(), "an unquoted glob depends on the files that happen to be there")
	}
}

// splits reports whether a word directly below the present path is one that
// bash may make several of.
func (c *checker) splits() bool {
	switch c.parent().(type) {
	case *syntax.CallExpr, *syntax.ArrayElem, *syntax.WordIter, *syntax.Redirect:
		return true
	}
	return false
}

func globs(part syntax.WordPart) bool {
	switch part := part.(type) {
	case *syntax.ExtGlob:
		return true
	case *syntax.Lit:
		for i := 0; i < len(part.Value); i++ {
			switch part.Value[i] {
			case '\\':
				i++
			case '*', '?', '[':
				return true
			}
		}
	}
	return false
}

// source returns a node as it is written.
func (c *checker) source(n syntax.Node) string {
	return string(c.src[n.Pos().Offset():n.End().Offset()])
}

// tilde refuses a leading ~, which stands for a home directory of bash's
// choice.
func (c *checker) tilde(n syntax.Node) {
	word, ok := n.(*syntax.Word)
	if !ok || len(word.Parts) == 0 {
		return
	}
	_, nested := c.parent().(*syntax.ParamExp)
	first, ok := word.Parts[0].(*syntax.Lit)
	if ok && !nested && strings.HasPrefix(first.Value, "~") {
		c.report(word.Pos(), "an unquoted ~ is not always the home that the script means")
	}
}

// joined refuses "$*" and "${array[*]}" outside a message: they forget where
// one argument ends.
func (c *checker) joined(n syntax.Node) {
	p, ok := n.(*syntax.ParamExp)
	if !ok || p.Length || !star(p) {
		return
	}
	for _, outer := range slices.Backward(c.path) {
		if _, ok := outer.(*syntax.BinaryTest); ok {
			return // a pattern that looks for one word among all
		}
		if call, ok := outer.(*syntax.CallExpr); ok {
			if len(call.Args) > 0 && (call.Args[0].Lit() == "printf" || call.Args[0].Lit() == "die") {
				return
			}
			break
		}
	}
	c.report(p.Pos(), `"$*" forgets where arguments end: write "$@"`)
}

func star(p *syntax.ParamExp) bool {
	if p.Param != nil && p.Param.Value == "*" {
		return true
	}
	index, ok := p.Index.(*syntax.Word)
	return ok && index.Lit() == "*"
}
