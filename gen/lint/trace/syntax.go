package trace

import (
	"iter"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// What mvdan.cc/sh's tree leaves out is nil there, and empty here.

// nodes lists the nodes of one type in a part of a script.
func nodes[N syntax.Node](root syntax.Node) iter.Seq[N] {
	return func(yield func(N) bool) {
		for n := range syntax.Preorder(root) {
			if node, ok := n.(N); ok && !yield(node) {
				return
			}
		}
	}
}

// some reports whether a part of a script has a node of one type that is as asked.
func some[N syntax.Node](root syntax.Node, is func(N) bool) bool {
	for n := range nodes[N](root) {
		if is(n) {
			return true
		}
	}
	return false
}

// functions returns the functions that a script defines, by name.
func functions(file *syntax.File) map[string]*syntax.FuncDecl {
	found := map[string]*syntax.FuncDecl{}
	for f := range nodes[*syntax.FuncDecl](file) {
		if f.Name != nil { // the parser takes "()x" for a function
			found[f.Name.Value] = f
		}
	}
	return found
}

// wordsOf gives the words of a simple command; of another command there are none.
func wordsOf(cmd syntax.Command) []*syntax.Word {
	if call, ok := cmd.(*syntax.CallExpr); ok {
		return call.Args
	}
	return nil
}

// litAt is the word of a number, if it is plain text.
func litAt(words []*syntax.Word, i int) string {
	if i >= len(words) || words[i] == nil {
		return ""
	}
	return words[i].Lit()
}

// program is the first word of a simple command, if it is plain text.
func program(cmd syntax.Command) string { return litAt(wordsOf(cmd), 0) }

// nameOf is the variable of an expansion.
func nameOf(p *syntax.ParamExp) string { return text(p.Param) }

// text is a plain text, or nothing.
func text(l *syntax.Lit) string {
	if l == nil {
		return ""
	}
	return l.Value
}

// indexOf is the index of an expansion, if it is plain text.
func indexOf(p *syntax.ParamExp) string {
	if index, ok := p.Index.(*syntax.Word); ok {
		return index.Lit()
	}
	return ""
}

// isPipe reports whether two commands are joined by |.
func isPipe(c *syntax.BinaryCmd) bool {
	return slices.Contains([]syntax.BinCmdOperator{syntax.Pipe, syntax.PipeAll}, c.Op)
}

// effect is what the operator of an expansion does.
type effect uint8

const (
	changes   effect = iota // or there is none
	keeps                   // ${name:?message}, and ${name%/}
	fallback                // ${name:-word}
	assigns                 // ${name:=word}
	alternate               // ${name:+word}
)

// effects leaves out the operators that change a value.
var effects = map[syntax.ParExpOperator]effect{
	syntax.ErrorUnset: keeps, syntax.ErrorUnsetOrNull: keeps,
	syntax.DefaultUnset: fallback, syntax.DefaultUnsetOrNull: fallback,
	syntax.AssignUnset: assigns, syntax.AssignUnsetOrNull: assigns,
	syntax.AlternateUnset: alternate, syntax.AlternateUnsetOrNull: alternate,
}

func effectOf(p *syntax.ParamExp) effect {
	switch {
	case p.Exp == nil:
		return changes
	case p.Exp.Op == syntax.RemSmallSuffix && litAt([]*syntax.Word{p.Exp.Word}, 0) == "/":
		return keeps
	}
	return effects[p.Exp.Op]
}
