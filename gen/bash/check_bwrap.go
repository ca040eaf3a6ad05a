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

// running returns the statement of the script itself in which bwrap is called,
// or nil. What stands after it is not for a run.
func (c *checker) running(file *syntax.File) *syntax.Stmt {
	for _, stmt := range file.Stmts {
		if _, ok := stmt.Cmd.(*syntax.FuncDecl); ok {
			continue
		}
		for n := range syntax.Preorder(stmt) {
			if call, ok := n.(*syntax.CallExpr); ok && c.bwrapIn(call) >= 0 && !substituted(stmt, call) {
				return stmt
			}
		}
	}
	return nil
}

// substituted reports whether a call stands in a $( ) of a statement.
func substituted(stmt *syntax.Stmt, call *syntax.CallExpr) bool {
	for n := range syntax.Preorder(stmt) {
		if s, ok := n.(*syntax.CmdSubst); ok && s.Pos().Offset() < call.Pos().Offset() && call.End().Offset() < s.End().Offset() {
			return true
		}
	}
	return false
}

// ending wants the run, to its exit, in one { } or if: bash reads a script as
// it goes, so an edit during a long run would be executed.
func (c *checker) ending() {
	if c.run == nil {
		return
	}
	switch c.run.Cmd.(type) {
	case *syntax.Block, *syntax.IfClause:
		if !exits(c.run) {
			c.report(c.run.End(), "the run must exit in the { } or if in which bwrap is called")
		}
	default:
		c.report(c.run.Pos(), "bwrap must be called in a { } or if that exits")
	}
}

func exits(stmt *syntax.Stmt) bool {
	for n := range syntax.Preorder(stmt) {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == "exit" {
			return true
		}
	}
	return false
}
