package trace

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
	old, known := t.now.get(t.resolve(name))
	switch {
	case a.Naked:
		if local {
			t.now.set(name, holding{})
		}
	case a.Array != nil:
		list := t.array(a.Array.Elems)
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

// array gives the words of an array. Of one that is put together anew, with words
// inserted, all is there.
func (t *tracer) array(elements []*syntax.ArrayElem) []*Argument {
	var list []*Argument
	var rest section
	for i, e := range elements {
		part, sliced := t.section(e.Value)
		after := section{name: part.name, offset: part.length}
		switch {
		case e.Value == nil, sliced && part == rest:
		case sliced && part.offset == "0" && slices.ContainsFunc(elements[i+1:], func(e *syntax.ArrayElem) bool {
			other, ok := t.section(e.Value)
			return ok && other == after
		}):
			rest = after
			list = append(list, t.elements(part.name)...)
		default:
			list = append(list, t.fields(e.Value)...)
		}
	}
	return list
}

// section is a part of an array: "${name[@]:offset:length}".
type section struct{ name, offset, length string }

// section reads a word that is no more than that.
func (t *tracer) section(w *syntax.Word) (section, bool) {
	if w == nil || len(w.Parts) != 1 {
		return section{}, false
	}
	quoted, ok := w.Parts[0].(*syntax.DblQuoted)
	if !ok || len(quoted.Parts) != 1 {
		return section{}, false
	}
	p, ok := quoted.Parts[0].(*syntax.ParamExp)
	if !ok || p.Slice == nil || p.Slice.Offset == nil {
		return section{}, false
	}
	text := func(x syntax.ArithmExpr) string {
		if x == nil {
			return ""
		}
		return string(t.src[x.Pos().Offset():x.End().Offset()])
	}
	index, ok := p.Index.(*syntax.Word)
	return section{p.Param.Value, text(p.Slice.Offset), text(p.Slice.Length)}, ok && index.Lit() == "@"
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
			if old, ok := t.now.get(name); ok {
				f.locals[name] = &old
			}
		}
		t.now.unset(name)
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
			t.now.set(a.Name.Value, holding{refer: target})
			continue
		}
		t.set(a, local)
	}
}
