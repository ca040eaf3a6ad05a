package trace

import "mvdan.cc/sh/v3/syntax"

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
			v, ok := t.now.get(t.resolve(name))
			switch {
			case !ok || !v.array && !extends(n):
				t.assign(name, t.unknown(name))
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
