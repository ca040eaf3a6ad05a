package trace

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// resolve follows namerefs.
func (t *tracer) resolve(name string) string {
	for range 8 {
		v := t.now.held[name]
		if v.refer == "" {
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
	v, ok := t.now.held[name]
	switch {
	case !ok:
		return Text{{Name: name}}
	case len(v.list) == 0:
		return Text{}
	case !v.list[0].isOne():
		return t.fresh(name)
	}
	return v.list[0].Text
}

func (t *tracer) positional(n int) Text {
	if a := nth(t.now.args, n-1); a != nil {
		return a.Text
	}
	// One argument has the same value everywhere in a function, until a shift.
	value := -1 - t.now.shifted - 1000*t.depth
	return Text{{Name: strconv.Itoa(n), value: value, Caller: t.now.fromCaller()}}
}

// nth is the word of that number; nil: the script does not tell.
func nth(list []*Argument, n int) *Argument {
	for i, a := range list {
		if !a.isOne() {
			break
		}
		if i == n {
			return a
		}
	}
	return nil
}

// isAll reports whether a name or an index stands for all elements.
func isAll(name string) bool { return slices.Contains([]string{"@", "*"}, name) }

// elements gives the words of an array.
func (t *tracer) elements(name string) []*Argument {
	if isAll(name) {
		return t.now.args
	}
	name = t.resolve(name)
	if v, ok := t.now.held[name]; ok {
		return v.list
	}
	return []*Argument{{Text: Text{{Name: name}}, Many: true}}
}

// assign gives a variable a value.
func (t *tracer) assign(name string, v holding) {
	t.now.held[t.resolve(name)] = v
}

// scalar is what a plain variable holds.
func scalar(one *Argument) holding { return holding{list: []*Argument{one}} }

// arrayOf is what an array holds.
func (t *tracer) arrayOf(list []*Argument) holding {
	return holding{list: t.bounded(list), array: true}
}

// param gives what an expansion becomes.
func (t *tracer) param(p *syntax.ParamExp) found {
	name, kind := nameOf(p), effectOf(p)
	index := indexOf(p)
	all := isAll(name) || isAll(index)
	listed := func(words ...*Argument) found { return found{list: words, listed: true} }
	unquoted := func(text Text) found { return found{text: text, unquoted: true} }
	switch {
	case p.Length:
		return unquoted(Text{{Name: "#"}})
	case p.Names != 0, all && reshapes(p):
		return listed(t.many(name))
	case kind == alternate:
		return t.alternate(p)
	case all:
		return listed(t.elements(name)...)
	case reshapes(p):
		return unquoted(t.derived(p, t.lookup(name)))
	case p.Index != nil:
		return unquoted(t.indexed(p, name, index))
	}
	text := t.lookup(name)
	switch kind {
	case fallback:
		text = text.or(t.text(p.Exp.Word))
	case assigns:
		text = text.or(t.text(p.Exp.Word))
		t.assign(name, scalar(&Argument{Text: text}))
	}
	return unquoted(text)
}

// reshapes reports whether an expansion makes another value of a variable's, or has
// that of another one.
func reshapes(p *syntax.ParamExp) bool {
	switch {
	case p.Excl, p.Slice != nil, p.Repl != nil:
		return true
	}
	return p.Exp != nil && effectOf(p) == changes
}

// alternate is ${name:+words}.
func (t *tracer) alternate(p *syntax.ParamExp) found {
	word := p.Exp.Word
	if word == nil {
		return found{text: Text{}}
	}
	f := fielder{t: t, at: position(word.Pos())}
	for _, part := range word.Parts {
		if text, ok := part.(*syntax.Lit); ok {
			f.splitLiteral(plainText(text.Value))
		} else {
			f.add(part, false)
		}
	}
	f.end()
	return found{list: t.maybe(f.all), listed: true, whole: true}
}

// or is a text with a default.
func (t Text) or(other Text) Text {
	switch {
	case len(t) == 0:
		return other
	case len(t) > 1, t[0].Name == "", len(t[0].Default) > 0:
		return t
	}
	one := t[0]
	one.Default = other
	return Text{one}
}

// derived names what an expression makes of a value: the same twice is the same.
func (t *tracer) derived(p *syntax.ParamExp, text Text) Text {
	key := source(p) + "\x01" + text.Key()
	if p.Excl {
		key += strconv.Itoa(t.steps)
	}
	if t.made[key] == 0 {
		t.values++
		t.made[key] = t.values
	}
	return Text{{Name: nameOf(p), value: t.made[key], Of: text}}
}

func (t *tracer) indexed(p *syntax.ParamExp, name, index string) Text {
	if name == "BASH_SOURCE" && index == "0" {
		return t.lookup(name)
	}
	n, err := strconv.Atoi(index)
	if err != nil || p.Exp != nil {
		return t.fresh(name)
	}
	if one := nth(t.elements(name), n); one != nil {
		return one.Text
	}
	return t.fresh(name)
}

// WorkTree is the name of what git rev-parse --show-toplevel prints.
const WorkTree = "(git rev-parse)"

// printed gives what a command prints, for the few programs of which that is known.
func (t *tracer) printed(cmd syntax.Command) Text {
	switch c := cmd.(type) {
	case *syntax.BinaryCmd:
		return t.printedByBoth(c)
	case *syntax.CallExpr:
		if len(c.Args) > 0 {
			return t.printedByProgram(c.Args)
		}
	case nil: // $(>file)
	default:
		one := t.printedWithin("(...)", c)
		one[0].Words = areWords(one[0].Either)
		return one
	}
	return t.fresh("(...)")
}

// socketNames are what gpgconf --list-dirs calls the directory of its sockets, and those.
var socketNames = []string{"socketdir", "agent-socket", "agent-ssh-socket", "agent-extra-socket"}

// letter is an option of one letter.
var letter = regexp.MustCompile(`^-[a-zA-Z]$`)

// printedByProgram gives what a program or a function prints.
func (t *tracer) printedByProgram(words []*syntax.Word) Text {
	program, first, end := words[0].Lit(), litAt(words, 1), words[len(words)-1]
	if f := t.functions[program]; f != nil {
		return t.printedByFunction(f)
	}
	operands, last := len(words)-1, end.Lit()
	if letter.MatchString(first) {
		operands--
	}
	switch program {
	case "":
		program = "..."
	case "echo":
		if operands == 1 {
			return t.text(end)
		}
	case "pwd":
		return t.lookup("PWD")
	case "id":
		number := map[string]Text{"-u": {{Name: "UID"}}, "-g": {{Name: "#"}}}[first]
		if number != nil && operands == 0 {
			return number
		}
	case "command", "type", "which":
		flag := map[string]string{"command": "-v", "type": "-P"}[program]
		if last == "bwrap" && strings.HasPrefix(first, flag) {
			return literal("bwrap")
		}
	case "realpath", "readlink":
		if program == "realpath" || option.MatchString(first) {
			return t.absolute(t.text(end))
		}
	case "git":
		if last == "--show-toplevel" {
			return t.fresh(WorkTree)
		}
	case "gpgconf":
		if slices.Contains(socketNames, last) {
			return t.lookup("XDG_RUNTIME_DIR").plus(literal("/gnupg"))
		}
	case "dirname":
		if operands > 0 {
			return t.directory(t.text(end))
		}
	}
	return t.fresh("(" + program + ")")
}

// directory is what dirname prints of a path.
func (t *tracer) directory(of Text) Text {
	if last := len(of) - 1; last >= 0 {
		if i := strings.LastIndexByte(of[last].Literal, '/'); i > 0 {
			return of[:last:last].plus(literal(of[last].Literal[:i]))
		}
	}
	one := t.fresh("(dirname)")
	one[0].Of = of
	return one
}

// printedByBoth gives what two commands print: cd DIR && pwd where that is, others one
// of two things.
func (t *tracer) printedByBoth(c *syntax.BinaryCmd) Text {
	one := t.fresh("(...)")
	switch words := wordsOf(c.X.Cmd); {
	case c.Op == syntax.OrStmt:
		one[0].Either = []Text{t.printed(c.X.Cmd), t.printed(c.Y.Cmd)}
	case c.Op != syntax.AndStmt, program(c.Y.Cmd) != "pwd":
	case len(words) > 1 && words[0].Lit() == "cd":
		return t.absolute(t.text(words[len(words)-1]))
	}
	return one
}

// printedByFunction gives what a function prints: one of the things that its commands do.
func (t *tracer) printedByFunction(f *syntax.FuncDecl) Text {
	name := f.Name.Value
	if t.running[name] > 0 || t.steps > maxSteps {
		return t.fresh("(" + name + ")")
	}
	t.running[name]++
	text := t.printedWithin("("+name+")", f.Body)
	t.running[name]--
	return text
}

// printers are the programs of which it is known what they print.
var printers = []string{"echo", "pwd", "git", "realpath", "readlink"}

// printedWithin gives what the commands within another one print: one of these things.
func (t *tracer) printedWithin(name string, node syntax.Node) Text {
	one := t.fresh(name)
	elsewhere := func(r *syntax.Redirect) bool { return r.Op == syntax.DplOut }
	for s := range nodes[*syntax.Stmt](node) {
		if slices.Contains(printers, program(s.Cmd)) && !slices.ContainsFunc(s.Redirs, elsewhere) {
			one[0].Either = append(one[0].Either, t.printed(s.Cmd))
		}
	}
	return one
}

// absolute is a path from the root, where it is one from the working directory.
func (t *tracer) absolute(path Text) Text {
	switch {
	case path.Is("."):
		return t.lookup("PWD")
	case len(path) == 0, isAbsolute(path):
		return path
	}
	return t.lookup("PWD").plus(literal("/")).plus(path)
}
