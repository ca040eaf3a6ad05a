package trace

import "mvdan.cc/sh/v3/syntax"

// Annotation is a comment, and the lines that it is about: its own, behind a
// command; of a line of its own, those of the command below; and above the first
// command, all of the script.
type Annotation struct {
	Text        string // without #
	At          Position
	First, Last uint // lines
}

// Covers reports whether a place is in those lines.
func (a Annotation) Covers(at Position) bool { return a.First <= at.Line && at.Line <= a.Last }

// annotations lists the comments of a script.
func annotations(file *syntax.File) []Annotation {
	below := map[syntax.Pos]syntax.Node{} // what begins behind a comment of a line of its own
	note := func(comments []syntax.Comment, node syntax.Node) {
		for _, c := range comments {
			if node.Pos().After(c.Pos()) {
				below[c.Pos()] = node
			}
		}
	}
	for n := range syntax.Preorder(file) {
		switch n := n.(type) {
		case *syntax.Stmt:
			note(n.Comments, n)
		case *syntax.ArrayElem:
			note(n.Comments, n)
		case *syntax.CaseItem:
			note(n.Comments, n)
		}
	}
	begin := uint(0) // of the first command
	if len(file.Stmts) > 0 {
		begin = file.Stmts[0].Pos().Line()
	}
	var all []Annotation
	for c := range nodes[*syntax.Comment](file) {
		a := Annotation{Text: c.Text, At: position(c.Pos())}
		a.First, a.Last = a.At.Line, a.At.Line
		switch node := below[c.Pos()]; {
		case a.At.Line < begin:
			a.First, a.Last = 1, file.End().Line()
		case node != nil:
			a.First, a.Last = node.Pos().Line(), node.End().Line()
		}
		all = append(all, a)
	}
	return all
}
