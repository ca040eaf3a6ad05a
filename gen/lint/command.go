package lint

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint/trace"
)

func outside(s *script) {
	for _, r := range s.Runs {
		s.unconfined(r)
	}
}

// unconfined reports a program that is one of the commands that bwrap should run, as far as
// the script tells.
func (s *script) unconfined(r trace.Run) {
	words := withoutPrefix(r.Words)
	isCalls := func(same ...func(words, command []trace.Argument) bool) bool {
		return slices.ContainsFunc(s.calls, func(c *call) bool {
			command := withoutPrefix(c.Command)
			for _, as := range same {
				if !as(words, command) {
					return false
				}
			}
			return true
		})
	}
	switch {
	case r.Output, len(words) == 0:
		return
	}
	callers := slices.ContainsFunc(words, trace.Argument.OfCaller)
	sameWords := func(words, command []trace.Argument) bool {
		return len(words) > 1 && slices.EqualFunc(words, command, sameWord)
	}
	sameBegin := func(words, command []trace.Argument) bool { // the first argument, unless one has none
		return min(len(words), len(command)) == 1 || words[1].Text.Key() == command[1].Text.Key()
	}
	takesPlace := r.Exec || words[0].Caller || isCalls(sameProgram)
	switch {
	case r.Without:
		s.report(r.At, "where the words that start bwrap are left out, the command is run without bwrap")
	case r.Failed && takesPlace:
		s.report(r.At, "the command is run without bwrap, where that is missing or fails")
	case s.startsItself():
	case words[0].Caller, isCalls(sameWords), callers && isCalls(sameProgram), r.Beside && isCalls(sameProgram, sameBegin):
		s.report(r.At, "the command is run without bwrap")
	}
}

// startsItself reports whether what runs inside is the script once more: then it
// starts the command there.
func (s *script) startsItself() bool {
	isScript := func(w trace.Argument) bool { return ofScript(w.Text) }
	return slices.ContainsFunc(s.calls, func(c *call) bool { return slices.ContainsFunc(c.Command, isScript) })
}

// withoutPrefix gives the words of the program that others only lead to.
func withoutPrefix(words []trace.Argument) []trace.Argument {
	for len(words) > 1 {
		switch {
		case isPrefix(words[0]):
			words = words[1:]
		case runsArguments(words):
			words = words[4:]
		default:
			return words
		}
	}
	return words
}

// prefixes are programs that run the words behind them.
var prefixes = []string{"env", "exec", "nice", "nohup", "setsid", "time", "command", "sudo"}

var assignment = regexp.MustCompile(`(?s)^(=|[^-].*=)`)

// isPrefix reports whether a word is such a program, or an assignment before one.
func isPrefix(w trace.Argument) bool {
	text, _ := w.Text.Literal()
	return assignment.MatchString(text) || slices.Contains(prefixes, path.Base(text))
}

// runsArguments reports whether a command is sh -c 'exec "$@"' sh COMMAND.
func runsArguments(words []trace.Argument) bool {
	if len(words) < 5 {
		return false
	}
	return runsText.MatchString(strings.Join(trace.Shown(words[:3]), " "))
}

var runsText = regexp.MustCompile(`(?s)^(.*/)?(\$BASH|sh|bash) -c .*"\$@"$`)

// sameProgram reports whether two commands run the same program. A shell says nothing:
// it runs all kinds of things.
func sameProgram(words, command []trace.Argument) bool {
	switch {
	case len(command) == 0, isShell(command[0]):
		return false
	case sameWord(words[0], command[0]):
		return true
	}
	a, _ := words[0].Text.Literal()
	b, _ := command[0].Text.Literal()
	return a != "" && path.Base(a) == path.Base(b)
}

func sameWord(a, b trace.Argument) bool { return a.Text.Key() == b.Text.Key() && a.Many == b.Many }

func statusLost(c *call) {
	s := c.script
	lost := map[trace.Status]string{
		trace.StatusPiped:   "is lost in the pipe: there is no set -o pipefail",
		trace.StatusIgnored: "is thrown away: || true",
		trace.StatusCovered: "is lost: other commands follow, and nothing looks at it",
	}
	if s.Pipefail {
		delete(lost, trace.StatusPiped)
	}
	if s.Errexit || s.StatusRead {
		delete(lost, trace.StatusCovered)
	}
	switch {
	case c.Exec, lost[c.Status] == "":
		return
	}
	c.report("the exit status of the command %s", lost[c.Status])
}

func trapLost(c *call) {
	switch {
	case !c.Exec:
	case c.ExitTrap:
		c.report("the EXIT trap never runs: exec puts bwrap in the place of the script")
	case c.Never.Line > 0:
		c.script.report(c.Never, "this never runs: exec has put bwrap in the place of the script")
	}
}

func evaluated(s *script) {
	for _, at := range s.Evaluated {
		s.report(at, "what the caller gives can end the call of bwrap, which is evaluated as text")
	}
}

func dashes(c *call) {
	mayBeCommand := c.gap != nil && !c.gap.Many
	switch {
	case c.dashes, mayBeCommand, len(c.Command) == 0, !c.Command[0].OfCaller():
		return
	}
	first, format := c.Command[0], `the caller's arguments can be options of bwrap: there is no -- before "%s"`
	c.script.report(first.At, format, first.Text)
}

// unquoted is a rule's function for words without quotes: those of the caller, or others.
func unquoted(callers bool) func(*call) {
	return func(c *call) {
		done := map[trace.Position]bool{{}: true} // {} is the place of what has quotes
		for _, a := range c.Arguments {
			if done[a.Split] || a.Caller != callers {
				continue
			}
			done[a.Split] = true
			what := a.Text.String() + " is split"
			if callers {
				what = "the caller's arguments are split"
			}
			c.script.report(a.Split, "%s at blanks: there are no quotes", what)
		}
	}
}

func replaceable(c *call) {
	program, known := c.Program.Literal()
	switch {
	case strings.Contains(c.Program.String(), "/"):
		if expr.Within(place(c.Program), cwd) {
			c.report("bwrap is taken from the working directory: %s", c.Program)
		}
	case !known, program == "", len(c.Path) == 0:
	case beginsHere(c.Path[0]):
		c.report("bwrap may be taken from the working directory, where PATH begins")
	}
}

// beginsHere reports whether a PATH begins with the working directory.
func beginsHere(first trace.Piece) bool {
	if first.Name != "" {
		return trace.Text{first}.MadeOf("PWD")
	}
	return !strings.HasPrefix(first.Literal, "/")
}

func broken(s *script) {
	for _, a := range s.Broken {
		if isOption(a) {
			s.report(a.At, "%s is run as a command: the call of bwrap ended before it", a.Text)
		}
	}
}

// strict names the settings that would make a difference.
func strict(s *script) {
	set := "set"
	if s.Commands > 1 && !s.Errexit {
		set += " -e"
	}
	if s.Expands && !s.Nounset {
		set += " -u"
	}
	if s.Pipes && !s.Pipefail && s.speaksBash() { // other shells have it not
		set += " -o pipefail"
	}
	switch {
	case s.changed, set == "set", s.First.Line == 0:
		return
	}
	f := told(s.First, "what goes wrong is passed over: there is no %s", set)
	f.Hint = "write " + set + " at the beginning"
	s.add(f)
}
