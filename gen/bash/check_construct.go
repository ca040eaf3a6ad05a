package bash

import "mvdan.cc/sh/v3/syntax"

// constructs are the parts of the language that a launcher does without, some
// of them but for the functions that may fork.
var constructs = [...]struct {
	is       func(syntax.Node) bool
	mayFork  bool // allowed in the functions of Rules.MaySubstitute
	sentence string
}{
	{isBackquotes, false, "backquotes are hard to read and to nest: write $( )"},
	{isCoproc, true, "a coprocess forks, and this function is not listed for that"},
	{isSelect, false, "select asks a person: a launcher does not"},
	{isLet, false, "let is a second way to write (( ))"},
	{isSubstitution, true, "a command substitution forks, and this function is not listed for that"},
	{isProcess, true, "a process substitution forks, and this function is not listed for that"},
	{isPipe, true, "a pipe forks, and this function is not listed for that"},
	{isJob, true, "a background job forks, and this function is not listed for that"},
	{isHere, true, "a here-document may write a file, and this function is not listed for that"},
}

func (c *checker) construct(n syntax.Node) {
	for _, rule := range constructs {
		if rule.is(n) && !(rule.mayFork && c.mayFork()) {
			c.report(place(n), "%s", rule.sentence)
		}
	}
}

// place is where a reader would point: for what joins or ends a command, the
// operator and not the command before it.
func place(n syntax.Node) syntax.Pos {
	switch n := n.(type) {
	case *syntax.BinaryCmd:
		return n.OpPos
	case *syntax.Stmt:
		return n.Semicolon
	case *syntax.Redirect:
		return n.OpPos
	}
	return n.Pos()
}

func isBackquotes(n syntax.Node) bool {
	s, ok := n.(*syntax.CmdSubst)
	return ok && s.Backquotes
}

func isSubstitution(n syntax.Node) bool {
	s, ok := n.(*syntax.CmdSubst)
	return ok && !s.Backquotes
}

func isProcess(n syntax.Node) bool {
	_, ok := n.(*syntax.ProcSubst)
	return ok
}

func isCoproc(n syntax.Node) bool {
	_, ok := n.(*syntax.CoprocClause)
	return ok
}

func isSelect(n syntax.Node) bool {
	loop, ok := n.(*syntax.ForClause)
	return ok && loop.Select
}

func isLet(n syntax.Node) bool {
	_, ok := n.(*syntax.LetClause)
	return ok
}

func isPipe(n syntax.Node) bool {
	b, ok := n.(*syntax.BinaryCmd)
	return ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll)
}

func isJob(n syntax.Node) bool {
	s, ok := n.(*syntax.Stmt)
	return ok && s.Background
}

func isHere(n syntax.Node) bool {
	r, ok := n.(*syntax.Redirect)
	return ok && (r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc)
}
