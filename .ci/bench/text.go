package main

import (
	"bytes"
	"math"
	"os"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// size is what there is to read in a launcher.
type size struct {
	lines   float64
	policy  float64 // lines of the policy; not a number where none is marked
	longest float64 // columns of the longest line
	crowded float64 // lines with more than one statement
	err     error
}

// The beginnings of the lines above the two parts of a launcher.
const (
	policyMark = "# --- Policy"
	engineMark = "# --- Engine"
)

// unread is the size of what could not be read.
func unread(err error) size {
	return size{math.NaN(), math.NaN(), math.NaN(), math.NaN(), err}
}

// sizeOf reads a launcher.
func sizeOf(path string) size {
	text, err := os.ReadFile(path)
	if err != nil {
		return unread(err)
	}
	script, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader(text), path)
	if err != nil {
		return unread(err)
	}
	z := size{policy: math.NaN()}
	inPolicy := false
	for line := range strings.Lines(string(text)) {
		z.lines++
		z.longest = max(z.longest, float64(utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))))
		switch {
		case strings.HasPrefix(line, policyMark):
			inPolicy, z.policy = true, 0
		case strings.HasPrefix(line, engineMark):
			inPolicy = false
		case inPolicy:
			z.policy++
		}
	}
	z.crowded = crowded(script)
	return z
}

// crowded counts the lines in which a statement begins behind another one, or
// that have more than one && or ||.
func crowded(script *syntax.File) float64 {
	lines, operators := map[uint]bool{}, map[uint]int{}
	syntax.Walk(script, func(node syntax.Node) bool {
		if both, ok := node.(*syntax.BinaryCmd); ok && both.Op != syntax.Pipe {
			line := both.OpPos.Line()
			operators[line]++
			if operators[line] > 1 {
				lines[line] = true
			}
		}
		for _, list := range lists(node) {
			for i, statement := range list {
				line := statement.Pos().Line()
				if i > 0 && line == list[i-1].End().Line() {
					lines[line] = true
				}
			}
		}
		return true
	})
	return float64(len(lines))
}

// lists are the statements of a node, as they follow each other.
func lists(node syntax.Node) [][]*syntax.Stmt {
	switch n := node.(type) {
	case *syntax.File:
		return [][]*syntax.Stmt{n.Stmts}
	case *syntax.Block:
		return [][]*syntax.Stmt{n.Stmts}
	case *syntax.Subshell:
		return [][]*syntax.Stmt{n.Stmts}
	case *syntax.CmdSubst:
		return [][]*syntax.Stmt{n.Stmts}
	case *syntax.ProcSubst:
		return [][]*syntax.Stmt{n.Stmts}
	case *syntax.CaseItem:
		return [][]*syntax.Stmt{n.Stmts}
	case *syntax.ForClause:
		return [][]*syntax.Stmt{n.Do}
	case *syntax.WhileClause:
		return [][]*syntax.Stmt{n.Cond, n.Do}
	case *syntax.IfClause:
		return [][]*syntax.Stmt{n.Cond, n.Then}
	}
	return nil
}
