package lint

import (
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/lint/trace"
)

// outsideRules are about ways on which the command runs, and bwrap does not.
var outsideRules = []Rule{
	{
		Name:     "outside",
		Severity: Escape,
		Bad:      "command -v bwrap >/dev/null || exec make \"$@\"\nexec bwrap --ro-bind / / -- make \"$@\"",
		Good:     "command -v bwrap >/dev/null || exit 1\nexec bwrap --ro-bind / / -- make \"$@\"",
		Looks:    "a way on which the command runs without bwrap: where it is missing, fails, or is switched off",
		Why:      "whoever relies on the sandbox does not notice that there is none",
		Source:   "CWE-636, Not Failing Securely",
		Hint:     "print an error and exit",
		script:   outside,
	},
	{
		Name:     "status-lost",
		Severity: Style,
		Bad:      "bwrap --ro-bind / / -- make | tee log",
		Good:     "set -o pipefail\nbwrap --ro-bind / / -- make | tee log",
		Looks:    "a call of bwrap whose exit status nobody looks at",
		Why:      "where the command or the sandbox fails, the script goes on and ends as if all were well",
		Source:   "bash(1), Pipelines and EXIT STATUS",
		Hint:     "write set -e and set -o pipefail, keep $?, or end the script with the call",
		call:     statusLost,
	},
}

func outside(s *script) []remark {
	var all []remark
	for _, r := range s.Runs {
		if says := s.unconfined(r); says != "" {
			all = append(all, remark{at: r.At, what: says})
		}
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
	callers := slices.ContainsFunc(words, func(w trace.Argument) bool { return w.Caller || w.Text.Caller() })
	sameProgram := slices.ContainsFunc(s.calls, func(c call) bool { return sameWord(words, c.command) })
	sameCommand := slices.ContainsFunc(s.calls, func(c call) bool { return sameWords(words, c.command) })
	alike := slices.ContainsFunc(s.calls, func(c call) bool { return sameWord(words, c.command) && sameBegin(words, c.command) })
	switch {
	case r.Without:
		return "where the words that start bwrap are left out, the command is run without bwrap"
	case r.Failed && (sameProgram || r.Exec || words[0].Caller):
		return "the command is run without bwrap, where that is missing or fails"
	case s.startsItself():
		return ""
	case words[0].Caller, sameCommand, sameProgram && callers, r.Beside && alike:
		return "the command is run without bwrap"
	}
	return ""
}

// startsItself reports whether what runs inside is the script once more: then it
// starts the command there.
func (s *script) startsItself() bool {
	return slices.ContainsFunc(s.calls, func(c call) bool {
		return slices.ContainsFunc(c.command, func(w trace.Argument) bool {
			return ofScript(w.Text)
		})
	})
}

// prefixes are programs that run the words behind them.
var prefixes = []string{"env", "exec", "nice", "nohup", "setsid", "time", "command", "sudo"}

// withoutPrefix gives the words of the program that others only lead to.
func withoutPrefix(words []trace.Argument) []trace.Argument {
	for len(words) > 1 {
		if isShell(words[0]) && len(words) > 4 && words[1].Text.Is("-c") && strings.HasSuffix(words[2].Text.String(), `"$@"`) {
			words = words[4:] // sh -c 'exec "$@"' sh COMMAND
			continue
		}
		text, known := words[0].Text.Literal()
		assigns := known && strings.Contains(text, "=") && !strings.HasPrefix(text, "-")
		if !known || words[0].Many || !slices.Contains(prefixes, path.Base(text)) && !assigns {
			break
		}
		words = words[1:]
	}
	return words
}

// sameWord reports whether two commands run the same program. A shell says nothing:
// it runs all kinds of things.
func sameWord(words, command []trace.Argument) bool {
	command = withoutPrefix(command)
	if len(command) == 0 || isShell(command[0]) {
		return false
	}
	a, known := words[0].Text.Literal()
	b, alike := command[0].Text.Literal()
	if known && alike {
		return path.Base(a) == path.Base(b)
	}
	return words[0].Text.Key() == command[0].Text.Key() && words[0].Many == command[0].Many
}

// sameBegin reports whether two commands have the same first argument, or one has none.
func sameBegin(words, command []trace.Argument) bool {
	command = withoutPrefix(command)
	return len(words) == 1 || len(command) == 1 || words[1].Text.Key() == command[1].Text.Key()
}

// sameWords reports whether two commands are the same, word by word.
func sameWords(words, command []trace.Argument) bool {
	command = withoutPrefix(command)
	return len(words) > 1 && slices.EqualFunc(words, command, func(a, b trace.Argument) bool {
		return a.Text.Key() == b.Text.Key() && a.Many == b.Many
	})
}

func statusLost(c *call) []remark {
	strict := c.script.Errexit || c.script.started("e")
	switch {
	case c.Exec, c.Status == trace.StatusUsed:
		return nil
	case c.Status == trace.StatusPiped && !c.script.Pipefail:
		return []remark{{at: c.At, what: "the exit status of the command is lost in the pipe: there is no set -o pipefail"}}
	case c.Status == trace.StatusIgnored:
		return []remark{{at: c.At, what: "the exit status of the command is thrown away: || true"}}
	case c.Status == trace.StatusCovered && !strict && !c.script.StatusRead:
		return []remark{{at: c.At, what: "the exit status of the command is lost: other commands follow, and nothing looks at it"}}
	}
	return nil
}
