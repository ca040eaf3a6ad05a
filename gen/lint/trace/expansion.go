package trace

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// resolve follows namerefs.
func (t *tracer) resolve(name string) string {
	for range 8 {
		v, ok := t.now.get(name)
		if !ok || v.refer == "" {
			break
		}
		name = v.refer
	}
	return name
}

// lookup gives the value of a plain variable.
func (t *tracer) lookup(name string) Text {
	name = t.resolve(name)
	if n, err := strconv.Atoi(name); err == nil && n > 0 {
		return t.positional(n)
	}
	v, ok := t.now.get(name)
	switch {
	case !ok:
		return Text{{Name: name}}
	case len(v.list) == 0:
		return Text{}
	case v.list[0].Many || v.list[0].When != 0:
		return t.fresh(name)
	}
	return v.list[0].Text
}

func (t *tracer) positional(n int) Text {
	if a := t.argument(n); a != nil {
		return a.Text
	}
	caller := slices.ContainsFunc(t.now.args, func(a *Argument) bool { return a.Caller })
	return Text{{Name: strconv.Itoa(n), value: -1 - t.now.shifted - 1000*t.depth, Caller: caller}}
}

// argument is the one of that number; nil: the script does not tell.
func (t *tracer) argument(n int) *Argument {
	for i, a := range t.now.args {
		switch {
		case a.Many || a.When != 0:
			return nil
		case i == n-1:
			return a
		}
	}
	return nil
}

// elements gives the words of an array.
func (t *tracer) elements(name string) []*Argument {
	if name == "@" || name == "*" {
		return t.now.args
	}
	name = t.resolve(name)
	if v, ok := t.now.get(name); ok {
		return v.list
	}
	return []*Argument{{Text: Text{{Name: name}}, Many: true}}
}

// assign gives a variable a value.
func (t *tracer) assign(name string, v holding) {
	t.now.set(t.resolve(name), v)
}

// param gives what an expansion becomes.
func (t *tracer) param(p *syntax.ParamExp) found {
	if p.Exp != nil && p.Exp.Word != nil {
		defer t.assigned(p)
	}
	if p.Param == nil {
		return found{text: t.fresh("?"), unquoted: true}
	}
	name := p.Param.Value
	all := name == "@" || name == "*"
	if index, ok := p.Index.(*syntax.Word); ok && (index.Lit() == "@" || index.Lit() == "*") {
		all = true
	}
	if p.Length || p.Width || p.IsSet {
		return found{text: Text{{Name: "#"}}, unquoted: true}
	}
	if all && isLast(p) {
		one := t.fresh(name)
		one[0].Caller = name == "@" || name == "*"
		return found{text: one, unquoted: true}
	}
	if p.Names != 0 || all && (p.Excl || p.Slice != nil || p.Repl != nil || p.Exp != nil && !keeps(p.Exp.Op)) {
		return found{list: []*Argument{t.many(name)}, listed: true}
	}
	if p.Exp != nil && (p.Exp.Op == syntax.AlternateUnset || p.Exp.Op == syntax.AlternateUnsetOrNull) {
		return t.alternate(p)
	}
	if all {
		return found{list: t.elements(name), listed: true}
	}
	if p.Excl || p.Slice != nil || p.Repl != nil {
		return found{text: t.derived(p, t.lookup(name)), unquoted: true}
	}
	if p.Index != nil {
		return found{text: t.indexed(p, name), unquoted: true}
	}
	return found{text: t.changed(p, t.lookup(name)), unquoted: true}
}

// isLast reports whether an expansion is the last word of an array: "${@: -1}".
func isLast(p *syntax.ParamExp) bool {
	if p.Slice == nil || p.Slice.Length != nil {
		return false
	}
	u, ok := p.Slice.Offset.(*syntax.UnaryArithm)
	if !ok || u.Op != syntax.Minus {
		return false
	}
	w, ok := u.X.(*syntax.Word)
	return ok && w.Lit() == "1"
}

// keeps reports whether an operator leaves a value that is there as it is.
func keeps(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull,
		syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return true
	}
	return false
}

// alternate is ${name:+words}.
func (t *tracer) alternate(p *syntax.ParamExp) found {
	if p.Exp.Word == nil {
		return found{text: Text{}}
	}
	f := fielder{t: t, at: position(p.Exp.Word.Pos())}
	for _, part := range p.Exp.Word.Parts {
		if text, ok := part.(*syntax.Lit); ok {
			f.split(literal(plainText(text.Value)))
		} else {
			f.add(part, false)
		}
	}
	f.end()
	words := f.all
	if len(words) == 1 && !words[0].Many && len(p.Exp.Word.Parts) == 1 {
		if _, ok := p.Exp.Word.Parts[0].(*syntax.Lit); ok && !strings.HasPrefix(words[0].Text.String(), "-") {
			return found{text: t.fresh(p.Param.Value), unquoted: true}
		}
	}
	return found{list: t.maybe(words), listed: true, whole: true}
}

// changed is what an operator makes of a value.
func (t *tracer) changed(p *syntax.ParamExp, text Text) Text {
	if p.Exp == nil {
		return text
	}
	switch p.Exp.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return text
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		other := t.text(p.Exp.Word)
		switch {
		case len(text) == 0:
			return other
		case len(text) == 1 && text[0].Name != "" && len(text[0].Default) == 0:
			one := text[0]
			one.Default = other
			return Text{one}
		}
		return text
	case syntax.RemSmallSuffix:
		if p.Exp.Word != nil && p.Exp.Word.Lit() == "/" {
			return text
		}
	}
	return t.derived(p, text)
}

// assigned does what ${name:=word} does besides.
func (t *tracer) assigned(p *syntax.ParamExp) {
	if p.Param != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) && p.Index == nil {
		exp := *p.Exp
		exp.Op = syntax.DefaultUnset
		text := t.changed(&syntax.ParamExp{Dollar: p.Dollar, Rbrace: p.Rbrace, Param: p.Param, Exp: &exp}, t.lookup(p.Param.Value))
		t.assign(p.Param.Value, holding{list: []*Argument{{Text: text}}})
	}
}

// derived names what an expression makes of a value: the same twice is the same.
func (t *tracer) derived(p *syntax.ParamExp, text Text) Text {
	begin, end := int(p.Pos().Offset()), int(p.End().Offset())
	source := "?"
	if 0 <= begin && begin < end && end <= len(t.src) {
		source = string(t.src[begin:end])
	}
	key := source + "\x01" + text.Key()
	if p.Excl {
		key += strconv.Itoa(t.steps)
	}
	if t.made[key] == 0 {
		t.values++
		t.made[key] = t.values
	}
	return Text{{Name: p.Param.Value, value: t.made[key], Of: text}}
}

func (t *tracer) indexed(p *syntax.ParamExp, name string) Text {
	index, ok := p.Index.(*syntax.Word)
	if ok && name == "BASH_SOURCE" && index.Lit() == "0" {
		return t.lookup(name)
	}
	if ok && p.Exp == nil {
		if n, err := strconv.Atoi(index.Lit()); err == nil {
			for i, a := range t.elements(name) {
				if a.Many || a.When != 0 {
					break
				}
				if i == n {
					return a.Text
				}
			}
		}
	}
	return t.fresh(name)
}

// output gives what $( ) becomes, for the few programs whose output is known.
func (t *tracer) output(c *syntax.CmdSubst) Text {
	t.substituted(c.Stmts)
	if len(c.Stmts) != 1 {
		return t.fresh("(...)")
	}
	return t.printed(c.Stmts[0].Cmd)
}

// WorkTree is the name of what git rev-parse --show-toplevel prints.
const WorkTree = "(git rev-parse)"

// printed gives what a command prints.
func (t *tracer) printed(cmd syntax.Command) Text {
	if both, ok := cmd.(*syntax.BinaryCmd); ok {
		return t.printedByBoth(both)
	}
	call, ok := cmd.(*syntax.CallExpr)
	if !ok && cmd != nil { // nil: $(>file)
		one := t.printedWithin("(...)", cmd)
		one[0].Words = len(one[0].Either) > 0 && !slices.ContainsFunc(one[0].Either, func(text Text) bool { return !addsOptions(text) })
		return one
	}
	if call == nil || len(call.Args) == 0 {
		return t.fresh("(...)")
	}
	program, last := call.Args[0].Lit(), call.Args[len(call.Args)-1]
	switch first := secondWord(call); {
	case t.functions[program] != nil:
		return t.printedByFunction(t.functions[program])
	case program == "echo" && (len(call.Args) == 2 || len(call.Args) == 3 && first == "-n"):
		return t.text(last)
	case program == "pwd":
		return t.lookup("PWD")
	case program == "id" && first == "-u" && len(call.Args) == 2:
		return Text{{Name: "UID"}}
	case program == "id" && first == "-g" && len(call.Args) == 2:
		return Text{{Name: "#"}} // a number
	case program == "command" && first == "-v", program == "type" && first == "-P", program == "which":
		if last.Lit() == "bwrap" {
			return literal("bwrap")
		}
	case (program == "realpath" || program == "readlink" && strings.HasPrefix(first, "-")) && len(call.Args) > 1:
		return t.absolute(t.text(last))
	case program == "git" && last.Lit() == "--show-toplevel":
		return t.fresh(WorkTree)
	case program == "gpgconf" && slices.Contains([]string{"socketdir", "agent-socket", "agent-ssh-socket", "agent-extra-socket"}, last.Lit()):
		return t.lookup("XDG_RUNTIME_DIR").plus(literal("/gnupg"))
	case program == "dirname" && len(call.Args) > 1:
		of := t.text(last)
		if i := strings.LastIndexByte(of[max(0, len(of)-1):].String(), '/'); len(of) > 0 && of[len(of)-1].Name == "" && i > 0 {
			return of[: len(of)-1 : len(of)-1].plus(literal(of[len(of)-1].Literal[:i]))
		}
		one := t.fresh("(dirname)")
		one[0].Of = of
		return one
	}
	return t.fresh("(" + orElse(program, "...") + ")")
}

// printedByBoth gives what two commands print: cd DIR && pwd where that is, others one
// of two things.
func (t *tracer) printedByBoth(c *syntax.BinaryCmd) Text {
	first, _ := c.X.Cmd.(*syntax.CallExpr)
	second, _ := c.Y.Cmd.(*syntax.CallExpr)
	switch {
	case c.Op == syntax.OrStmt:
		one := t.fresh("(...)")
		one[0].Either = []Text{t.printed(c.X.Cmd), t.printed(c.Y.Cmd)}
		return one
	case c.Op == syntax.AndStmt && first != nil && second != nil && len(first.Args) > 1 && first.Args[0].Lit() == "cd" && second.Args[0].Lit() == "pwd":
		return t.absolute(t.text(first.Args[len(first.Args)-1]))
	}
	return t.fresh("(...)")
}

// printedByFunction gives what a function prints: one of the things that its commands do.
func (t *tracer) printedByFunction(f *syntax.FuncDecl) Text {
	name := f.Name.Value
	if t.running[name] > 0 || t.steps > maxSteps {
		return t.fresh("(" + name + ")")
	}
	t.running[name]++
	defer func() { t.running[name]-- }()
	return t.printedWithin("("+name+")", f.Body)
}

// printedWithin gives what the commands within another one print: one of these things.
func (t *tracer) printedWithin(name string, node syntax.Node) Text {
	one := t.fresh(name)
	for n := range syntax.Preorder(node) {
		s, ok := n.(*syntax.Stmt)
		if !ok || slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool { return r.Op == syntax.DplOut }) {
			continue
		}
		call, ok := s.Cmd.(*syntax.CallExpr)
		if ok && len(call.Args) > 0 && slices.Contains([]string{"echo", "pwd", "git", "realpath", "readlink"}, call.Args[0].Lit()) {
			one[0].Either = append(one[0].Either, t.printed(call))
		}
	}
	return one
}

// absolute is a path from the root, where it is one from the working directory.
func (t *tracer) absolute(path Text) Text {
	switch {
	case path.Is("."):
		return t.lookup("PWD")
	case len(path) == 0 || absolute(path):
		return path
	}
	return t.lookup("PWD").plus(literal("/")).plus(path)
}

func secondWord(call *syntax.CallExpr) string {
	if len(call.Args) < 2 {
		return ""
	}
	return call.Args[1].Lit()
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
