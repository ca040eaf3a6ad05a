package golden_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The interpreter has no descriptors above 2, and lacks a few constructs of
// bash or gets them wrong. They are replaced before a launcher runs:
//
//	N<, N>, N<<< with N above 2, N<&-   left out
//	exec {name}<FILE, exec {name}<>FILE name gets the next number from 10 on, and leads
//	                                    to FILE in /proc/self/fd
//	exec {name}<<<, exec {name}< <( )   the same, and it is a pipe
//	exec {name}>FILE, exec {name}>>FILE the same as the first
//	COMMAND &                           true
//	coproc NAME { }                     NAME=(60 61)
//	<( ), as what is read               left out, as all that runs beside the launcher
//	read -t 0 -u N                      false: there is nothing to read
//	printf . >&N                        true
//	exec {name}>&-                      left out
//	A -ef B                             "$(resolve A)" == "$(resolve B)"
//	! A || B, A && B || C in [[ ]]      in the precedence that bash gives them
//	${!name+word}, ${!name-word}        $(indirect "$name" + word)
//	${x:+$x/word}                       ${x:+${x-}/word}
//	"${!LC_@}" in a list of words       the names, as they are at the start
//	export -n                           nothing: no variable of the caller is exported at first
//	${x@P}                              the user's name, as of \u
//	${x@a}                              nothing: no attribute is odd
//	read -u N NAME                      NAME=
//	read -t SECONDS -u N NAME           NAME=, and false: what it waits for does not come
//	read -d D -n N NAME                 read NAME
//	read -d '' NAME                     NAME=, and false: there is nothing to read
//	printf -v NAME WORDS                NAME="$(printf WORDS)"
//	trap, shopt, umask, wait, set -m    true
//	$!, $$, $RANDOM                     a number, the same at every run
//	$-                                  p
//	cd -P DIR, cd -- DIR                cd to where DIR is
//
// So argv.txt says nothing about these. Real bash is their judge: in
// TestPrint, where a program in bwrap's place reads the descriptors, in
// TestAgree, and in the tests with real sandboxes.

// replace rewrites what the interpreter lacks.
func (m *machine) replace(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			beside(n)
			descriptors(n)
			m.withheld(n)
		case *syntax.Word:
			parameters(n.Parts)
		case *syntax.DblQuoted:
			parameters(n.Parts)
		case *syntax.ParamExp:
			numbers := map[string]string{"!": "next_descriptor", "$": "next_descriptor", "RANDOM": "GROUPS", "-": "flags"}
			n.Param.Value = cmp.Or(numbers[n.Param.Value], n.Param.Value)
		case *syntax.DeclClause:
			n.Args = m.exported(n.Args)
		case *syntax.WordIter:
			n.Items = m.names(n.Items)
		case *syntax.CallExpr:
			n.Args = m.names(n.Args)
			readNothing(n)
			readLine(n)
			printed(n)
		case *syntax.TestClause:
			n.X = tested(n.X)
		case *syntax.ParenTest:
			n.X = tested(n.X)
		case *syntax.BinaryTest:
			sameFile(n)
		}
		return true
	})
}

// readLine has read -d and -n read a line: the interpreter knows no other.
func readLine(c *syntax.CallExpr) {
	if len(c.Args) == 0 || c.Args[0].Lit() != "read" {
		return
	}
	for i := len(c.Args) - 2; i > 0; i-- {
		if option := c.Args[i].Lit(); option == "-d" || option == "-n" {
			c.Args = slices.Delete(c.Args, i, i+2)
		}
	}
}

// sameFile rewrites A -ef B as a comparison of where both really are.
func sameFile(test *syntax.BinaryTest) {
	if test.Op == syntax.TsDevIno {
		test.Op, test.X, test.Y = syntax.TsMatch, resolved(test.X), resolved(test.Y)
	}
}

// resolved is the word "$(resolve WORD)"; machine.exec knows that program.
func resolved(x syntax.TestExpr) *syntax.Word {
	word := x.(*syntax.Word)
	if _, ok := word.Parts[0].(*syntax.DblQuoted); !ok {
		word = double(word.Parts...)
	}
	return double(output(literal("resolve"), word))
}

// output is $(WORDS).
func output(words ...*syntax.Word) *syntax.CmdSubst {
	return &syntax.CmdSubst{Stmts: []*syntax.Stmt{{Cmd: &syntax.CallExpr{Args: words}}}}
}

func literal(text string) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: text}}}
}

func double(parts ...syntax.WordPart) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: parts}}}
}

// tested gives && and || in [[ ]] the precedence that bash gives them; the
// parser reads them from right to left, and "! A || B" as "! (A || B)".
func tested(x syntax.TestExpr) syntax.TestExpr {
	operands, operators := flat(x)
	var any, all syntax.TestExpr
	for i, operand := range operands {
		switch {
		case all == nil:
			all = operand
		case operators[i-1] == syntax.AndTest:
			all = &syntax.BinaryTest{Op: syntax.AndTest, X: all, Y: operand}
		default:
			any, all = either(any, all), operand
		}
	}
	return either(any, all)
}

func either(a, b syntax.TestExpr) syntax.TestExpr {
	if a == nil {
		return b
	}
	return &syntax.BinaryTest{Op: syntax.OrTest, X: a, Y: b}
}

// flat lists what && and || stand between, in the order of the text.
func flat(x syntax.TestExpr) ([]syntax.TestExpr, []syntax.BinTestOperator) {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		if x.Op == syntax.AndTest || x.Op == syntax.OrTest {
			left, before := flat(x.X)
			right, after := flat(x.Y)
			return append(left, right...), append(append(before, x.Op), after...)
		}
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			operands, operators := flat(x.X)
			operands[0] = &syntax.UnaryTest{Op: syntax.TsNot, X: operands[0]}
			return operands, operators
		}
	}
	return []syntax.TestExpr{x}, nil
}

// parameters rewrites three kinds of expansions.
func parameters(parts []syntax.WordPart) {
	for i, part := range parts {
		p, ok := part.(*syntax.ParamExp)
		switch {
		case !ok || p.Exp == nil:
		case p.Excl:
			name := double(&syntax.ParamExp{Short: true, Param: p.Param})
			parts[i] = output(literal("indirect"), name, literal(p.Exp.Op.String()), cmp.Or(p.Exp.Word, literal("")))
		case p.Exp.Op == syntax.AlternateUnset, p.Exp.Op == syntax.AlternateUnsetOrNull:
			optional(p.Exp.Word)
		case p.Exp.Op == syntax.OtherParamOps && p.Exp.Word.Lit() == "P":
			parts[i] = &syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: "account"}}
		case p.Exp.Op == syntax.OtherParamOps && p.Exp.Word.Lit() == "a":
			parts[i] = &syntax.SglQuoted{}
		}
	}
}

// optional gives each plain expansion in a word an empty default: the
// interpreter expands the word of ${x:+word} even where x is unset.
func optional(word *syntax.Word) {
	syntax.Walk(word, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Exp == nil && !p.Excl {
			p.Short, p.Exp = false, &syntax.Expansion{Op: syntax.DefaultUnset, Word: literal("")}
		}
		return true
	})
}

// names replaces "${!PREFIX@}" in a list by the names that there are.
func (m *machine) names(items []*syntax.Word) []*syntax.Word {
	var all []*syntax.Word
	for _, item := range items {
		prefix, ok := prefixed(item)
		if !ok {
			all = append(all, item)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(m.variables)) {
			if strings.HasPrefix(name, prefix) {
				all = append(all, literal(name))
			}
		}
	}
	return all
}

// exported is names for the operands of export.
func (m *machine) exported(operands []*syntax.Assign) []*syntax.Assign {
	var all []*syntax.Assign
	for _, operand := range operands {
		if !operand.Naked || operand.Value == nil {
			all = append(all, operand)
			continue
		}
		for _, word := range m.names([]*syntax.Word{operand.Value}) {
			all = append(all, &syntax.Assign{Naked: true, Value: word})
		}
	}
	return all
}

// withheld makes export -n nothing, but notes the names.
func (m *machine) withheld(s *syntax.Stmt) {
	d, ok := s.Cmd.(*syntax.DeclClause)
	if !ok || d.Variant.Value != "export" || d.Args[0].Value == nil || d.Args[0].Value.Lit() != "-n" {
		return
	}
	for _, operand := range d.Args[1:] {
		if operand.Name != nil {
			m.own = append(m.own, operand.Name.Value)
		}
	}
	s.Cmd = &syntax.CallExpr{Args: []*syntax.Word{literal("true")}}
}

// prefixed gives PREFIX of a word "${!PREFIX@}".
func prefixed(w *syntax.Word) (string, bool) {
	q, ok := w.Parts[0].(*syntax.DblQuoted)
	if !ok || len(q.Parts) != 1 {
		return "", false
	}
	p, ok := q.Parts[0].(*syntax.ParamExp)
	if !ok || p.Names == 0 {
		return "", false
	}
	return p.Param.Value, true
}
