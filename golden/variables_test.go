package golden_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// TestVariables: each variable in lower case that a launcher sets it also uses, and
// each that it uses it sets somewhere, or says somewhere what holds without it.
func TestVariables(t *testing.T) {
	for name, script := range launchers(t) {
		file, err := syntax.NewParser().Parse(bytes.NewReader(script), name)
		if err != nil {
			t.Fatal(err)
		}
		o := occurrences{set: map[string]string{}, used: map[string]string{}, needed: map[string]string{}, guarded: map[string]bool{}}
		syntax.Walk(file, o.visit)
		for variable, at := range o.set {
			if o.used[variable] == "" {
				t.Errorf("%s:%s: %s is set and never used", name, at, variable)
			}
		}
		for variable, at := range o.needed {
			if o.set[variable] == "" && !o.guarded[variable] {
				t.Errorf("%s:%s: %s is used and never set", name, at, variable)
			}
		}
	}
}

// occurrences are the variables of a script, and where each of them occurs.
type occurrences struct {
	set     map[string]string
	used    map[string]string
	needed  map[string]string // used, and not as ${name-word}
	guarded map[string]bool   // used so
}

// variable is a name that stands for one of the script's own; the others are the
// environment's, or bash's.
var variable = regexp.MustCompile(`^[a-z][a-z_0-9]*`)

// note takes the names at the beginning of texts.
func note(in map[string]string, n syntax.Node, texts ...string) {
	for _, text := range texts {
		if name := variable.FindString(text); name != "" {
			in[name] = n.Pos().String()
		}
	}
}

func (o occurrences) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.DeclClause:
		o.declare(n)
		return n.Variant.Value != "declare" // -f, which names functions
	case *syntax.Assign:
		if n.Name != nil {
			note(o.set, n, n.Name.Value)
		}
		if n.Append {
			note(o.used, n, n.Name.Value)
		}
	case *syntax.WordIter:
		note(o.set, n, n.Name.Value)
	case *syntax.CoprocClause:
		note(o.set, n, n.Name.Lit())
	case *syntax.Redirect:
		if name, ok := chosen(n); ok && n.Word.Lit() == "-" {
			note(o.used, n, name)
		} else if ok {
			note(o.set, n, name)
		}
	case *syntax.CallExpr:
		o.call(n)
	case *syntax.ParamExp:
		o.parameter(n)
	case *syntax.ExtGlob: // its pattern is a text here
		for _, found := range regexp.MustCompile(`\$\{?([a-z_0-9]+)`).FindAllStringSubmatch(n.Pattern.Value, -1) {
			note(o.used, n, found[1])
		}
	case *syntax.UnaryTest:
		if word, ok := n.X.(*syntax.Word); ok && n.Op == syntax.TsVarSet {
			note(o.used, n, word.Lit())
		}
	}
	o.arithmetic(n)
	return true
}

// declare sees what leaves the script, and whose name a reference has.
func (o occurrences) declare(n *syntax.DeclClause) {
	refers := slices.ContainsFunc(n.Args, func(a *syntax.Assign) bool { return a.Name == nil && a.Value.Lit() == "-n" })
	for _, a := range n.Args {
		switch {
		case a.Name == nil:
		case n.Variant.Value == "export":
			note(o.used, n, a.Name.Value)
		case refers && a.Value != nil:
			note(o.used, n, a.Value.Lit())
		}
	}
}

// call knows the commands that set a variable by its name.
func (o occurrences) call(n *syntax.CallExpr) {
	var words []string
	for _, word := range n.Args {
		words = append(words, word.Lit())
	}
	switch {
	case len(words) > 2 && words[0] == "printf" && words[1] == "-v":
		note(o.set, n, words[2])
	case len(words) > 1 && slices.Contains([]string{"read", "mapfile"}, words[0]):
		note(o.set, n, words[1:]...)
	}
}

func (o occurrences) parameter(n *syntax.ParamExp) {
	note(o.used, n, n.Param.Value)
	switch {
	case n.Exp == nil || !strings.ContainsAny(n.Exp.Op.String(), "-+="):
		note(o.needed, n, n.Param.Value)
	case strings.HasSuffix(n.Exp.Op.String(), "="):
		note(o.set, n, n.Param.Value)
	default:
		o.guarded[n.Param.Value] = true
	}
}

// arithmetic sees names without a $.
func (o occurrences) arithmetic(n syntax.Node) {
	var read []syntax.ArithmExpr
	switch n := n.(type) {
	case *syntax.ArithmExp:
		read = append(read, n.X)
	case *syntax.ArithmCmd:
		read = append(read, n.X)
	case *syntax.ParenArithm:
		read = append(read, n.X)
	case *syntax.CStyleLoop:
		read = append(read, n.Init, n.Cond, n.Post)
	case *syntax.Assign:
		read = append(read, n.Index)
	case *syntax.ParamExp:
		read = append(read, n.Index)
		if n.Slice != nil {
			read = append(read, n.Slice.Offset, n.Slice.Length)
		}
	case *syntax.UnaryArithm:
		read = append(read, n.X)
	case *syntax.BinaryArithm:
		read = append(read, n.Y)
		if op := n.Op.String(); strings.HasSuffix(op, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, op) {
			note(o.set, n, literalOf(n.X))
		} else {
			read = append(read, n.X)
		}
	case *syntax.BinaryTest:
		x, _ := n.X.(*syntax.Word)
		y, _ := n.Y.(*syntax.Word)
		if n.Op >= syntax.TsEql && n.Op <= syntax.TsGtr {
			read = append(read, x, y)
		}
	}
	for _, x := range read {
		note(o.used, n, literalOf(x))
		note(o.needed, n, literalOf(x))
	}
}

func literalOf(x syntax.ArithmExpr) string {
	if word, ok := x.(*syntax.Word); ok && word != nil {
		return word.Lit()
	}
	return ""
}
