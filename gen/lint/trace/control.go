package trace

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// statements follows commands in their order.
func (t *tracer) statements(list []*syntax.Stmt) {
	for i, s := range list {
		if t.ended {
			t.never(list[i:])
			return
		}
		raise(&t.final, s == t.end)
		before := len(t.r.Launches)
		t.statement(s)
		t.now.launched = len(t.r.Launches) > before
	}
}

// cleaners are programs that scripts clean up with.
var cleaners = []string{
	"rm", "rmdir", "umount", "fusermount", "fusermount3", "kill", "pkill", "shred", "trap",
}

// never notes a command that cleans up behind a call of bwrap, where bash does not come to it.
func (t *tracer) never(rest []*syntax.Stmt) {
	last := len(t.r.Launches) - 1
	i := slices.IndexFunc(rest, func(s *syntax.Stmt) bool { return slices.Contains(cleaners, program(s.Cmd)) })
	if min(last, i) >= 0 {
		t.r.Launches[last].Never = cmp.Or(t.textAt, position(rest[i].Pos()))
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
		t.loop(c, c.Do)
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
		compared(t.r, slices.Collect(nodes[*syntax.Word](c)), t.text)
	case *syntax.ArithmCmd, *syntax.LetClause:
		t.substitutions(c)
	}
}

// binary follows two commands that are joined by |, && or ||.
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
	or := c.Op == syntax.OrStmt
	asks := t.asks(c.X)
	if or && succeeds(c.Y) {
		t.status = StatusIgnored
	}
	calls := len(t.r.Launches)
	t.statement(c.X)
	t.status = before
	failed := or && len(t.r.Launches) > calls // the right side runs where a call of bwrap fails
	if t.ended && !failed {
		raise(&t.now.failed, asks == bwrapThere)
		return
	}
	gone := t.ended // exec bwrap ... || other: what follows runs where exec fails
	right := asks.unless(or)
	left := -right
	if failed {
		right = bwrapMissing
	}
	t.alternatives(
		func() { raise(&t.now.failed, right == bwrapMissing); t.statement(c.Y) },
		func() { raise(&t.now.failed, left == bwrapMissing); t.ended = gone },
	)
}

// condition follows a condition, and tells what it says about bwrap.
func (t *tracer) condition(list []*syntax.Stmt) answer {
	if len(list) != 1 {
		t.statements(list)
		return unasked
	}
	calls := len(t.r.Launches)
	asks := t.asks(list[0])
	t.statements(list)
	if asks == unasked && len(t.r.Launches) > calls {
		return bwrapThere.unless(list[0].Negated)
	}
	return asks
}

// branch follows if, elif and, without a condition, else.
func (t *tracer) branch(c *syntax.IfClause) {
	if c == nil {
		return
	}
	if len(c.Cond) == 0 {
		t.statements(c.Then)
		return
	}
	asks := t.condition(c.Cond)
	if t.ended {
		return
	}
	runs, launches := len(t.r.Runs), len(t.r.Launches)
	t.alternatives(
		func() { raise(&t.now.failed, asks == bwrapMissing); t.statements(c.Then) },
		func() { raise(&t.now.failed, asks == bwrapThere); t.branch(c.Else) },
	)
	if len(t.r.Launches) > launches {
		for i := range t.r.Runs[runs:] {
			t.r.Runs[runs+i].Beside = true
		}
	}
}

func (t *tracer) cases(c *syntax.CaseClause) {
	t.substitutions(c.Word)
	words := []*syntax.Word{c.Word}
	for _, item := range c.Items {
		words = append(words, item.Patterns...)
	}
	compared(t.r, words, t.text)
	asks := namesBwrap(c.Word)
	if stmts, sure := t.taken(c); sure && !asks {
		t.statements(stmts)
		return
	}
	var ways []func()
	all := false
	for _, item := range c.Items {
		raise(&all, slices.ContainsFunc(item.Patterns, isEverything))
		ways = append(ways, func() {
			raise(&t.now.failed, asks && slices.ContainsFunc(item.Patterns, t.isEmpty))
			t.statements(item.Stmts)
		})
	}
	if !all {
		ways = append(ways, func() {})
	}
	t.alternatives(ways...)
}

// isEmpty reports whether a pattern is for nothing at all.
func (t *tracer) isEmpty(p *syntax.Word) bool { return t.text(p).Is("") }

func isEverything(p *syntax.Word) bool { return p.Lit() == "*" }

// taken gives the commands that a known word leads to; not sure where a pattern is
// more than a text, or an arm goes on in the next.
func (t *tracer) taken(c *syntax.CaseClause) (stmts []*syntax.Stmt, sure bool) {
	word, known := t.text(c.Word).Literal()
	if !known {
		return nil, false
	}
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			text, isText := t.text(p).Literal()
			switch {
			case item.Op != syntax.Break:
				return nil, false
			case isEverything(p):
				return item.Stmts, true
			case !isText:
				return nil, false
			case text == word:
				return item.Stmts, true
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
	saved, shifted := t.now.args, t.now.shifted
	t.now.args = args
	locals := map[string]*holding{}
	t.running[name]++
	t.depth++
	t.within(locals, "return", func(*frame) { t.statement(f.Body) })
	t.depth--
	t.running[name]--
	t.now.args, t.now.shifted = saved, shifted
	for name, old := range locals {
		if old == nil {
			delete(t.now.held, name)
		} else {
			t.now.held[name] = *old
		}
	}
}

// frame is a function or a loop that is being followed.
type frame struct {
	locals map[string]*holding // what they hide, of a function; nil: of a loop
	ways   map[string][]*state // that leave it early, by return, continue or break
}

// within follows what is in a frame. The ways that a word ends meet behind it.
func (t *tracer) within(locals map[string]*holding, word string, follow func(*frame)) {
	f := &frame{locals: locals, ways: map[string][]*state{}}
	t.frames = append(t.frames, f)
	follow(f)
	t.frames = t.frames[:len(t.frames)-1]
	t.meet(f.ways[word])
}

// jump ends the way through a loop or a function. A break out of the caller's loop
// leads nowhere: nobody writes that.
func (t *tracer) jump(word string) {
	for _, f := range slices.Backward(t.frames) {
		isFunction := f.locals != nil
		if isFunction == (word == "return") {
			f.ways[word] = append(f.ways[word], t.now)
			t.ended = true
			return
		}
		if isFunction {
			return
		}
	}
}

// loop follows a body that may run any number of times, once.
func (t *tracer) loop(loop syntax.Node, body []*syntax.Stmt) {
	if t.ended {
		return
	}
	t.within(nil, "break", func(f *frame) {
		t.round(f, true, func() { t.havoc(loop); t.statements(body) })
	})
}

// round follows a body, up to its end or a continue. Where it is not sure, it may be left out.
func (t *tracer) round(f *frame, isUnsure bool, body func()) {
	once := func() {
		f.ways["continue"] = nil
		body()
		t.meet(f.ways["continue"])
	}
	if isUnsure {
		t.alternatives(once, func() {})
	} else {
		once()
	}
}

func (t *tracer) forLoop(c *syntax.ForClause) {
	each, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select {
		t.substitutions(c.Loop)
		t.loop(c, c.Do)
		return
	}
	items := t.now.args
	if each.InPos.IsValid() {
		items = t.words(each.Items)
	}
	rounds := maxUnroll
	if len(items) > maxUnroll {
		rounds = maxBegun
	}
	t.within(nil, "break", func(f *frame) {
		for i, item := range items[:min(len(items), rounds+1)] {
			if t.ended || t.steps > maxSteps {
				break
			}
			value := &Argument{Text: item.Text, At: item.At}
			rest := item.Many || i == rounds // any number of rounds
			if rest {
				value = &Argument{Text: t.fresh(each.Name.Value)}
				value.Text[0].Caller = item.Caller
			}
			t.round(f, rest || item.When != 0, func() {
				if rest {
					t.havoc(c)
				}
				t.assign(each.Name.Value, scalar(value))
				t.statements(c.Do)
			})
		}
	})
}

// havoc forgets what a loop changes: its body is followed once for all rounds.
func (t *tracer) havoc(loop syntax.Node) {
	for n := range syntax.Preorder(loop) {
		switch n := n.(type) {
		case *syntax.Assign:
			switch {
			case n.Name == nil, n.Naked, n.Array != nil, n.Index != nil: // it gives no plain variable a value
				continue
			}
			name := n.Name.Value
			v, known := t.now.held[t.resolve(name)]
			keeps := v.array || known && t.extends(n)
			if !keeps {
				t.assign(name, t.unknown(name))
			}
		case *syntax.CallExpr:
			if program(n) == "shift" {
				t.shiftAway()
			}
		}
	}
}

// extends reports whether an assignment keeps what there is, and adds to it.
func (t *tracer) extends(a *syntax.Assign) bool {
	if a.Append || a.Value == nil {
		return a.Append
	}
	value := strings.TrimPrefix(source(a.Value), `"`)
	rest, short := strings.CutPrefix(value, "$"+a.Name.Value)
	return short && !joins.MatchString(rest) || strings.HasPrefix(value, "${"+a.Name.Value+"}")
}
