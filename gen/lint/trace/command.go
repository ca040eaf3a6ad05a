package trace

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// starter follows the words of one command to what it starts.
type starter struct {
	t       *tracer
	call    Launch // as far as it is known
	program bool   // another one starts it, so that it is no function
}

// wrappers are programs that run their operands.
var wrappers = []string{
	"sudo", "doas", "nice", "ionice", "timeout", "systemd-run", "strace", "ltrace", "unshare", "flock", "stdbuf",
	"nohup", "setsid", "setpriv", "taskset", "prlimit", "chrt", "time", "dbus-run-session", "catchsegv", "chronic",
	"numactl", "cgexec", "xvfb-run", "script", "fakeroot", "proot",
}

// call follows a simple command.
func (t *tracer) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			t.set(a, false)
		}
		return
	}
	s := starter{t: t, call: Launch{At: position(c.Pos())}}
	for _, a := range c.Assigns {
		value := t.text(a.Value)
		if a.Name.Value == "PATH" {
			s.call.Path = value
		}
	}
	s.start(t.words(c.Args))
}

func (s *starter) start(words []*Argument) {
	t := s.t
	if len(words) == 0 {
		return
	}
	first := words[0]
	name, known := first.Text.Literal()
	f, isFunction := t.functions[name]
	switch {
	case isFunction && !s.program:
		t.function(f, words[1:])
	case first.IsBwrap():
		s.without(words)
		s.launch(words)
	case first.Caller:
		if s.program || !t.dispatches(s.call.At) {
			s.run(words, false)
		}
	case first.Many, !known:
		s.run(words, false)
		s.operands("", words)
	default:
		s.named(name, words)
	}
}

// named follows a command whose name is known.
func (s *starter) named(name string, words []*Argument) {
	if longOption.MatchString(name) {
		s.t.r.Broken = append(s.t.r.Broken, *words[0])
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if follow, ok := builtins[name]; ok {
		follow(s, words[1:])
		return
	}
	s.run(words, false)
	s.operands(name, words[1:])
	raise(&s.t.ended, s.call.Exec)
}

// dispatches reports whether a command ends a script that has not called bwrap, and
// so chooses one of its functions.
func (t *tracer) dispatches(at Position) bool {
	return at == t.last && len(t.functions) > 0 && len(t.r.Launches) == 0
}

// operands starts what is among the words of a program that runs others: a call of
// bwrap, or the caller's command. A program that is not known to do so may, too.
func (s *starter) operands(program string, words []*Argument) {
	if program == "echo" {
		return
	}
	s.program = true
	known := slices.Contains(wrappers, program)
	isText := false
	for i, w := range words {
		starts := w.IsBwrap() && hasOption(words[i+1:])
		if known {
			starts = w.IsBwrap() || w.Caller
		}
		switch {
		case isText && evaluates(w.Text):
			s.t.r.Evaluated = append(s.t.r.Evaluated, s.call.At)
			s.follow(w.Text)
			return
		case starts:
			s.start(words[i:])
			return
		}
		isText = w.Text.Is("-c")
	}
}

// hasOption reports whether the words behind bwrap's name begin with an option.
func hasOption(words []*Argument) bool {
	for _, w := range words {
		return w.Many || longOption.MatchString(w.Text.String())
	}
	return false
}

var longOption = regexp.MustCompile(`^--.`)

// run notes a program that is started outside of bwrap.
func (s *starter) run(words []*Argument, without bool) {
	t := s.t
	if len(t.r.Runs) == maxRuns {
		return
	}
	t.r.Runs = append(t.r.Runs, Run{
		At: s.call.At, Exec: s.call.Exec, Failed: t.now.failed, Without: without, Output: t.inside > 0, Words: copies(words),
	})
}

// copies gives words as they are now.
func copies(words []*Argument) []Argument {
	var all []Argument
	for _, w := range words {
		all = append(all, *w)
	}
	return all
}

// without notes what is run where the words that start bwrap are left out.
func (s *starter) without(words []*Argument) {
	branch := words[0].When
	if branch == 0 {
		return
	}
	rest := slices.DeleteFunc(slices.Clone(words), func(w *Argument) bool { return w.When == branch })
	if sure := slices.IndexFunc(words, func(w *Argument) bool { return w.When == 0 }); sure >= 0 {
		rest = words[sure:]
	}
	if len(rest) > 0 && !strings.HasPrefix(rest[0].Text.String(), "-") {
		s.run(rest, true)
	}
}

// evaluates reports whether a text is a call of bwrap that values are put into.
func evaluates(t Text) bool {
	if _, known := t.Literal(); known {
		return false
	}
	first := strings.Fields(t.beginning())
	if len(first) == 0 {
		return isBwrap(t[:1])
	}
	called := slices.IndexFunc(first, func(word string) bool { return isBwrap(literal(word)) })
	if called <= 0 {
		return called == 0
	}
	return slices.Contains(append(wrappers, "exec", "env"), first[0])
}

// bwrapName is a variable that holds bwrap's path, by its name.
var bwrapName = regexp.MustCompile(`(?i)(^|_)(bwrap|bubblewrap)(_?(bin|binary|path|exe|cmd|command|program))?$`)

// filledIn is what a build puts in, as @bwrap@.
var filledIn = regexp.MustCompile(`(?:^|/)@([^/]*?)@?$`)

var bwrapPath = regexp.MustCompile(`(^|/)(bwrap|bubblewrap)$`)

// IsBwrap reports whether a word names bwrap.
func (a Argument) IsBwrap() bool { return !a.Caller && isBwrap(a.Text) }

func isBwrap(t Text) bool {
	if len(t) == 0 {
		return false
	}
	last := t[len(t)-1]
	if last.Name != "" {
		return len(t) == 1 && (bwrapName.MatchString(last.Name) || isBwrap(last.Default))
	}
	if name := filledIn.FindStringSubmatch(last.Literal); name != nil {
		return bwrapName.MatchString(name[1])
	}
	return bwrapPath.MatchString(t.String())
}

// launch notes a call of bwrap.
func (s *starter) launch(words []*Argument) {
	t, l := s.t, s.call
	l.At, l.Program, l.Arguments = cmp.Or(words[0].At, l.At), words[0].Text, copies(words[1:])
	l.Dropped, l.Changed, l.ExitTrap, l.Status = t.now.dropped, t.now.changed, t.now.exitTrap, t.status
	if l.Status == StatusUsed && !t.final && !l.Exec {
		l.Status = StatusCovered
	}
	if v := t.now.held["PATH"]; l.Path == nil && len(v.list) > 0 {
		l.Path = v.list[0].Text
	}
	key := fmt.Sprint(t.textAt, l.key())
	switch {
	case asks(l), t.seen[key]:
	case len(t.r.Launches) == maxCalls:
		t.r.Lost = true
	default:
		t.seen[key] = true
		t.r.Launches = append(t.r.Launches, l)
	}
	raise(&t.ended, s.call.Exec)
}

// key is the same for two calls that are written in one place and read alike.
func (l Launch) key() string {
	var b strings.Builder
	fmt.Fprint(&b, l.At, l.Cleared, l.Dropped, l.Changed, l.ExitTrap)
	for _, a := range l.Arguments {
		fmt.Fprint(&b, a.At, a.Text, a.Many, a.When != 0)
	}
	return b.String()
}

// asks reports whether a call only asks bwrap what it is.
func asks(l Launch) bool {
	if len(l.Arguments) == 0 {
		return true
	}
	return slices.ContainsFunc([]string{"--help", "--version"}, l.Arguments[0].Text.Is)
}
