package trace

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (t *tracer) statements(list []*syntax.Stmt) {
	before := len(t.r.Launches)
	for i, s := range list {
		if t.ended {
			return
		}
		if i > 0 {
			t.launched = len(t.r.Launches) > before
		}
		before = len(t.r.Launches)
		t.statement(s)
		if t.ended {
			t.never(list[i+1:])
		}
	}
}

// cleaners are programs that scripts clean up with.
var cleaners = []string{"rm", "rmdir", "umount", "fusermount", "fusermount3", "kill", "pkill", "shred", "trap"}

// never notes a command that cleans up behind exec: bash does not come to it.
func (t *tracer) never(rest []*syntax.Stmt) {
	if len(t.r.Launches) == 0 || len(rest) == 0 || !t.r.Launches[len(t.r.Launches)-1].Exec {
		return
	}
	for _, s := range rest {
		c, ok := s.Cmd.(*syntax.CallExpr)
		if ok && len(c.Args) > 0 && slices.Contains(cleaners, c.Args[0].Lit()) {
			t.r.Launches[len(t.r.Launches)-1].Never = position(s.Pos())
			return
		}
	}
}

func (t *tracer) statement(s *syntax.Stmt) {
	if t.steps++; t.steps > maxSteps {
		t.ended = true
		return
	}
	for _, r := range s.Redirs {
		t.substitutions(r)
	}
	if s.Background || s.Coprocess {
		t.aside(func() { t.command(s.Cmd) })
		return
	}
	t.filled = t.fills(s)
	t.command(s.Cmd)
}

// fills names the descriptor for which a statement writes words as bwrap's --args
// reads them (bwrap(1)), by printf '%s\0' WORDS >>/proc/self/fd/N; empty: none.
func (t *tracer) fills(s *syntax.Stmt) string {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || c.Args[0].Lit() != "printf" || len(s.Redirs) != 1 || s.Redirs[0].Op != syntax.AppOut {
		return ""
	}
	number, _ := strings.CutPrefix(t.text(s.Redirs[0].Word).String(), "/proc/self/fd/")
	return number
}

// substitutions follows the commands in the words of a node.
func (t *tracer) substitutions(n syntax.Node) {
	for n := range syntax.Preorder(n) {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			t.substituted(n.Stmts)
		case *syntax.ProcSubst:
			t.substituted(n.Stmts)
		}
	}
}

func (t *tracer) substituted(list []*syntax.Stmt) {
	t.inside++
	t.aside(func() { t.statements(list) })
	t.inside--
}

func (t *tracer) command(cmd syntax.Command) {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		t.call(c)
	case *syntax.DeclClause:
		t.declare(c)
	case *syntax.Block:
		t.statements(c.Stmts)
	case *syntax.Subshell:
		t.aside(func() {
			t.now.exitTrap = false // bash(1): it has none of the script's traps
			t.statements(c.Stmts)
		})
	case *syntax.BinaryCmd:
		t.binary(c)
	case *syntax.IfClause:
		t.branch(c)
	case *syntax.CaseClause:
		t.cases(c)
	case *syntax.WhileClause:
		tests := len(t.r.Tests)
		t.statements(c.Cond)
		t.r.Tests = t.r.Tests[:tests] // the script goes on, whatever it says
		t.loop(func() { t.havoc(c); t.statements(c.Do) })
	case *syntax.ForClause:
		t.forLoop(c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			t.statement(c.Stmt)
		}
	case *syntax.CoprocClause:
		t.aside(func() { t.statement(c.Stmt) })
	case *syntax.TestClause:
		t.substitutions(c)
		t.tested(c)
	case *syntax.ArithmCmd, *syntax.LetClause:
		t.substitutions(c)
	}
}

func (t *tracer) binary(c *syntax.BinaryCmd) {
	before := t.status
	if isPipe(c) {
		if !t.r.Pipefail {
			t.status = StatusPiped
		}
		t.aside(func() { t.statement(c.X) })
		t.status = before
		t.aside(func() { t.statement(c.Y) })
		return
	}
	asks := t.asks(c.X)
	if c.Op == syntax.OrStmt && succeeds(c.Y) {
		t.status = StatusIgnored
	}
	calls := len(t.r.Launches)
	t.statement(c.X)
	t.status = before
	missing := c.Op == syntax.OrStmt && (asks == bwrapThere || len(t.r.Launches) > calls) || c.Op == syntax.AndStmt && asks == bwrapMissing
	if t.ended && !(c.Op == syntax.OrStmt && len(t.r.Launches) > calls) {
		t.now.failed = t.now.failed || asks == bwrapThere
		return
	}
	gone := t.ended // exec bwrap ... || other: what follows runs where exec fails
	t.alternatives(func() { t.now.failed = t.now.failed || missing; t.statement(c.Y) }, func() {
		there := c.Op == syntax.AndStmt && asks == bwrapThere || c.Op == syntax.OrStmt && asks == bwrapMissing
		t.now.failed, t.ended = t.now.failed || there, gone
	})
}

func (t *tracer) branch(c *syntax.IfClause) {
	asks := unasked
	if len(c.Cond) == 1 {
		asks = t.asks(c.Cond[0])
	}
	calls := len(t.r.Launches)
	t.statements(c.Cond)
	if t.ended {
		return
	}
	runs, launches := len(t.r.Runs), len(t.r.Launches)
	defer func() { t.beside(runs, launches) }()
	if asks == unasked && len(t.r.Launches) > calls && len(c.Cond) == 1 {
		asks = bwrapThere
		if c.Cond[0].Negated {
			asks = bwrapMissing
		}
	}
	t.alternatives(
		func() {
			t.now.failed = t.now.failed || asks == bwrapMissing
			t.statements(c.Then)
		},
		func() {
			t.now.failed = t.now.failed || asks == bwrapThere
			switch {
			case c.Else == nil:
			case len(c.Else.Cond) == 0: // else
				t.statements(c.Else.Then)
			default:
				t.branch(c.Else)
			}
		},
	)
}

func (t *tracer) cases(c *syntax.CaseClause) {
	t.substitutions(c.Word)
	t.compared(c)
	asks := t.names(c.Word)
	if item, sure := t.taken(c); sure && !asks {
		if item != nil {
			t.statements(item.Stmts)
		}
		return
	}
	var ways []func()
	all := false
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			all = all || p.Lit() == "*"
		}
		ways = append(ways, func() {
			t.now.failed = t.now.failed || asks && slices.ContainsFunc(item.Patterns, isEmpty)
			t.statements(item.Stmts)
		})
	}
	if !all {
		ways = append(ways, func() {})
	}
	t.alternatives(ways...)
}

// isEmpty reports whether a pattern is for nothing at all.
func isEmpty(p *syntax.Word) bool {
	text, plain := constant(p)
	return plain && text == ""
}

// beside marks the programs that run in one branch where another one calls bwrap.
func (t *tracer) beside(runs, launches int) {
	for i := runs; i < len(t.r.Runs) && len(t.r.Launches) > launches; i++ {
		t.r.Runs[i].Beside = true
	}
}

// taken gives the arm that a known word leads to, or none; not sure where a
// pattern is more than a text, or an arm goes on in the next.
func (t *tracer) taken(c *syntax.CaseClause) (item *syntax.CaseItem, sure bool) {
	word, known := t.text(c.Word).Literal()
	if !known {
		return nil, false
	}
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			text, plain := constant(p)
			switch {
			case item.Op != syntax.Break:
				return nil, false
			case p.Lit() == "*", plain && text == word && !strings.ContainsAny(text, `*?[\`):
				return item, true
			case !plain || strings.ContainsAny(text, `*?[\`):
				return nil, false
			}
		}
	}
	return nil, true
}

// function follows a function with its arguments.
func (t *tracer) function(f *syntax.FuncDecl, args []*Argument) {
	name := f.Name.Value
	t.entered[name] = true
	if t.depth >= maxDepth {
		t.r.Lost = true
		return
	}
	if t.running[name] > 1 { // a third round within the second adds nothing new
		return
	}
	t.running[name]++
	defer func() { t.running[name]-- }()
	saved, shifted, fr := t.now.args, t.now.shifted, &frame{locals: map[string]*holding{}}
	t.now.args = args
	t.frames = append(t.frames, fr)
	t.depth++
	t.statement(f.Body)
	t.depth--
	t.frames = t.frames[:len(t.frames)-1]
	t.meet(fr.returns)
	t.now.args, t.now.shifted = saved, shifted
	for name, old := range fr.locals {
		if old == nil {
			t.now.unset(name)
		} else {
			t.now.set(name, *old)
		}
	}
}
