package trace

import (
	"slices"
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
		if len(p.Stmts) == 0 { // a comment: `# ...`
			return found{text: Text{}, unquoted: true}
		}
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
