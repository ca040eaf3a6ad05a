package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// follow follows a text that is evaluated: a call of bwrap in which values stand. The
// values count as single words, or as what the script has put together of words. It
// reports whether it could.
func (s *starter) follow(text Text) bool {
	t := s.t
	text = flat(text, 0)
	file, err := parse(marked(text))
	if err != nil || t.depth >= maxDepth {
		return false
	}
	before := len(t.r.Launches)
	outer := t.textAt
	t.textAt = s.at
	t.depth++
	t.aside(func() { t.statements(file.Stmts) })
	t.depth--
	t.textAt = outer
	for i := range t.r.Launches[before:] {
		l := &t.r.Launches[before+i]
		l.At = s.at
		raise(&l.Exec, s.exec)
		l.Program = filled(l.Program, text)
		for i := range l.Arguments {
			l.Arguments[i].At = s.at
			l.Arguments[i].fill(text)
		}
	}
	return len(t.r.Launches) > before
}

func parse(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// fill follows a text that does no more than add words to arrays, which nobody knows. It
// reports whether that is so.
func (s *starter) fill(text Text) bool {
	t := s.t
	file, err := parse(marked(text))
	if err != nil {
		return false
	}
	var names []string
	for _, stmt := range file.Stmts {
		c, ok := stmt.Cmd.(*syntax.CallExpr)
		if !ok || len(c.Args)+len(stmt.Redirs) > 0 {
			return false
		}
		for _, a := range c.Assigns {
			if !addsWords(a) {
				return false
			}
			names = append(names, a.Name.Value)
		}
	}
	for _, name := range names {
		old := t.now.held[t.resolve(name)]
		more := t.maybe([]*Argument{t.many(name)})
		t.assign(name, t.arrayOf(slices.Concat(old.list, more)))
	}
	return len(names) > 0
}

// addsWords reports whether an assignment is name+=(...).
func addsWords(a *syntax.Assign) bool {
	switch {
	case a.Name == nil, a.Array == nil, strings.Contains(a.Name.Value, "\x01"):
		return false
	}
	return a.Append
}

// marked is a text to be parsed, in which each value is the number of its piece.
func marked(text Text) string {
	var source strings.Builder
	for i, p := range text {
		if p.Name == "" {
			source.WriteString(p.Literal)
		} else {
			fmt.Fprintf(&source, "\x01%d\x01", i) // as a letter, quoted or not
		}
	}
	return source.String()
}

// flat has the words that a value may hold in its place. What is added on some ways
// only counts as being there.
func flat(t Text, depth int) Text {
	sum := Text{}
	for _, p := range t {
		if !p.Words || depth == maxDepth {
			sum = sum.plus(Text{p})
			continue
		}
		for _, value := range p.Either {
			sum = sum.plus(literal(" ")).plus(flat(value, depth+1))
		}
	}
	return sum
}

// fill puts the values back into a word of a call.
func (a *Argument) fill(values Text) {
	a.Text = filled(a.Text, values)
	if len(a.Text) == 1 && a.Text.Caller() {
		a.Caller, a.Many = true, true
	}
}

// filled puts the values back into a text.
func filled(t Text, values Text) Text {
	sum := Text{}
	for _, p := range t {
		if p.Name != "" {
			sum = append(sum, p)
			continue
		}
		for i, part := range strings.Split(p.Literal, "\x01") {
			n, _ := strconv.Atoi(part)
			if i%2 == 1 && n < len(values) {
				sum = append(sum, values[n])
			} else {
				sum = sum.plus(literal(part))
			}
		}
	}
	return sum
}
