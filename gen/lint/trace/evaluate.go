package trace

import (
	"bytes"
	"fmt"
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
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader([]byte(marked(text))), "")
	if err != nil || t.depth >= maxDepth {
		return false
	}
	before := len(t.r.Launches)
	t.depth++
	outer := t.textAt
	t.textAt = s.at
	t.aside(func() { t.statements(file.Stmts) })
	t.depth--
	t.textAt = outer
	for i := before; i < len(t.r.Launches); i++ {
		l := &t.r.Launches[i]
		l.At, l.Exec = s.at, l.Exec || s.exec
		l.Program = filled(l.Program, text)
		l.Arguments = t.filledAll(l.Arguments, text, s.at)
	}
	return len(t.r.Launches) > before
}

// fill follows a text that does no more than add words to arrays, which nobody knows. It
// reports whether that is so.
func (s *starter) fill(text Text) bool {
	t := s.t
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader([]byte(marked(text))), "")
	if err != nil {
		return false
	}
	var names []string
	for _, stmt := range file.Stmts {
		c, ok := stmt.Cmd.(*syntax.CallExpr)
		if !ok || len(c.Args) > 0 || len(stmt.Redirs) > 0 {
			return false
		}
		for _, a := range c.Assigns {
			if a.Name == nil || !a.Append || a.Array == nil || strings.Contains(a.Name.Value, "\x01") {
				return false
			}
			names = append(names, a.Name.Value)
		}
	}
	for _, name := range names {
		old, _ := t.now.get(t.resolve(name))
		list := append(old.list[:len(old.list):len(old.list)], t.maybe([]*Argument{t.many(name)})...)
		t.assign(name, holding{list: t.bounded(list), array: true})
	}
	return len(names) > 0
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

// filledAll puts the values back into the words of a call.
func (t *tracer) filledAll(words []Argument, values Text, at Position) []Argument {
	var all []Argument
	for _, w := range words {
		w.Text, w.At = filled(w.Text, values), at
		only := len(w.Text) == 1 && w.Text[0].Name != "" && !w.Text[0].Inherited() && !w.Many
		w.Caller = w.Caller || only && w.Text[0].Caller
		w.Many = w.Many || only && w.Text[0].Caller
		all = append(all, w)
	}
	return all
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
			n, err := strconv.Atoi(part)
			if i%2 == 1 && err == nil && n < len(values) {
				sum = append(sum, values[n])
			} else {
				sum = sum.plus(literal(part))
			}
		}
	}
	return sum
}
