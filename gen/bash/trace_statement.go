package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (t *tracer) statements(list []*syntax.Stmt) {
	for _, s := range list {
		if t.ended {
			return
		}
		t.statement(s)
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
	t.command(s.Cmd)
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
		t.aside(func() { t.statements(c.Stmts) })
	case *syntax.BinaryCmd:
		t.binary(c)
	case *syntax.IfClause:
		t.branch(c)
	case *syntax.CaseClause:
		t.cases(c)
	case *syntax.WhileClause:
		t.statements(c.Cond)
		t.loop(func() { t.havoc(c); t.statements(c.Do) })
	case *syntax.ForClause:
		t.forLoop(c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			t.statement(c.Stmt)
		}
	case *syntax.CoprocClause:
		t.aside(func() { t.statement(c.Stmt) })
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		t.substitutions(c)
	}
}

func (t *tracer) binary(c *syntax.BinaryCmd) {
	if isPipe(c) {
		t.aside(func() { t.statement(c.X) })
		t.aside(func() { t.statement(c.Y) })
		return
	}
	t.statement(c.X)
	if t.ended {
		return
	}
	t.alternatives(func() { t.statement(c.Y) }, func() {})
}

func (t *tracer) branch(c *syntax.IfClause) {
	t.statements(c.Cond)
	if t.ended {
		return
	}
	t.alternatives(
		func() { t.statements(c.Then) },
		func() {
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
	if item, sure := t.taken(c); sure {
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
		ways = append(ways, func() { t.statements(item.Stmts) })
	}
	if !all {
		ways = append(ways, func() {})
	}
	t.alternatives(ways...)
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

// loop follows a body that may run any number of times, once.
func (t *tracer) loop(body func()) {
	if t.ended {
		return
	}
	f := &frame{}
	t.frames = append(t.frames, f)
	t.alternatives(func() { t.round(f, body) }, func() {})
	t.frames = t.frames[:len(t.frames)-1]
	t.meet(f.breaks)
}

// round follows a body, up to its end or a continue.
func (t *tracer) round(f *frame, body func()) {
	f.next = nil
	body()
	t.meet(f.next)
}

// meet joins ways that lead here to the present one.
func (t *tracer) meet(others []*state) {
	if !t.ended {
		others = append(others[:len(others):len(others)], t.now)
	}
	if t.ended = len(others) == 0; !t.ended {
		t.now = t.join(others)
	}
}

// leave ends the way through a loop or a function.
func (t *tracer) leave(word string) {
	for i := len(t.frames) - 1; i >= 0; i-- {
		f := t.frames[i]
		switch {
		case word == "return" && f.locals != nil:
			f.returns = append(f.returns, t.now)
			t.ended = true
			return
		case f.locals != nil:
			return // break out of the caller's loop: nobody does
		case word == "continue":
			f.next = append(f.next, t.now)
			t.ended = true
			return
		case word == "break":
			f.breaks = append(f.breaks, t.now)
			t.ended = true
			return
		}
	}
}

func (t *tracer) forLoop(c *syntax.ForClause) {
	each, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select {
		t.substitutions(c.Loop)
		t.loop(func() { t.havoc(c); t.statements(c.Do) })
		return
	}
	items := t.now.args
	if each.InPos.IsValid() {
		items = t.words(each.Items)
	}
	f := &frame{}
	t.frames = append(t.frames, f)
	rounds := maxUnroll
	if nests(c.Do) || len(items) > maxUnroll {
		rounds = maxNested
	}
	for i, item := range items {
		if t.ended || t.steps > maxSteps || i > rounds {
			break
		}
		if item.Many || i == rounds {
			t.alternatives(func() {
				one := &Argument{Text: t.fresh(each.Name.Value)}
				one.Text[0].Caller = item.Caller
				t.round(f, func() { t.havoc(c); t.assign(each.Name.Value, holding{list: []*Argument{one}}); t.statements(c.Do) })
			}, func() {})
			continue
		}
		body := func() {
			t.assign(each.Name.Value, holding{list: []*Argument{{Text: item.Text, At: item.At}}})
			t.round(f, func() { t.statements(c.Do) })
		}
		if item.When != 0 {
			t.alternatives(body, func() {})
		} else {
			body()
		}
	}
	t.frames = t.frames[:len(t.frames)-1]
	t.meet(f.breaks)
}

// nests reports whether there are loops within a loop.
func nests(body []*syntax.Stmt) bool {
	for _, s := range body {
		for n := range syntax.Preorder(s) {
			switch n.(type) {
			case *syntax.ForClause, *syntax.WhileClause:
				return true
			}
		}
	}
	return false
}

// havoc forgets what a loop changes: its body is followed once for all rounds.
func (t *tracer) havoc(loop syntax.Node) {
	for n := range syntax.Preorder(loop) {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name == nil || n.Naked || n.Array != nil || n.Index != nil {
				continue
			}
			name := n.Name.Value
			v, ok := t.now.vars[t.resolve(name)]
			switch {
			case !ok || !v.array && !extends(n):
				t.assign(name, t.unknown(name))
			case !v.array:
				t.assign(name, t.begun(name, [][]*Argument{v.list, v.list}))
			}
		case *syntax.CallExpr:
			if len(n.Args) > 0 && n.Args[0].Lit() == "shift" {
				t.shiftAway()
			}
		}
	}
}

// extends reports whether an assignment keeps what there is, and adds to it.
func extends(a *syntax.Assign) bool {
	if a.Append || a.Value == nil || len(a.Value.Parts) == 0 {
		return a.Append
	}
	first := a.Value.Parts[0]
	if quoted, ok := first.(*syntax.DblQuoted); ok && len(quoted.Parts) > 0 {
		first = quoted.Parts[0]
	}
	p, ok := first.(*syntax.ParamExp)
	return ok && p.Param != nil && p.Param.Value == a.Name.Value && isPlain(p)
}

// isPlain reports whether an expansion is no more than the value of a variable.
func isPlain(p *syntax.ParamExp) bool {
	return p.Exp == nil && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Names == 0 && !p.Excl && !p.Length && !p.Width && !p.IsSet
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
			delete(t.now.vars, name)
		} else {
			t.now.vars[name] = *old
		}
	}
}
