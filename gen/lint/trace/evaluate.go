package trace

import (
	"fmt"
	"regexp"
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
	var put values
	file, err := parse(put.marked(flat(text, 0)))
	if err != nil || t.depth >= maxDepth {
		return false
	}
	before := len(t.r.Launches)
	outer := t.textAt
	t.textAt = s.call.At
	t.depth++
	t.aside(func() { t.statements(file.Stmts) })
	t.depth--
	t.textAt = outer
	for i := range t.r.Launches[before:] {
		l := &t.r.Launches[before+i]
		l.At = s.call.At
		raise(&l.Exec, s.call.Exec)
		l.Program = put.filled(l.Program)
		for i := range l.Arguments {
			a := &l.Arguments[i]
			a.At, a.Text = s.call.At, put.filled(a.Text)
			if len(a.Text) == 1 && a.Text.Caller() {
				a.Caller, a.Many = true, true
			}
		}
	}
	return len(t.r.Launches) > before
}

func parse(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// additions are a text that does no more than add words to arrays; added is the name of one.
var (
	additions = regexp.MustCompile(`^(?:\s*\w+\+=\([^()]*\)[\s;]*)+$`)
	added     = regexp.MustCompile(`(\w+)\+=\(`)
)

// add follows such a text: nobody knows which words it adds. It reports whether it is one.
func (s *starter) add(text Text) bool {
	t, source := s.t, new(values).marked(text)
	if !additions.MatchString(source) {
		return false
	}
	for _, found := range added.FindAllStringSubmatch(source, -1) {
		name := found[1]
		more := t.maybe([]*Argument{t.many(name)})
		t.assign(name, t.arrayOf(slices.Concat(t.now.held[t.resolve(name)].list, more)))
	}
	return true
}

// values are pieces that stand as their numbers in a text that is taken apart.
type values []Piece

// marked is a text in which each value is a number, as a letter would stand there. The
// same value is the same number.
func (v *values) marked(text Text) string {
	var source strings.Builder
	for _, p := range text {
		if p.Name == "" {
			source.WriteString(p.Literal)
			continue
		}
		isIt := func(q Piece) bool { return q.Name == p.Name && q.value == p.value }
		i := slices.IndexFunc(*v, isIt)
		if i < 0 {
			i = len(*v)
			*v = append(*v, p)
		}
		fmt.Fprintf(&source, "\x01%d\x01", i)
	}
	return source.String()
}

// filled puts the values back into a text that was read from one with their numbers.
func (v values) filled(t Text) Text {
	sum := Text{}
	for _, p := range t {
		if p.Name != "" {
			sum = append(sum, p)
			continue
		}
		for i, part := range strings.Split(p.Literal, "\x01") {
			n, _ := strconv.Atoi(part)
			if i%2 == 1 && n < len(v) {
				sum = append(sum, v[n])
			} else {
				sum = sum.plus(literal(part))
			}
		}
	}
	return sum
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
