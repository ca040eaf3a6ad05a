package bash

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// words gives what a list of words becomes.
func (t *tracer) words(list []*syntax.Word) []*Argument {
	var all []*Argument
	for _, w := range list {
		all = append(all, t.fields(w)...)
	}
	return t.bounded(all)
}

// fields gives what one word becomes.
func (t *tracer) fields(w *syntax.Word) []*Argument {
	// A copy, since no walk of the tree knows what is split.
	split := &syntax.Word{Parts: slices.Clone(w.Parts)}
	if !syntax.SplitBraces(split) {
		return t.field(w)
	}
	var words []*syntax.Word
	for one, err := range expand.BracesSeq(nil, split) {
		if err != nil || len(words) == maxUnroll {
			return []*Argument{t.many("{}")}
		}
		words = append(words, one)
	}
	var all []*Argument
	for _, one := range words {
		for _, a := range t.field(one) {
			if a.At.Line == 0 || len(all) > 0 {
				a.At = position(w.Pos())
			}
			all = append(all, a)
		}
	}
	return all
}

// text gives what a word becomes where bash does not split it.
func (t *tracer) text(w *syntax.Word) Text {
	if w == nil {
		return Text{}
	}
	var sum Text
	for i, part := range w.Parts {
		sum = sum.plus(t.part(part, i == 0).text)
	}
	if sum == nil {
		sum = Text{}
	}
	return sum
}

// found is what a part of a word becomes.
type found struct {
	text     Text
	list     []*Argument // instead, if listed
	listed   bool
	unquoted bool // text is split, and may be a pattern
	whole    bool // the words of the list have quotes of their own
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
	if v := t.now.vars[name]; len(v.list) == 1 && !v.array {
		return v.list[0].At
	}
	return Position{}
}

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

// part gives what a part of a word becomes. Only of a whole word's first part
// a ~ is home.
func (t *tracer) part(part syntax.WordPart, first bool) found {
	switch p := part.(type) {
	case *syntax.Lit:
		return t.lit(p, first)
	case *syntax.SglQuoted:
		return found{text: single(p)}
	case *syntax.DblQuoted:
		var sum Text
		for _, inner := range p.Parts {
			got := t.inner(inner)
			if got.listed {
				got.text = t.fresh("*")
				if len(got.list) == 1 {
					got.text = got.list[0].Text
				}
			}
			sum = sum.plus(got.text)
		}
		return found{text: sum}
	case *syntax.ParamExp:
		return t.param(p)
	case *syntax.CmdSubst:
		return found{text: t.output(p), unquoted: true}
	case *syntax.ArithmExp:
		t.substitutions(p)
		return found{text: Text{{Name: "#"}}, unquoted: true}
	case *syntax.ProcSubst:
		t.substituted(p.Stmts)
		return found{text: t.fresh("()")}
	}
	return found{list: []*Argument{t.many("?")}, listed: true}
}

// inner gives what a part becomes in double quotes.
func (t *tracer) inner(part syntax.WordPart) found {
	if p, ok := part.(*syntax.Lit); ok {
		return found{text: literal(plainText(p.Value))}
	}
	return t.part(part, false)
}

func (t *tracer) lit(p *syntax.Lit, first bool) found {
	text := p.Value
	if first && (text == "~" || strings.HasPrefix(text, "~/")) {
		return found{text: t.lookup("HOME").plus(literal(plainText(text[1:])))}
	}
	if globs(p) && text != "[" {
		t.values++
		return found{text: Text{{Literal: plainText(text)}, {Name: "*", value: t.values}}}
	}
	return found{text: literal(plainText(text))}
}

// plainText takes away the backslashes that quote.
func plainText(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func single(p *syntax.SglQuoted) Text {
	if !p.Dollar {
		return literal(p.Value)
	}
	text, err := expand.Literal(&expand.Config{}, &syntax.Word{Parts: []syntax.WordPart{p}})
	if err != nil {
		return literal(p.Value)
	}
	return literal(text)
}
