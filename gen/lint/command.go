package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/lint/trace"
)

func outside(s *script) []remark {
	var all []remark
	for _, r := range s.Runs {
		all = append(all, remark{at: r.At, what: s.unconfined(r)})
	}
	return all
}

// unconfined says that a program is one of the commands that bwrap should run; empty:
// it is not, as far as the script tells.
func (s *script) unconfined(r trace.Run) string {
	words := withoutPrefix(r.Words)
	if r.Output || len(words) == 0 {
		return ""
	}
	isCalls := func(same ...func(words, command []trace.Argument) bool) bool {
		return slices.ContainsFunc(s.calls, func(c *call) bool {
			command := withoutPrefix(c.command)
			for _, as := range same {
				if !as(words, command) {
					return false
				}
			}
			return true
		})
	}
	callers := slices.ContainsFunc(words, func(w trace.Argument) bool { return w.Caller || w.Text.Caller() })
	replaces := r.Exec || words[0].Caller || isCalls(sameProgram)
	switch {
	case r.Without:
		return "where the words that start bwrap are left out, the command is run without bwrap"
	case r.Failed && replaces:
		return "the command is run without bwrap, where that is missing or fails"
	case s.startsItself():
		return ""
	case words[0].Caller, isCalls(sameWords), callers && isCalls(sameProgram), r.Beside && isCalls(sameProgram, sameBegin):
		return "the command is run without bwrap"
	}
	return ""
}

// startsItself reports whether what runs inside is the script once more: then it
// starts the command there.
func (s *script) startsItself() bool {
	isScript := func(w trace.Argument) bool { return ofScript(w.Text) }
	return slices.ContainsFunc(s.calls, func(c *call) bool { return slices.ContainsFunc(c.command, isScript) })
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

// isPrefix reports whether a word is such a program, or an assignment before one.
func isPrefix(w trace.Argument) bool {
	text, _ := w.Text.Literal()
	if strings.Contains(text, "=") && !strings.HasPrefix(text, "-") {
		return true
	}
	return slices.Contains(prefixes, path.Base(text))
}

// runsArguments reports whether a command is sh -c 'exec "$@"' sh COMMAND.
func runsArguments(words []trace.Argument) bool {
	if len(words) < 5 || !isShell(words[0]) {
		return false
	}
	return words[1].Text.Is("-c") && strings.HasSuffix(words[2].Text.String(), `"$@"`)
}

// sameProgram reports whether two commands run the same program. A shell says nothing:
// it runs all kinds of things.
func sameProgram(words, command []trace.Argument) bool {
	if len(command) == 0 || isShell(command[0]) {
		return false
	}
	a, known := words[0].Text.Literal()
	b, alike := command[0].Text.Literal()
	if known && alike {
		return path.Base(a) == path.Base(b)
	}
	return sameWord(words[0], command[0])
}

func sameWord(a, b trace.Argument) bool { return a.Text.Key() == b.Text.Key() && a.Many == b.Many }

// sameBegin reports whether two commands have the same first argument, or one has none.
func sameBegin(words, command []trace.Argument) bool {
	return min(len(words), len(command)) == 1 || words[1].Text.Key() == command[1].Text.Key()
}

// sameWords reports whether two commands are the same, word by word.
func sameWords(words, command []trace.Argument) bool {
	return len(words) > 1 && slices.EqualFunc(words, command, sameWord)
}

func statusLost(c *call) []remark {
	strict := c.script.Errexit || c.script.started("e")
	looked := strict || c.script.StatusRead
	switch {
	case c.Exec:
	case c.Status == trace.StatusPiped && !c.script.Pipefail:
		return c.remark("the exit status of the command is lost in the pipe: there is no set -o pipefail")
	case c.Status == trace.StatusIgnored:
		return c.remark("the exit status of the command is thrown away: || true")
	case c.Status == trace.StatusCovered && !looked:
		return c.remark("the exit status of the command is lost: other commands follow, and nothing looks at it")
	}
	return nil
}

func trapLost(c *call) []remark {
	switch {
	case !c.Exec:
	case c.ExitTrap:
		return c.remark("the EXIT trap never runs: exec puts bwrap in the place of the script")
	case c.Never.Line > 0:
		return []remark{{at: c.Never, what: "this never runs: exec has put bwrap in the place of the script"}}
	}
	return nil
}

func evaluated(s *script) []remark {
	var all []remark
	for _, at := range s.Evaluated {
		what := "what the caller gives can end the call of bwrap, which is evaluated as text"
		all = append(all, remark{at: at, what: what})
	}
	return all
}

func dashes(c *call) []remark {
	if c.dashes || len(c.command) == 0 {
		return nil
	}
	if c.gap != nil && !c.gap.Many { // it may be the command
		return nil
	}
	first := c.command[0]
	if !first.Caller && !first.Text.Caller() {
		return nil
	}
	what := fmt.Sprintf(`the caller's arguments can be options of bwrap: there is no -- before "%s"`, first.Text)
	return []remark{{at: first.At, what: what}}
}

func split(c *call) []remark {
	var all []remark
	for _, a := range c.Arguments {
		if a.Caller && a.Unquoted() {
			what := "the caller's arguments are split at blanks: there are no quotes"
			all = append(all, remark{at: a.Split, what: what})
		}
	}
	return all
}

func unquoted(c *call) []remark {
	var all []remark
	told := map[trace.Position]bool{}
	for _, a := range c.Arguments {
		if a.Unquoted() && !a.Caller && !told[a.Split] {
			told[a.Split] = true
			what := fmt.Sprintf("%s is split at blanks: there are no quotes", a.Text)
			all = append(all, remark{at: a.Split, what: what})
		}
	}
	return all
}

func replaceable(c *call) []remark {
	program, known := c.Program.Literal()
	switch {
	case strings.Contains(c.Program.String(), "/"):
		if within(place(c.Program), cwd) {
			return c.remark("bwrap is taken from the working directory: %s", c.Program)
		}
	case !known, program == "", len(c.Path) == 0:
	case beginsHere(c.Path[0]):
		return c.remark("bwrap may be taken from the working directory, where PATH begins")
	}
	return nil
}

// beginsHere reports whether a PATH begins with the working directory.
func beginsHere(first trace.Piece) bool {
	if first.Name != "" {
		return first.Name == "PWD" && first.Inherited()
	}
	return !strings.HasPrefix(first.Literal, "/")
}

func broken(s *script) []remark {
	var all []remark
	for _, a := range s.Broken {
		if isOption(a) {
			what := a.Text.String() + " is run as a command: the call of bwrap ended before it"
			all = append(all, remark{at: a.At, what: what})
		}
	}
	return all
}

// strict names the settings that would make a difference.
func strict(s *script) []remark {
	errexit := s.Errexit || s.started("e")
	nounset := s.Nounset || s.started("u")
	pipefail := s.Pipefail || !s.speaksBash() // other shells have it not
	set := "set"
	for _, one := range []struct {
		letter     string
		is, useful bool
	}{
		{" -e", errexit, s.Commands > 1}, {" -u", nounset, s.Expands}, {" -o pipefail", pipefail, s.Pipes},
	} {
		if one.useful && !one.is {
			set += one.letter
		}
	}
	if s.changed || set == "set" || s.First.Line == 0 {
		return nil
	}
	what, hint := "what goes wrong is passed over: there is no "+set, "write "+set+" at the beginning"
	return []remark{{at: s.First, what: what, hint: hint}}
}
