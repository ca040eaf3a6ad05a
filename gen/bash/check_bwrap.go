package bash

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// isBwrap reports whether word is nothing but the expansion of bwrap's path.
func (c *checker) isBwrap(word *syntax.Word) bool {
	if c.rules.Bwrap == "" || len(word.Parts) != 1 {
		return false
	}
	part := word.Parts[0]
	if quoted, ok := part.(*syntax.DblQuoted); ok && len(quoted.Parts) == 1 {
		part = quoted.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	return ok && p.Param != nil && p.Param.Value == c.rules.Bwrap && plainExpansion(p)
}

// plainExpansion reports whether p is $name or ${name}.
func plainExpansion(p *syntax.ParamExp) bool {
	return !p.Excl && !p.Length && p.Index == nil && p.Slice == nil &&
		p.Repl == nil && p.Exp == nil && p.Names == 0
}

// bwrapIn returns the index of the word by which a call runs bwrap, or -1:
// itself, by exec, or by a program such as env that runs its operands.
func (c *checker) bwrapIn(call *syntax.CallExpr) int {
	for _, i := range commands(call.Args) {
		if c.isBwrap(call.Args[i]) {
			return i
		}
		if slices.Contains(c.rules.Programs, call.Args[i].Lit()) {
			return slices.IndexFunc(call.Args, c.isBwrap)
		}
	}
	return -1
}

// bwrapCall counts a call of bwrap and refuses one without "--": its command
// would be read as options. Functions that may fork may also ask bwrap things.
func (c *checker) bwrapCall(n syntax.Node) {
	call, ok := n.(*syntax.CallExpr)
	if !ok || c.mayFork() {
		return
	}
	i := c.bwrapIn(call)
	if i < 0 {
		return
	}
	c.bwrap = append(c.bwrap, call)
	end := slices.IndexFunc(call.Args[i:], func(w *syntax.Word) bool { return w.Lit() == "--" })
	if end < 0 || i+end == len(call.Args)-1 {
		c.report(call.Args[i].Pos(), "bwrap needs -- before the command, as a word of its own")
	}
}

func (c *checker) bwrapCount(file *syntax.File) {
	if c.rules.Bwrap == "" {
		return
	}
	if len(c.bwrap) == 0 {
		c.report(file.End(), "bwrap is never called")
	}
	for _, call := range c.bwrap[min(len(c.bwrap), max(1, c.rules.MaxBwrapCalls)):] {
		c.report(call.Pos(), "bwrap is called once too often")
	}
}

// ending refuses a statement after the final block or call of main: bash
// reads a script as it goes, so an edit during a long run would be executed.
func (c *checker) ending(file *syntax.File) {
	i := slices.IndexFunc(file.Stmts, isFinal)
	switch {
	case i >= 0 && i+1 < len(file.Stmts):
		c.report(file.Stmts[i+1].Pos(), "nothing may follow the final block or call of main")
	case i < 0 && c.rules.Bwrap != "":
		c.report(file.End(), "the script must end in a { } block or a call of main")
	}
}

func isFinal(stmt *syntax.Stmt) bool {
	switch cmd := stmt.Cmd.(type) {
	case *syntax.Block:
		return true
	case *syntax.CallExpr:
		return len(cmd.Args) > 0 && cmd.Args[0].Lit() == "main"
	}
	return false
}
