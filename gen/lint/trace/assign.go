package trace

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// set follows one assignment.
func (t *tracer) set(a *syntax.Assign, local bool) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	if local {
		t.hide(name)
	}
	if a.Naked {
		if local {
			t.now.held[name] = holding{}
		}
		return
	}
	old := t.now.held[t.resolve(name)]
	before := old.list[:len(old.list):len(old.list)]
	switch {
	case a.Array != nil:
		list := t.array(a.Array.Elems)
		if a.Append {
			list = append(before, list...)
		}
		t.assign(name, t.arrayOf(list))
	case a.Index != nil:
		one := &Argument{Text: t.text(a.Value), At: position(a.Pos())}
		// name[${#name[@]}]= is the old way to append. Not another word in the place of one.
		isLength := func(p *syntax.ParamExp) bool { return p.Length && nameOf(p) == name }
		if len(before) == 0 || some(a.Index, isLength) {
			t.assign(name, t.arrayOf(append(before, one)))
		}
	case a.Append && old.array:
		t.assign(name, t.arrayOf([]*Argument{t.many(name)}))
	case a.Append:
		t.assign(name, scalar(&Argument{Text: t.lookup(name).plus(t.text(a.Value))}))
	default:
		t.assign(name, scalar(&Argument{Text: t.text(a.Value), At: t.written(a.Value)}))
	}
}

// array gives the words of an array.
func (t *tracer) array(elements []*syntax.ArrayElem) []*Argument {
	var list []*Argument
	for _, e := range elements {
		if e.Value != nil {
			list = append(list, t.fields(e.Value)...)
		}
	}
	return list
}

// source is a part of a script as it is written.
func source(n syntax.Node) string {
	var b strings.Builder
	if err := syntax.NewPrinter().Print(&b, n); err != nil {
		return "?"
	}
	return b.String()
}

// hide notes what a local variable hides.
func (t *tracer) hide(name string) {
	for _, f := range slices.Backward(t.frames) {
		if f.locals == nil {
			continue
		}
		if _, again := f.locals[name]; !again {
			f.locals[name] = nil
			if old, ok := t.now.held[name]; ok {
				f.locals[name] = &old
			}
		}
		delete(t.now.held, name)
		return
	}
}

// declare follows local, export and their like.
func (t *tracer) declare(d *syntax.DeclClause) {
	command := d.Variant.Value
	local := slices.Contains([]string{"local", "declare", "typeset"}, command)
	refers, drops := false, false
	for _, a := range d.Args {
		switch {
		case a.Name == nil:
			option := a.Value.Lit()
			switch {
			case option == "": // export -n "${names[@]}"
				raise(&t.now.dropped, drops)
				t.text(a.Value)
			case command == "export":
				raise(&drops, option == "-n")
			case option[0] == '-':
				raise(&refers, strings.Contains(option, "n"))
				if strings.Contains(option, "g") {
					local = false
				}
			}
		case refers && a.Value != nil:
			t.refer(a, local)
		default:
			t.set(a, local)
		}
	}
}

// refer has a variable stand for another one.
func (t *tracer) refer(a *syntax.Assign, local bool) {
	name := a.Name.Value
	target, _ := t.text(a.Value).Literal()
	if local {
		t.hide(name)
	}
	t.now.held[name] = holding{refer: target}
}
