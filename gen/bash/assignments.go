package bash

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// Assignment is one setting of a policy.
type Assignment struct {
	Name  string
	Words []string // of the array or the quoted list, braces expanded and without double quotes; else the value alone
}

// Assignments are the settings of a policy, in their order. Of a text that is no policy, they are
// those that it has at the top.
func Assignments(src []byte) []Assignment {
	file, err := parse(src)
	if err != nil {
		return nil
	}
	text := func(n syntax.Node) string { return string(src[n.Pos().Offset():n.End().Offset()]) }
	var all []Assignment
	for _, stmt := range file.Stmts {
		call, ok := stmt.Cmd.(*syntax.CallExpr)
		if !ok {
			continue
		}
		for _, a := range call.Assigns {
			one := Assignment{Name: a.Name.Value}
			switch {
			case a.Array != nil:
				for _, e := range a.Array.Elems {
					one.Words = append(one.Words, expanded(e.Value)...)
				}
			case a.Value != nil:
				one.Words = listed(a.Value, text)
			}
			all = append(all, one)
		}
	}
	return all
}

// expanded are the words that braces stand for, so that one name more is one word more.
func expanded(w *syntax.Word) []string {
	syntax.SplitBraces(w)
	var all []string
	for _, one := range expand.Braces(w) {
		var b strings.Builder
		_ = syntax.NewPrinter().Print(&b, one) // to memory
		all = append(all, strings.ReplaceAll(b.String(), `"`, ""))
	}
	return all
}

// listed are the words of a list between quotes, or the one word.
func listed(w *syntax.Word, text func(syntax.Node) string) []string {
	if len(w.Parts) != 1 {
		return []string{text(w)}
	}
	switch part := w.Parts[0].(type) {
	case *syntax.SglQuoted:
		return strings.Fields(part.Value)
	case *syntax.DblQuoted:
		return strings.Fields(strings.Trim(text(part), `"`))
	}
	return []string{text(w)}
}
