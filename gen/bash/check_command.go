package bash

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// refusals are the commands that get a sentence of their own. They are
// refused even where the rules list them.
var refusals = map[string]string{
	"eval":   "eval runs text as code",
	"source": "source runs a file that is not part of the script",
	".":      ". runs a file that is not part of the script",
	"alias":  "an alias changes what the words after it mean",
	"echo":   "echo takes some texts for options: write printf",
	"test":   "test takes some texts for operators: write [[ ]]",
	"[":      "[ takes some texts for operators: write [[ ]]",
}

// functions returns the functions that a script defines, by name.
func functions(file *syntax.File) map[string]*syntax.FuncDecl {
	found := map[string]*syntax.FuncDecl{}
	for n := range syntax.Preorder(file) {
		if f, ok := n.(*syntax.FuncDecl); ok && f.Name != nil { // the parser takes "()x" for one
			found[f.Name.Value] = f
		}
	}
	return found
}

// commandWord refuses a command that is not literal or not known.
func (c *checker) commandWord(n syntax.Node) {
	call, ok := n.(*syntax.CallExpr)
	if !ok {
		return
	}
	for _, i := range commands(call.Args) {
		word := call.Args[i]
		if c.isBwrap(word) {
			continue
		}
		if word.Lit() == "" {
			c.report(word.Pos(), "a command must be a literal word, or else nobody can read what runs")
			continue
		}
		c.allowed(word.Pos(), word.Lit())
		c.called(word.Lit())
	}
}

// declaration refuses an unlisted declare, local, export and the like, which
// the parser does not take for a call. The functions that declare -f prints are
// called by who reads them.
func (c *checker) declaration(n syntax.Node) {
	d, ok := n.(*syntax.DeclClause)
	if !ok {
		return
	}
	c.allowed(d.Pos(), d.Variant.Value)
	prints := len(d.Args) > 0 && d.Args[0].Value != nil && d.Args[0].Value.Lit() == "-f"
	for _, a := range d.Args {
		if prints && a.Name != nil {
			c.called(a.Name.Value)
		}
	}
}

func (c *checker) allowed(at syntax.Pos, command string) {
	if why, ok := refusals[command]; ok {
		c.report(at, "%s", why)
		return
	}
	_, own := c.functions[command]
	if !own && !slices.Contains(c.rules.Builtins, command) && !slices.Contains(c.rules.Programs, command) {
		c.report(at, "%q is neither a function of this script nor a listed command", command)
	}
}

// commands returns the indices of the words that name what a call runs: the
// first, and what exec, command or builtin are to run in turn.
func commands(args []*syntax.Word) []int {
	var found []int
	for i := 0; i < len(args); {
		found = append(found, i)
		switch args[i].Lit() {
		case "exec", "command", "builtin":
			i = operand(args, i+1)
		default:
			return found
		}
	}
	return found
}

// operand returns the index of the first word from i on that is no option of
// exec, command or builtin; or len(args), also where command is only asked
// what a word means.
func operand(args []*syntax.Word, i int) int {
	for ; i < len(args); i++ {
		switch word := args[i].Lit(); {
		case word == "--":
			return i + 1
		case word == "-v" || word == "-V":
			return len(args)
		case word == "-a":
			i++
		case !strings.HasPrefix(word, "-"):
			return i
		}
	}
	return i
}

// trap refuses a handler that is code in a string: it escapes every other
// rule. To ignore, to reset and to ask are fine, and so is the name of a function.
func (c *checker) trap(n syntax.Node) {
	call, ok := n.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || call.Args[0].Lit() != "trap" {
		return
	}
	words := call.Args[1:]
	if words[0].Lit() == "--" && len(words) > 1 {
		words = words[1:]
	}
	handler, constant := constant(words[0])
	switch _, own := c.functions[handler]; {
	case own:
		c.called(handler)
	case !constant || handler != "" && handler != "-" && handler != ":" && handler != "-p":
		c.report(words[0].Pos(), "a trap must name a function of this script, or be '', : or -")
	}
}

// constant returns what a word without expansions stands for.
func constant(word *syntax.Word) (string, bool) {
	if len(word.Parts) != 1 {
		return "", false
	}
	switch part := word.Parts[0].(type) {
	case *syntax.Lit:
		return part.Value, true
	case *syntax.SglQuoted:
		return part.Value, !part.Dollar
	case *syntax.DblQuoted:
		return "", len(part.Parts) == 0
	}
	return "", false
}

// called notes that the function around the present node calls another.
func (c *checker) called(name string) {
	caller := c.function()
	c.calls[caller] = append(c.calls[caller], name)
}

// unusedFunctions refuses the functions that no way leads to from the script
// itself.
func (c *checker) unusedFunctions() {
	reached := map[string]bool{}
	for todo := []string{""}; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if !reached[name] {
			reached[name] = true
			todo = append(todo, c.calls[name]...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.functions)) {
		if !reached[name] {
			c.report(c.functions[name].Pos(), "function %s is never called", name)
		}
	}
}
