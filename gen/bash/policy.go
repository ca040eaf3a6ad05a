package bash

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// TwiceOf returns the word that bash expands to what some parts say, and to the
// same again: the two operands of a mount that shows a path where it is. It
// refuses what Join refuses.
func TwiceOf(parts ...Part) (Word, error) {
	w, err := Join(parts...)
	return Word{w.s + "{,}"}, err
}

var patternText = regexp.MustCompile(`^[A-Za-z0-9._/+@=,*?\[\]!^-]+$`)

// Pattern returns the word for a name with *, ? and [...] in it, for an array
// whose elements bash expands to file names later: quoted, it is the text.
func Pattern(text string) (Word, error) {
	if !patternText.MatchString(text) {
		return Word{}, fmt.Errorf("not a pattern of plain names: %q", text)
	}
	return Quote(text)
}

// moversLoop is the one loop that may stand above a policy: it drops variables
// that hold no absolute path.
var moversLoop = regexp.MustCompile(`^for name in [A-Za-z0-9_ \\\n]+; do\n` +
	regexp.QuoteMeta(`  [[ ${!name-} == /*[!/.]* ]] || unset "$name"`) + `\ndone$`)

// CheckPolicy reports what a policy may not hold: anything but assignments to
// names in lower case, of words that expand variables at most, and the loop above
// them that drops variables. The error names the line.
func CheckPolicy(src []byte) error {
	file, err := parse(src)
	if err != nil {
		return err
	}
	for i, stmt := range file.Stmts {
		if text := src[stmt.Pos().Offset():stmt.End().Offset()]; i == 0 && moversLoop.Match(text) {
			continue
		}
		if err := checkAssignment(stmt); err != nil {
			return err
		}
	}
	return nil
}

// SameCode reports whether two scripts differ in comments and blank lines alone.
func SameCode(a, b []byte) bool {
	var texts [2]bytes.Buffer
	for i, src := range [][]byte{a, b} {
		file, err := parse(src)
		if err != nil || syntax.NewPrinter(syntax.Minify(true)).Print(&texts[i], file) != nil {
			return false
		}
	}
	return bytes.Equal(texts[0].Bytes(), texts[1].Bytes())
}

func parse(src []byte) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader(src), "")
}

func checkAssignment(stmt *syntax.Stmt) error {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	switch {
	case !ok, stmt.Negated, stmt.Background, len(stmt.Redirs) > 0, len(call.Args) > 0:
		return fmt.Errorf("%s: no assignment", stmt.Pos())
	}
	for _, a := range call.Assigns {
		if a.Name == nil || strings.Trim(a.Name.Value, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return fmt.Errorf("%s: no name of a policy's", a.Pos())
		}
	}
	for node := range syntax.Preorder(call) {
		switch node := node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp:
			return fmt.Errorf("%s: something is run", node.Pos())
		case *syntax.ParamExp:
			if err := checkExpansion(node); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkExpansion allows $NAME, ${NAME:-WORD}, ${NAME:+WORD} and ${!PREFIX@}.
func checkExpansion(p *syntax.ParamExp) error {
	allowed := []syntax.ParExpOperator{syntax.DefaultUnsetOrNull, syntax.AlternateUnsetOrNull}
	changes := p.Exp != nil && !slices.Contains(allowed, p.Exp.Op)
	switch {
	case changes, p.Index != nil, p.Slice != nil, p.Repl != nil, p.Length, p.Width, p.Excl && p.Names != syntax.NamesPrefixWords:
		return fmt.Errorf("%s: an expansion that no policy has: %s", p.Pos(), strings.TrimSpace(p.Param.Value))
	}
	return nil
}
