package bash

import (
	"bytes"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// Dense leaves out the empty lines of a script, but for those in a word, those
// around the title of a section, which begins with title, and those around a
// function and after the head of the script. Elsewhere a comment is enough to part
// one paragraph from the next. The error is the parser's.
func Dense(src []byte, title string) ([]byte, error) {
	file, err := parse(src)
	if err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	empty := func(i int) bool { return len(bytes.TrimSpace(lines[i])) == 0 }
	words := wordLines(file)
	out := make([]byte, 0, len(src))
	for i, line := range lines {
		if !empty(i) || words[uint(i+1)] || titled(file, lines, i, title) {
			out = append(out, line...)
		}
	}
	return out, nil
}

// titled reports whether the next or the last line that is not empty is a
// title.
func titled(file *syntax.File, lines [][]byte, i int, title string) bool {
	is := func(line []byte) bool { return bytes.HasPrefix(line, []byte(title)) }
	full := func(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 }
	next := slices.IndexFunc(lines[i:], full)
	if next >= 0 && (is(lines[i+next]) || begins(file, uint(i+next+1))) {
		return true
	}
	return i > 0 && (is(lines[i-1]) || ends(file, uint(i)))
}

// ends reports whether a function, or the head of the script, ends on a line.
func ends(file *syntax.File, line uint) bool {
	for _, stmt := range file.Stmts {
		if f, ok := stmt.Cmd.(*syntax.FuncDecl); ok && f.End().Line() == line {
			return true
		}
	}
	return len(file.Stmts) > 0 && len(file.Stmts[0].Comments) > 0 && head(file.Stmts[0], line)
}

// begins reports whether a function, or the comment above it, begins on a line.
func begins(file *syntax.File, line uint) bool {
	for _, stmt := range file.Stmts {
		if _, ok := stmt.Cmd.(*syntax.FuncDecl); !ok {
			continue
		}
		first := stmt.Position.Line()
		if len(stmt.Comments) > 0 {
			first = min(first, stmt.Comments[0].Pos().Line())
		}
		if first == line {
			return true
		}
	}
	return false
}

// head reports whether the comment that begins the script ends on a line.
func head(first *syntax.Stmt, line uint) bool {
	var last uint
	for _, c := range first.Comments {
		if last > 0 && c.Pos().Line() != last+1 {
			break
		}
		last = c.Pos().Line()
	}
	return line == last && line+1 < first.Position.Line()
}

// wordLines are the numbers of the lines that a word goes on from or to.
func wordLines(file *syntax.File) map[uint]bool {
	lines := map[uint]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		w, ok := n.(*syntax.Word)
		if ok {
			for l := w.Pos().Line() + 1; l <= w.End().Line(); l++ {
				lines[l] = true
			}
		}
		return !ok // the words in a word have no other lines
	})
	return lines
}
