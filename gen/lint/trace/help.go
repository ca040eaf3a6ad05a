package trace

import "mvdan.cc/sh/v3/syntax"

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

// isPipe reports whether two commands are joined by |.
func isPipe(n syntax.Node) bool {
	b, ok := n.(*syntax.BinaryCmd)
	return ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll)
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

// globs reports whether bash may take a part of a word for a pattern.
func globs(part syntax.WordPart) bool {
	switch part := part.(type) {
	case *syntax.ExtGlob:
		return true
	case *syntax.Lit:
		for i := 0; i < len(part.Value); i++ {
			switch part.Value[i] {
			case '\\':
				i++
			case '*', '?', '[':
				return true
			}
		}
	}
	return false
}
