package trace

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/pattern"
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
		all = append(all, t.field(one)...)
	}
	for i, a := range all {
		if i > 0 {
			a.At = Position{}
		}
		a.At = cmp.Or(a.At, position(w.Pos()))
	}
	return all
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

// text gives what a word becomes where bash does not split it.
func (t *tracer) text(w *syntax.Word) Text {
	sum := Text{}
	if w == nil {
		return sum
	}
	for i, part := range w.Parts {
		sum = sum.plus(t.part(part, i == 0).text)
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
		return found{text: t.lit(p.Value, first)}
	case *syntax.SglQuoted:
		return found{text: single(p)}
	case *syntax.DblQuoted:
		sum := Text{}
		for _, inner := range p.Parts {
			got := t.inner(inner)
			switch {
			case !got.listed:
				sum = sum.plus(got.text)
			case len(got.list) == 1:
				sum = sum.plus(got.list[0].Text)
			default:
				sum = sum.plus(t.fresh("*"))
			}
		}
		return found{text: sum}
	case *syntax.ParamExp:
		return t.param(p)
	case *syntax.CmdSubst:
		t.substituted(p.Stmts)
		switch len(p.Stmts) {
		case 0: // a comment: `# ...`
			return found{text: Text{}, unquoted: true}
		case 1:
			return found{text: t.printed(p.Stmts[0].Cmd), unquoted: true}
		}
		return found{text: t.fresh("(...)"), unquoted: true}
	case *syntax.ArithmExp:
		t.substitutions(p)
		return found{text: Text{{Name: "#"}}, unquoted: true}
	case *syntax.ProcSubst:
		t.substituted(p.Stmts)
		return found{text: t.fresh("()")}
	}
	return found{text: t.fresh("?"), unquoted: true}
}

// inner gives what a part becomes in double quotes.
func (t *tracer) inner(part syntax.WordPart) found {
	if p, ok := part.(*syntax.Lit); ok {
		return found{text: literal(plainText(p.Value))}
	}
	return t.part(part, false)
}

var atHome = regexp.MustCompile(`^~(/|$)`)

func (t *tracer) lit(text string, first bool) Text {
	if first && atHome.MatchString(text) {
		return t.lookup("HOME").plus(literal(plainText(text[1:])))
	}
	if pattern.HasMeta(text, 0) {
		return literal(plainText(text)).plus(t.fresh("*"))
	}
	return literal(plainText(text))
}

// escaped is what a backslash quotes: a line's end vanishes.
var escaped = regexp.MustCompile(`\\(?:\n|(.))`)

// plainText takes away the backslashes that quote.
func plainText(text string) string { return escaped.ReplaceAllString(text, "$1") }

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

// fielder puts the parts of a word together.
type fielder struct {
	t   *tracer
	at  Position
	all []*Argument
	one *Argument // that is not finished
}

func (f *fielder) end() {
	if f.one != nil {
		f.all = append(f.all, f.one)
	}
	f.one = nil
}

// extend adds a quoted text, which may be empty, to a word of its own: what is there may
// stand in an array, too.
func (f *fielder) extend(text Text) {
	own := Argument{At: f.at, Text: Text{}}
	if f.one != nil {
		own = *f.one
	}
	own.Text = own.Text.plus(text)
	f.one = &own
}

func (f *fielder) add(part syntax.WordPart, first bool) {
	quoted, ok := part.(*syntax.DblQuoted)
	if !ok {
		f.take(f.t.part(part, first), true)
		return
	}
	if len(quoted.Parts) != 1 || !isList(quoted.Parts[0]) {
		f.extend(nil) // "" is a word
	}
	for _, p := range quoted.Parts {
		f.take(f.t.inner(p), false)
	}
}

// take adds what a part becomes, which is bare where it has no quotes around it.
func (f *fielder) take(got found, bare bool) {
	switch {
	case got.listed:
		f.list(got.list, bare && !got.whole)
	case bare && got.unquoted:
		f.split(got.text)
	default:
		f.extend(got.text)
	}
}

// isList reports whether a part may stand for no word at all in quotes.
func isList(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok {
		return false
	}
	switch {
	case nameOf(p) == "@", indexOf(p) == "@", p.Names != 0:
		return true
	case effectOf(p) != alternate, p.Exp.Word == nil:
		return false
	}
	return some(p.Exp.Word, func(inner *syntax.ParamExp) bool { return isList(inner) })
}

// list adds words that join what stands around them.
func (f *fielder) list(words []*Argument, unquoted bool) {
	for i, a := range words {
		b := *a
		b.At = cmp.Or(b.At, f.at)
		if unquoted && splittable(b.Text) {
			b.Split = f.at
		}
		if i > 0 {
			f.end()
		}
		switch {
		case f.one != nil:
			b.Text = f.one.Text.plus(b.Text)
			f.one = &b
		case unquoted, a.At.Line == 0:
			f.one = &b
		default:
			f.one = a // the same word, so that joins know it again
		}
	}
}

// split adds an unquoted text.
func (f *fielder) split(text Text) {
	for i, p := range text {
		switch {
		case p.Words:
			f.either(p.Either)
		case p.Name != "":
			f.extend(text[i : i+1])
			if !isNumber(p.Name) {
				f.one.Split = f.at
			}
			alone := len(f.one.Text) == 1 && (i+1 == len(text) || beginsBlank(text[i+1].Literal))
			raise(&f.one.Many, alone && splits(p))
		default:
			f.splitLiteral(p.Literal)
		}
	}
}

func (f *fielder) splitLiteral(text string) {
	if beginsBlank(text) {
		f.end()
	}
	for i, word := range strings.FieldsFunc(text, isBlank) {
		if i > 0 {
			f.end()
		}
		f.extend(literal(word))
	}
	if text != strings.TrimRight(text, blanks) {
		f.end()
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
		if p.Name != "" {
			return !isNumber(p.Name)
		}
		return strings.ContainsAny(p.Literal, blanks+"*?[")
	})
}

// blanks are what bash splits words at.
const blanks = " \t\n"

func isBlank(r rune) bool { return strings.ContainsRune(blanks, r) }

func beginsBlank(text string) bool { return text != strings.TrimLeft(text, blanks) }

// numbers are variables that hold nothing that bash could split.
var numbers = []string{
	"UID", "EUID", "PPID", "$", "#", "?", "!", "RANDOM", "LINENO", "BASHPID", "SECONDS",
}

func isNumber(name string) bool { return slices.Contains(numbers, name) }

// paths are variables that nobody sets to more than one word.
var paths = []string{"HOME", "PWD", "USER", "XDG_RUNTIME_DIR"}

// splits reports whether a value may be made for being split.
func splits(p Piece) bool {
	if p.Inherited() && slices.Contains(paths, p.Name) {
		return false
	}
	return !isNumber(p.Name)
}

// oneVariable is a word that is the value of a variable.
var oneVariable = regexp.MustCompile(`^"?\$(?:(\w+)|\{(\w+)\})"?$`)

// written is where the value of a word that is one variable is written, if it is an
// item of a loop or an argument of a function.
func (t *tracer) written(w *syntax.Word) Position {
	if w == nil || w.Lit() != "" {
		return Position{}
	}
	found := oneVariable.FindStringSubmatch(source(w))
	if found == nil {
		return Position{}
	}
	name := t.resolve(found[1] + found[2])
	if n, err := strconv.Atoi(name); err == nil {
		if a := nth(t.now.args, n-1); a != nil {
			return a.At
		}
	}
	if v := t.now.held[name]; len(v.list) == 1 && !v.array {
		return v.list[0].At
	}
	return Position{}
}
