package lint

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/lint/trace"
)

// script is what is known of one script.
type script struct {
	trace.Reading
	findings
	calls []*call
	tools catalogue.Catalogue

	stated int // the second number of the version of bwrap that the script says it needs; -1: none

	onlyTries bool // bwrap is called to see whether it works, and for nothing else
	changed   bool // a sourced or evaluated text may change a call

	sockets, credentials, persistent []sensitive // of the catalogue
}

// Sandbox is a call of bwrap, as far as a script tells, with its words taken apart.
type Sandbox struct {
	trace.Launch
	Options []Option
	Command []trace.Argument
	Unknown string // what could not be followed; empty: all could
}

// call is a sandbox that is judged.
type call struct {
	Sandbox
	script *script
	mounts []mount
	dashes bool             // -- stands before the command
	wrong  []Finding        // options with too few words
	maybe  []trace.Argument // words that the script does not tell, on some ways only
	gap    *trace.Argument  // words among the options that the script does not tell
}

// Option is one option with its operands. It stands where it is written or, where a helper
// puts it before its operands, where the first of those is.
type Option struct {
	trace.Argument
	Name     string
	Operands []trace.Argument // fewer than it takes: the script does not tell
}

// complete reports whether all operands are there.
func (o Option) complete() bool { return len(o.Operands) == o.about().Words }

func (o Option) about() bwrapOption { return data().Options[o.Name] }

func newScript(name string, r trace.Reading, text string, tools catalogue.Catalogue) *script {
	s := &script{
		Reading: r, findings: findings{file: name}, tools: tools, stated: statedVersion(text),
		sockets:     places(tools.Sockets(), catalogue.ControlSocket),
		credentials: places(tools.Secrets(), catalogue.Credential),
		persistent:  places(tools.Secrets(), catalogue.Persistence, catalogue.State),
	}
	for _, name := range data().Programs {
		s.persistent = append(s.persistent, sensitive{at: home + "/" + name})
	}
	for _, l := range r.Launches {
		s.calls = append(s.calls, newCall(s, l))
	}
	s.calls = slices.DeleteFunc(s.calls, (*call).tries)
	if slices.ContainsFunc(s.calls, (*call).callers) {
		s.calls = slices.DeleteFunc(s.calls, (*call).helps)
	}
	s.onlyTries = len(r.Launches) > 0 && len(s.calls) == 0
	s.changed = slices.ContainsFunc(s.calls, func(c *call) bool { return c.Changed })
	return s
}

func isCaller(w trace.Argument) bool { return w.Caller }

// callers reports whether a call runs what the caller asks for.
func (c *call) callers() bool { return slices.ContainsFunc(c.Command, isCaller) }

// helps reports whether a call runs a text of the script itself, beside the call
// that runs what the caller asks for.
func (c *call) helps() bool {
	isFlag := func(w trace.Argument) bool { return w.Text.Is("-c") }
	switch {
	case c.callers(), !slices.ContainsFunc(c.Command, isShell):
		return false
	}
	return slices.ContainsFunc(c.Command, isFlag)
}

// newCall takes a call apart. Of a bwrap that starts another one, the innermost is
// the sandbox.
func newCall(s *script, l trace.Launch) *call {
	words := l.Arguments
	for {
		c := &call{Sandbox: Sandbox{Launch: l}, script: s}
		c.parse(words)
		i := slices.IndexFunc(c.Command, trace.Argument.IsBwrap)
		if i < 0 {
			c.Unknown = c.unjudged()
			c.mounts = mountsOf(c)
			return c
		}
		words = c.Command[i+1:]
	}
}

func isShell(w trace.Argument) bool {
	return slices.Contains([]string{"$BASH", "sh", "bash"}, path.Base(w.Text.String()))
}

func (c *call) parse(words []trace.Argument) {
	for len(words) > 0 {
		w, rest := words[0], words[1:]
		text, known := w.Text.Literal()
		switch {
		case isBwrapOption(text):
			rest = c.option(w, text, rest)
		case text == "--":
			c.dashes, c.Command = true, rest
			return
		case w.When != 0 && slices.ContainsFunc(rest[:min(1, len(rest))], isCaller): // where the caller gives no command
		case w.Many && w.Caller, begins(words):
			c.Command = words
			return
		case w.Many && w.When != 0: // on some ways only: on the others the call is as it stands
			c.maybe = append(c.maybe, w)
		case w.Many, !known, strings.HasPrefix(text, "--"):
			c.unsure(w)
		case w.When != 0: // an operand that lost its option in another branch
		default:
			c.Command = words
			return
		}
		words = rest
	}
}

// option takes an option with its operands, and gives the words behind them.
func (c *call) option(w trace.Argument, name string, words []trace.Argument) []trace.Argument {
	n, most := 0, min(data().Options[name].Words, len(words))
	for n < most && isOperand(words[n]) {
		n++
	}
	o := Option{Argument: w, Name: name, Operands: words[:n]}
	if n > 0 && !slices.Contains([]uint{0, w.At.Line}, words[0].At.Line) {
		o.At = words[0].At
	}
	c.Options = append(c.Options, o)
	words = words[n:]
	switch {
	case name == "--args": // more options, of a file
		c.unsure(w)
	case o.complete(), w.When != 0, len(words) == 0:
	default:
		if next := words[0]; isOption(next) && next.When == 0 {
			c.wrong = append(c.wrong, told(w.At, "%s takes %s for its operand: a word is missing", name, next.Text))
		}
		c.unsure(words[0])
	}
	return words
}

// begins reports whether the command begins with a word that the script does not
// tell: no option follows it, and it is not made by the script.
func begins(words []trace.Argument) bool {
	w, text := words[0], words[0].Text
	_, known := text.Literal()
	maySplit := w.Many || w.Unquoted()
	isPath := slices.Contains([]string{"$(which)", "$(command)", "$(type)", "$(readlink)"}, text.String()) // what prints one
	switch {
	case known, slices.ContainsFunc(words[1:], isOption), maySplit && !isPath:
		return false
	case text.Caller(), isCommand(text):
		return true
	case w.When != 0:
		return false
	case text[0].Inherited(), strings.HasPrefix(text[0].Name, "("):
		return true
	}
	return strings.Contains(text.String(), "/")
}

// commandName is a variable that holds a command, by its name.
var commandName = regexp.MustCompile(
	`(?i)(^|_)(cmd|command|prog|program|bin|binary|exe|app|shell|script|entry|entrypoint)$`)

// isCommand reports whether a text is a variable that holds a command, or one of several
// programs.
func isCommand(t trace.Text) bool {
	isOther := func(one trace.Text) bool { return !strings.HasPrefix(one.String(), "/") }
	switch {
	case len(t) != 1:
		return false
	case len(t[0].Either) == 0, slices.ContainsFunc(t[0].Either, isOther):
		return commandName.MatchString(t[0].Name)
	}
	return true
}

func isOption(w trace.Argument) bool {
	text, _ := w.Text.Literal()
	return text == "--" || isBwrapOption(text)
}

func (c *call) unsure(w trace.Argument) {
	if c.gap == nil {
		c.gap = &w
	}
}

// isOperand reports whether a word can be an option's operand, and not the next
// option, or a place for any number of words.
func isOperand(w trace.Argument) bool {
	switch {
	case isOption(w):
		return false
	case w.Many:
		return w.Unquoted() && !w.Caller
	}
	return true
}

// tries reports whether a call only tries whether a sandbox can be made.
func (c *call) tries() bool {
	for _, w := range c.Command {
		if w.Many {
			return false
		}
		if w.When == 0 && slices.ContainsFunc([]string{"true", "/bin/true", "/usr/bin/true", ":"}, w.Text.Is) {
			return true
		}
	}
	return c.dashes && len(c.Command) == 0
}

// has reports whether one of the options is given, maybe in some branch.
func (c *call) has(names ...string) bool {
	return slices.ContainsFunc(c.Options, func(o Option) bool { return slices.Contains(names, o.Name) })
}

// lacks reports whether none of the options is given, for sure.
func (c *call) lacks(names ...string) bool {
	return c.whole() && !c.has(names...)
}

// whole reports whether all of bwrap's options are known.
func (c *call) whole() bool { return c.Unknown == "" }

// report tells something about the call itself.
func (c *call) report(format string, parts ...any) { c.script.report(c.At, format, parts...) }

// notes say what could not be judged.
func (s *script) notes() []Finding {
	notes := findings{file: s.file}
	for _, at := range s.Evaluated {
		if !slices.ContainsFunc(s.calls, func(c *call) bool { return c.At == at }) {
			notes.report(at, "cannot follow a call that is evaluated as text, so nothing else is said of it")
		}
	}
	for _, c := range s.calls {
		if c.Unknown != "" {
			notes.report(c.At, "%s, so nothing is said of what this call may lack", c.Unknown)
		}
	}
	return inOrder(notes.found)
}

// unjudged says why a call's options are not known; empty: they are.
func (c *call) unjudged() string {
	gap := ""
	if c.gap != nil {
		gap = c.gap.Text.String()
	}
	switch {
	case gap == "--args":
		return "cannot tell which options --args brings"
	case strings.HasPrefix(gap, "--"):
		return "bwrap 0.13 has no option " + gap
	case c.gap != nil:
		return "cannot tell what " + gap + " holds"
	case c.Changed:
		return "cannot tell what a sourced or evaluated text changes"
	case c.script.Lost:
		return "cannot follow the script to its end"
	}
	return ""
}
