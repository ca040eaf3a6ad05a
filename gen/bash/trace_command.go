package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call follows a command.
func (t *tracer) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			t.set(a, false)
		}
		return
	}
	var path Text
	for _, a := range c.Assigns {
		if a.Name != nil && a.Name.Value == "PATH" && a.Value != nil {
			path = t.text(a.Value)
		} else if a.Value != nil {
			t.text(a.Value)
		}
	}
	words := t.words(c.Args)
	if len(words) == 0 {
		return
	}
	run := starter{t: t, at: position(c.Pos()), path: path}
	run.start(words)
}

// set follows one assignment.
func (t *tracer) set(a *syntax.Assign, local bool) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	if local {
		t.hide(name)
	}
	old, known := t.now.vars[t.resolve(name)]
	switch {
	case a.Naked:
		if local {
			t.now.vars[name] = holding{}
		}
	case a.Array != nil:
		var list []*Argument
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				list = append(list, t.fields(e.Value)...)
			}
		}
		if a.Append {
			list = append(old.list[:len(old.list):len(old.list)], list...)
		}
		t.assign(name, holding{list: t.bounded(list), array: true})
	case a.Index != nil && len(old.list) > 0 && !t.atEnd(a): // another word in the place of one
		t.text(a.Value)
	case a.Index != nil:
		one := &Argument{Text: t.text(a.Value), At: position(a.Pos())}
		t.assign(name, holding{list: t.bounded(append(old.list[:len(old.list):len(old.list)], one)), array: true})
	case a.Append && known && old.array:
		t.assign(name, holding{list: []*Argument{t.many(name)}, array: true})
	case a.Append:
		t.assign(name, holding{list: []*Argument{{Text: t.lookup(name).plus(t.text(a.Value))}}})
	default:
		t.assign(name, holding{list: []*Argument{{Text: t.text(a.Value), At: t.written(a.Value)}}})
	}
}

// atEnd reports whether an assignment is name[${#name[@]}]=, the old way to append.
func (t *tracer) atEnd(a *syntax.Assign) bool {
	for n := range syntax.Preorder(a.Index) {
		if p, ok := n.(*syntax.ParamExp); ok && p.Length && p.Param != nil && p.Param.Value == a.Name.Value {
			return true
		}
	}
	return false
}

// hide notes what a local variable hides.
func (t *tracer) hide(name string) {
	for _, f := range slices.Backward(t.frames) {
		if f.locals == nil {
			continue
		}
		if _, again := f.locals[name]; !again {
			f.locals[name] = nil
			if old, ok := t.now.vars[name]; ok {
				f.locals[name] = &old
			}
		}
		delete(t.now.vars, name)
		return
	}
}

func (t *tracer) declare(d *syntax.DeclClause) {
	local := d.Variant.Value == "local" || d.Variant.Value == "declare" || d.Variant.Value == "typeset"
	refers, drops := false, false
	for _, a := range d.Args {
		if a.Naked && a.Name == nil && a.Value != nil {
			option := a.Value.Lit()
			if option == "" { // export -n "${names[@]}"
				t.now.dropped = t.now.dropped || drops
				t.text(a.Value)
				continue
			}
			refers = refers || strings.HasPrefix(option, "-") && strings.Contains(option, "n") && d.Variant.Value != "export"
			drops = drops || option == "-n" && d.Variant.Value == "export"
			local = local && !(strings.HasPrefix(option, "-") && strings.Contains(option, "g"))
			continue
		}
		if refers && a.Name != nil && a.Value != nil {
			target, known := t.text(a.Value).Literal()
			if !known || target == a.Name.Value {
				target = ""
			}
			if local {
				t.hide(a.Name.Value)
			}
			t.now.vars[a.Name.Value] = holding{refer: target}
			continue
		}
		t.set(a, local)
	}
}

// starter follows the words of one command to what it starts.
type starter struct {
	t       *tracer
	at      Position
	path    Text // of an assignment before the command
	cleared bool
	exec    bool
	program bool // another one starts it, so that it is no function
}

// wrappers are programs that run their operands.
var wrappers = []string{
	"sudo", "doas", "nice", "ionice", "timeout", "systemd-run", "strace", "ltrace", "unshare", "flock", "stdbuf", "nohup",
	"setsid", "setpriv", "taskset", "prlimit", "chrt", "time", "dbus-run-session", "catchsegv", "chronic", "numactl", "cgexec", "xvfb-run", "script", "fakeroot", "proot",
}

func (s *starter) start(words []*Argument) {
	t := s.t
	if len(words) == 0 {
		return
	}
	first := words[0]
	name, known := first.Text.Literal()
	if f, ok := t.functions[name]; ok && known && !s.program {
		t.function(f, words[1:])
		return
	}
	if isBwrapWord(first) {
		s.launch(words)
		return
	}
	if first.Caller {
		if t.inside == 0 && (s.program || !t.dispatches(s.at)) {
			t.r.Outside = append(t.r.Outside, s.at)
		}
		return
	}
	if !known || first.Many {
		return
	}
	if strings.HasPrefix(name, "--") && len(name) > 2 {
		t.r.Broken = append(t.r.Broken, *first)
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if follow, ok := builtins[name]; ok {
		follow(s, words[1:])
		return
	}
	s.operands(name, words[1:])
	if s.exec {
		t.ended = true
	}
}

// dispatches reports whether a command ends a script that has not called bwrap, and
// so chooses one of its functions.
func (t *tracer) dispatches(at Position) bool {
	return at == t.last && len(t.functions) > 0 && len(t.r.Launches) == 0
}

// operands starts what is among the words of a program that runs others: a call of
// bwrap, or the caller's command. A program that is not known to do so may, too.
func (s *starter) operands(program string, words []*Argument) {
	s.program = true
	known := slices.Contains(wrappers, program)
	for i, w := range words {
		switch {
		case i > 0 && words[i-1].Text.Is("-c") && evaluates(w.Text):
			s.t.r.Evaluated = append(s.t.r.Evaluated, s.at)
			return
		case i == 1 && s.exec && words[0].Text.Is("-c") && isShell(program) && runsArguments(w, words[2:]):
			s.t.r.Outside = append(s.t.r.Outside, s.at)
			return
		case isBwrapWord(w) && (known || program != "echo" && i+1 < len(words) && optional(words[i+1])), known && w.Caller:
			s.start(words[i:])
			return
		}
	}
}

// runsArguments reports whether a shell's -c runs what the caller asks for.
func runsArguments(text *Argument, words []*Argument) bool {
	return strings.Contains(text.Text.String(), `$@`) && slices.ContainsFunc(words, func(a *Argument) bool { return a.Caller || a.Text.Caller() })
}

// optional reports whether a word behind bwrap's name is an option.
func optional(a *Argument) bool {
	text := a.Text.String()
	return strings.HasPrefix(text, "--") && text != "--" || a.Many
}

// evaluates reports whether a text is a call of bwrap that values are put into.
func evaluates(t Text) bool {
	if len(t) == 0 {
		return false
	}
	if _, known := t.Literal(); known {
		return false
	}
	first := strings.Fields(t[0].Literal)
	if len(first) == 0 {
		return isBwrapWord(&Argument{Text: t[:1]})
	}
	called := slices.IndexFunc(first, func(word string) bool { return isBwrapWord(&Argument{Text: literal(word)}) })
	return called == 0 || called > 0 && (slices.Contains(wrappers, first[0]) || first[0] == "exec" || first[0] == "env")
}
