package trace

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fielder puts the parts of a word together.
type fielder struct {
	t   *tracer
	at  Position
	all []*Argument
	one *Argument // that is not finished

	shared bool // one stands in an array, too
}

func (f *fielder) end() {
	if f.one != nil {
		f.all = append(f.all, f.one)
	}
	f.one, f.shared = nil, false
}

// open gives the word that goes on.
func (f *fielder) open() *Argument {
	switch {
	case f.one == nil:
		f.one = &Argument{At: f.at, Text: Text{}}
	case f.shared:
		own := *f.one
		f.one, f.shared = &own, false
	}
	return f.one
}

func (f *fielder) add(part syntax.WordPart, first bool) {
	if quoted, ok := part.(*syntax.DblQuoted); ok {
		if len(quoted.Parts) != 1 || !listing(quoted.Parts[0]) {
			f.open() // "" is a word
		}
		for _, p := range quoted.Parts {
			got := f.t.inner(p)
			if got.listed {
				f.list(got.list, false)
			} else {
				f.open().Text = f.open().Text.plus(got.text)
			}
		}
		return
	}
	got := f.t.part(part, first)
	switch {
	case got.listed:
		f.list(got.list, !got.whole)
	case got.unquoted:
		f.split(got.text)
	default:
		f.open().Text = f.open().Text.plus(got.text)
	}
}

// listing reports whether a part may stand for no word at all in quotes.
func listing(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok {
		return false
	}
	if p.Param != nil && p.Param.Value == "@" {
		return true
	}
	if index, ok := p.Index.(*syntax.Word); ok && index.Lit() == "@" {
		return true
	}
	if p.Exp != nil && p.Exp.Word != nil && (p.Exp.Op == syntax.AlternateUnset || p.Exp.Op == syntax.AlternateUnsetOrNull) {
		for n := range syntax.Preorder(p.Exp.Word) {
			if inner, ok := n.(*syntax.ParamExp); ok && listing(inner) {
				return true
			}
		}
	}
	return p.Names != 0
}

// list adds words that join what stands around them.
func (f *fielder) list(words []*Argument, unquoted bool) {
	for i, a := range words {
		b := *a
		if b.At.Line == 0 {
			b.At = f.at
		}
		if unquoted && splittable(b.Text) {
			b.Split = f.at
		}
		if i == 0 && f.one != nil {
			b.Text = f.one.Text.plus(b.Text)
		}
		if i > 0 {
			f.end()
		}
		if !unquoted && f.one == nil && a.At.Line > 0 {
			f.one, f.shared = a, true // the same word, so that joins know it again
		} else {
			f.one, f.shared = &b, false
		}
	}
}

// split adds an unquoted text.
func (f *fielder) split(text Text) {
	for i, p := range text {
		if p.Words {
			f.either(p.Either)
			continue
		}
		if p.Name != "" {
			one := f.open()
			one.Text = one.Text.plus(text[i : i+1])
			if !number(p.Name) {
				one.Split = f.at
			}
			one.Many = one.Many || splits(p) && len(one.Text) == 1 && (i+1 == len(text) || blankAt(text[i+1].Literal, 0))
			continue
		}
		for j, word := range strings.FieldsFunc(" "+p.Literal+" ", blank) {
			if j > 0 || blankAt(p.Literal, 0) {
				f.end()
			}
			one := f.open()
			one.Text = one.Text.plus(literal(word))
		}
		if blankAt(p.Literal, len(p.Literal)-1) {
			f.end()
		}
	}
}

// either adds words that may be there or not.
func (f *fielder) either(values []Text) {
	for _, value := range values {
		if len(value) > 0 {
			inner := fielder{t: f.t, at: f.at}
			inner.split(value)
			inner.end()
			f.end()
			f.all = append(f.all, f.t.maybe(inner.all)...)
		}
	}
}

// splittable reports whether a text may be more than one word, or a pattern.
func splittable(t Text) bool {
	return slices.ContainsFunc(t, func(p Piece) bool {
		return p.Name != "" && !number(p.Name) || strings.ContainsAny(p.Literal, " \t\n*?[")
	})
}

func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

func blankAt(text string, i int) bool {
	return i >= 0 && i < len(text) && blank(rune(text[i]))
}

// number reports whether a variable holds nothing that bash could split.
func number(name string) bool {
	return slices.Contains([]string{"UID", "EUID", "PPID", "$", "#", "?", "!", "RANDOM", "LINENO", "BASHPID", "SECONDS"}, name)
}

// splits reports whether a value may be made for being split.
func splits(p Piece) bool {
	return !number(p.Name) && !(p.Inherited() && slices.Contains([]string{"HOME", "PWD", "USER", "XDG_RUNTIME_DIR"}, p.Name))
}

func (t *tracer) field(w *syntax.Word) []*Argument {
	f := fielder{t: t, at: position(w.Pos())}
	for i, part := range w.Parts {
		f.add(part, i == 0)
	}
	f.end()
	if at := t.written(w); at.Line > 0 && len(f.all) == 1 {
		moved := *f.all[0]
		moved.At = at
		f.all[0] = &moved
	}
	return f.all
}

// written is where the value of a word that is one variable is written, if it is an
// item of a loop or an argument of a function.
func (t *tracer) written(w *syntax.Word) Position {
	if w == nil {
		return Position{}
	}
	parts := w.Parts
	if len(parts) == 1 {
		if quoted, ok := parts[0].(*syntax.DblQuoted); ok {
			parts = quoted.Parts
		}
	}
	if len(parts) != 1 {
		return Position{}
	}
	p, ok := parts[0].(*syntax.ParamExp)
	if !ok || p.Param == nil || !isPlain(p) {
		return Position{}
	}
	name := t.resolve(p.Param.Value)
	if n, err := strconv.Atoi(name); err == nil && t.argument(n) != nil {
		return t.argument(n).At
	}
	if v, _ := t.now.get(name); len(v.list) == 1 && !v.array {
		return v.list[0].At
	}
	return Position{}
}
