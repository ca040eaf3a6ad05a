package golden_test

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// beside leaves out what runs beside the launcher, but for the names that it has.
func beside(s *syntax.Stmt) {
	if c, ok := s.Cmd.(*syntax.CoprocClause); ok {
		ends := &syntax.ArrayExpr{Elems: []*syntax.ArrayElem{{Value: literal("60")}, {Value: literal("61")}}}
		s.Cmd = &syntax.CallExpr{Assigns: []*syntax.Assign{{Name: &syntax.Lit{Value: c.Name.Lit()}, Array: ends}}}
	}
	if s.Background {
		s.Background, s.Redirs, s.Cmd = false, nil, &syntax.CallExpr{Args: []*syntax.Word{literal("true")}}
	}
}

// descriptors leaves out the redirections above 2. Where bash would choose the
// number, the statement becomes an assignment of one.
func descriptors(s *syntax.Stmt) {
	var opens []*syntax.Stmt
	for _, r := range s.Redirs {
		if r.N == nil && r.Op == syntax.DplOut && len(r.Word.Parts) == 1 && r.Word.Lit() == "" {
			s.Cmd, r.N = &syntax.CallExpr{Args: []*syntax.Word{literal("true")}}, &syntax.Lit{Value: "10"}
		}
		if name, ok := chosen(r); ok && r.Op != syntax.DplIn && r.Op != syntax.DplOut {
			opens = append(opens, numbered(name), held(name, r))
		}
	}
	if len(opens) > 0 {
		s.Cmd = &syntax.Block{Stmts: opens}
	}
	s.Redirs = slices.DeleteFunc(s.Redirs, func(r *syntax.Redirect) bool { return above(r) || fromProcess(r) })
}

// fromProcess reports whether a redirection is <( ) or >( ).
func fromProcess(r *syntax.Redirect) bool {
	if r.Word == nil {
		return false
	}
	_, ok := r.Word.Parts[0].(*syntax.ProcSubst)
	return ok
}

// numbered gives a variable the next number.
func numbered(name string) *syntax.Stmt {
	return &syntax.Stmt{Cmd: arithmetic(name + " = next_descriptor++, 1")}
}

// held tells the machine what has that number: machine.exec knows the program.
func held(name string, r *syntax.Redirect) *syntax.Stmt {
	number := double(&syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: name}})
	call := &syntax.CallExpr{Args: []*syntax.Word{literal("bwrapgen-hold"), number}}
	if !fromProcess(r) && r.Op != syntax.WordHdoc {
		call.Args = append(call.Args, r.Word)
	}
	return &syntax.Stmt{Cmd: call}
}

// chosen gives the variable of a redirection {name}<.
func chosen(r *syntax.Redirect) (string, bool) {
	if r.N == nil || !strings.HasPrefix(r.N.Value, "{") {
		return "", false
	}
	return strings.Trim(r.N.Value, "{}"), true
}

func above(r *syntax.Redirect) bool {
	if r.N == nil {
		return false
	}
	n, err := strconv.Atoi(r.N.Value)
	return err != nil || n > 2
}

// readNothing makes read -u N NAME and read -d ” NAME an assignment of nothing.
func readNothing(c *syntax.CallExpr) {
	has := func(option string) bool {
		return slices.ContainsFunc(c.Args, func(w *syntax.Word) bool { return w.Lit() == option })
	}
	if len(c.Args) == 0 || c.Args[0].Lit() != "read" || !has("-u") && !has("-d") {
		return
	}
	var names []*syntax.Assign
	status := "true"
	if !has("-u") {
		status = "false"
	}
	for i := 1; i < len(c.Args); i++ {
		option := c.Args[i].Lit()
		if option == "-t" && c.Args[i+1].Lit() == "0" {
			status = "false"
		}
		switch {
		case !strings.HasPrefix(option, "-"):
			names = append(names, &syntax.Assign{Name: &syntax.Lit{Value: option}, Value: literal("")})
		case strings.ContainsAny(option, "adinNptu"):
			i++ // its value
		}
	}
	if has("-t") {
		status = "false" // what it waits for does not come
	}
	c.Args, c.Assigns = nil, names
	if len(names) == 0 || status == "false" {
		c.Args = []*syntax.Word{literal(status)}
	}
}

// printed makes printf -v NAME WORDS an assignment of what printf WORDS says.
func printed(c *syntax.CallExpr) {
	if len(c.Args) < 4 || c.Args[0].Lit() != "printf" || c.Args[1].Lit() != "-v" {
		return
	}
	if format, ok := c.Args[3].Parts[0].(*syntax.SglQuoted); ok && strings.HasPrefix(format.Value, "%(") {
		format.Value = "0" // no time
	}
	said := output(append([]*syntax.Word{literal("printf")}, c.Args[3:]...)...)
	c.Assigns = []*syntax.Assign{{Name: &syntax.Lit{Value: c.Args[2].Lit()}, Value: double(said)}}
	c.Args = nil
}

// arithmetic is the command (( text )).
func arithmetic(text string) syntax.Command {
	file, err := syntax.NewParser().Parse(strings.NewReader("(("+text+"))"), "")
	if err != nil {
		panic(err)
	}
	return file.Stmts[0].Cmd
}
