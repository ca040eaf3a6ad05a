package trace

import (
	"bytes"
	"regexp"

	"mvdan.cc/sh/v3/syntax"
)

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
func annotations(src []byte, file *syntax.File) []Annotation {
	lines := bytes.Split(src, []byte("\n"))
	ends := map[uint]uint{} // of the commands that begin in a line
	for s := range nodes[*syntax.Stmt](file) {
		ends[s.Pos().Line()] = max(ends[s.Pos().Line()], s.End().Line())
	}
	begin := uint(0) // of the first command
	if len(file.Stmts) > 0 {
		begin = file.Stmts[0].Pos().Line()
	}
	var all []Annotation
	for c := range nodes[*syntax.Comment](file) {
		a := Annotation{Text: c.Text, At: position(c.Pos())}
		a.First, a.Last = a.At.Line, a.At.Line
		switch {
		case a.At.Line < begin:
			a.First, a.Last = 1, uint(len(lines))
		case blankLine(lines, a.At.Line, a.At.Column-1):
			a.First = below(lines, a.At.Line)
			a.Last = max(a.First, ends[a.First])
		}
		all = append(all, a)
	}
	return all
}

// blankLine reports whether there is nothing in a line before a column.
func blankLine(lines [][]byte, line, column uint) bool {
	text := lines[line-1]
	return len(bytes.TrimSpace(text[:min(int(column), len(text))])) == 0
}

var isIdle = regexp.MustCompile(`^\s*(#|$)`)

// below is the next line that is neither blank nor a comment.
func below(lines [][]byte, line uint) uint {
	for int(line) < len(lines) && isIdle.Match(lines[line]) {
		line++
	}
	return line + 1
}
