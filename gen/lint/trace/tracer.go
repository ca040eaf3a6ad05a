package trace

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The bounds of what is followed: a script beyond them is Lost.
const (
	maxSteps  = 50_000 // statements
	maxDepth  = 24     // calls of functions within each other
	maxWords  = 3_000  // words of an array
	maxCalls  = 100    // calls of bwrap
	maxUnroll = 100    // words of a loop
	maxRuns   = 2_000  // programs
	maxBegun  = 12     // words of a longer loop
)

// holding is what a variable holds.
type holding struct {
	list  []*Argument // of a plain variable one; of one that is unset none
	array bool
	refer string // the name that a nameref stands for
}

// state is what holds at one point of a script.
type state struct {
	held     map[string]holding // by variables
	args     []*Argument        // "$@"
	shifted  int
	dropped  bool
	changed  bool
	exitTrap bool
	launched bool // the statement before has called bwrap
	failed   bool // bwrap is missing here, or has failed
}

func (s *state) clone() *state {
	c := *s
	c.held = maps.Clone(s.held)
	return &c
}

// fromCaller reports whether the arguments at hand are the script's own.
func (s *state) fromCaller() bool {
	return slices.ContainsFunc(s.args, func(a *Argument) bool { return a.Caller })
}

// tracer follows one script.
type tracer struct {
	functions map[string]*syntax.FuncDecl
	entered   map[string]bool
	running   map[string]int // how often, within each other
	r         *Reading

	now    *state
	ended  bool // nothing runs behind this point
	frames []*frame
	depth  int
	steps  int
	values int      // how many values were named, and branches numbered
	inside int      // command substitutions
	status Status   // of the command at hand
	final  bool     // nothing of the script follows the command at hand
	textAt Position // of the text that is evaluated
	last   Position // the script's last command
	end    *syntax.Stmt
	made   map[string]int
	seen   map[string]bool // launches
}

func newTracer(file *syntax.File, r *Reading) *tracer {
	return &tracer{
		functions: functions(file), entered: map[string]bool{}, running: map[string]int{}, r: r,
		now: newState(), made: map[string]int{}, seen: map[string]bool{},
	}
}

// newState is what holds at the beginning.
func newState() *state {
	own := &Argument{Text: Text{{Name: "@"}}, Many: true, Caller: true}
	return &state{held: map[string]holding{}, args: []*Argument{own}}
}

// run follows the script, and then the functions that it has not come to, since
// somebody else may call them: first those that no other function calls.
func (t *tracer) run(file *syntax.File) {
	t.statements(file.Stmts)
	t.final = true
	called := map[string]bool{}
	for c := range nodes[*syntax.CallExpr](file) {
		called[program(c)] = true
	}
	t.uncalled(file, called)
	t.uncalled(file, nil)
	raise(&t.r.Lost, t.steps > maxSteps)
}

// uncalled follows the functions that nothing has called yet, but for some.
func (t *tracer) uncalled(file *syntax.File, but map[string]bool) {
	for f := range nodes[*syntax.FuncDecl](file) {
		name := text(f.Name)
		switch {
		case t.functions[name] != f, t.entered[name], but[name]:
			continue
		}
		t.now, t.ended, t.frames, t.inside = newState(), false, nil, 0
		t.function(f, t.now.args)
	}
}

// look gathers what does not depend on the way through the script.
func (t *tracer) look(file *syntax.File) {
	for _, s := range file.Stmts {
		t.last, t.end = position(s.Pos()), s
		if _, declared := s.Cmd.(*syntax.FuncDecl); !declared {
			t.r.First = cmp.Or(t.r.First, t.last)
		}
	}
	for n := range syntax.Preorder(file) {
		switch n := n.(type) {
		case *syntax.CallExpr:
			t.r.Commands++
		case *syntax.ParamExp:
			raise(&t.r.Expands, mustBeSet(n))
			raise(&t.r.StatusRead, slices.Contains([]string{"?", "PIPESTATUS"}, nameOf(n)))
		case *syntax.BinaryCmd:
			raise(&t.r.Pipes, isPipe(n))
		case *syntax.Redirect:
			raise(&t.r.Closes, closesVariable(n))
		}
	}
}

// alwaysSet are parameters that bash sets itself.
var alwaysSet = []string{"@", "*", "#", "?", "-", "$", "!", "0"}

// mustBeSet reports whether set -u would stop an expansion of what is unset.
func mustBeSet(p *syntax.ParamExp) bool {
	if effectOf(p) != changes || p.Names != 0 {
		return false
	}
	return !slices.Contains(alwaysSet, nameOf(p))
}

// closesVariable reports whether a redirection is {name}>&- or {name}<&-.
func closesVariable(r *syntax.Redirect) bool {
	switch {
	case !strings.HasPrefix(text(r.N), "{"):
		return false
	case r.Op == syntax.DplIn, r.Op == syntax.DplOut:
		return r.Word.Lit() == "-"
	}
	return false
}

// raise sets a flag, if that is so. It stays set.
func raise(flag *bool, is bool) {
	if is {
		*flag = true
	}
}

// unknown is a value that the script does not tell.
func (t *tracer) unknown(name string) holding {
	return holding{list: []*Argument{{Text: t.fresh(name)}}}
}

// fresh is a text that is known by name alone.
func (t *tracer) fresh(name string) Text {
	t.values++
	return Text{{Name: name, value: t.values}}
}

// many stands for any number of words.
func (t *tracer) many(name string) *Argument {
	return &Argument{Text: t.fresh(name), Many: true}
}
