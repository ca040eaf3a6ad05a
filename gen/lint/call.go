package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/lint/trace"
)

// script is what is known of one script.
type script struct {
	trace.Reading
	calls []call
	text  string

	onlyTries bool // bwrap is called to see whether it works, and for nothing else

	sockets []sensitive // of the catalogue
	tools   catalogue.Catalogue
}

// call is a call of bwrap, with its words taken apart.
type call struct {
	trace.Launch
	script  *script
	options []option
	mounts  []mount
	command []trace.Argument
	dashes  bool             // -- stands before the command
	wrong   []remark         // options with too few words, and words with options behind them
	maybe   []trace.Argument // words that the script does not tell, on some ways only
	gap     *trace.Argument  // words among the options that the script does not tell
}

// option is one option with its operands.
type option struct {
	trace.Argument
	name     string
	operands []trace.Argument // fewer than it takes: the script does not tell
}

// told is where a finding about an option is told: at the option or, where a helper
// puts that before it, at the operand.
func (o option) told() trace.Position {
	if len(o.operands) > 0 && o.operands[0].At.Line > 0 && o.operands[0].At.Line != o.At.Line {
		return o.operands[0].At
	}
	return o.At
}

func newScript(r trace.Reading, tools catalogue.Catalogue) *script {
	s := &script{Reading: r, tools: tools, sockets: places(tools.Sockets(), catalogue.ControlSocket)}
	var tries []call
	for _, l := range r.Launches {
		c := newCall(s, l)
		if c.tries() {
			tries = append(tries, c)
		} else {
			s.calls = append(s.calls, c)
		}
	}
	if slices.ContainsFunc(s.calls, call.callers) {
		s.calls = slices.DeleteFunc(s.calls, call.helps)
	}
	s.onlyTries = len(s.calls) == 0 && len(tries) > 0
	return s
}

// callers reports whether a call runs what the caller asks for.
func (c call) callers() bool {
	return slices.ContainsFunc(c.command, func(w trace.Argument) bool { return w.Caller })
}

// helps reports whether a call runs a text of the script itself, beside the call
// that runs what the caller asks for.
func (c call) helps() bool {
	if c.callers() || len(c.command) < 3 {
		return false
	}
	return slices.ContainsFunc(c.command, isShell) &&
		slices.ContainsFunc(c.command, func(w trace.Argument) bool { return w.Text.Is("-c") })
}

// newCall takes a call apart. Of a bwrap that starts another one, the innermost is
// the sandbox.
func newCall(s *script, l trace.Launch) call {
	words := l.Arguments
	for {
		c := call{Launch: l, script: s}
		c.parse(words)
		c.wrong = append(c.wrong, c.surplus()...)
		i := slices.IndexFunc(c.command, trace.Argument.IsBwrap)
		if i < 0 {
			c.mounts = mounts(c.options)
			return c
		}
		words = c.command[i+1:]
	}
}

func isShell(w trace.Argument) bool {
	name := w.Text.String()
	return slices.Contains([]string{"$BASH", "sh", "bash"}, name[strings.LastIndexByte(name, '/')+1:])
}

func (c *call) parse(words []trace.Argument) {
	for len(words) > 0 {
		w := words[0]
		text, known := w.Text.Literal()
		n, is := operands[text]
		switch {
		case w.When != 0 && len(words) > 1 && words[1].Caller && !isOption(w): // where the caller gives no command
			words = words[1:]
		case w.Many && w.Caller, begins(words):
			c.command = words
			return
		case w.Many && w.When != 0: // on some ways only: on the others the call is as it stands
			c.maybe = append(c.maybe, w)
			words = words[1:]
		case w.Many || !known || strings.HasPrefix(text, "--") && text != "--" && !is:
			c.unsure(w)
			words = words[1:]
		case text == "--":
			c.dashes = true
			c.command = words[1:]
			return
		case !is && w.When != 0: // an operand that lost its option in another branch
			words = words[1:]
		case !is:
			c.command = words
			return
		default:
			o := option{Argument: w, name: text}
			words = words[1:]
			for len(o.operands) < n && len(words) > 0 && operand(words[0]) {
				o.operands = append(o.operands, words[0])
				words = words[1:]
			}
			switch {
			case text == "--args": // more options, of a file
				c.unsure(w)
			case len(o.operands) < n && w.When == 0 && len(words) > 0:
				if isOption(words[0]) && words[0].When == 0 {
					c.wrong = append(c.wrong, remark{at: w.At, what: fmt.Sprintf("%s takes %s for its operand: a word is missing", text, words[0].Text)})
				}
				c.unsure(words[0])
			}
			c.options = append(c.options, o)
		}
	}
}

// begins reports whether the command begins with a word that the script does not
// tell: no option follows it, and it is not made by the script.
func begins(words []trace.Argument) bool {
	w, text := words[0], words[0].Text
	if _, known := text.Literal(); known || (w.Many || w.Unquoted()) && !isPath(text) || slices.ContainsFunc(words[1:], isOption) {
		return false
	}
	output := strings.HasPrefix(text[0].Name, "(")
	one := len(text) == 1 && len(text[0].Either) > 0 && !slices.ContainsFunc(text[0].Either, func(t trace.Text) bool { return !strings.HasPrefix(t.String(), "/") })
	named := one || len(text) == 1 && commandName.MatchString(text[0].Name)
	return named || text.Caller() || w.When == 0 && (text[0].Inherited() || output || strings.Contains(text.String(), "/"))
}

// isPath reports whether a text is what a program prints that prints a path.
func isPath(t trace.Text) bool {
	return len(t) == 1 && slices.Contains([]string{"(which)", "(command)", "(type)", "(readlink)"}, t[0].Name)
}

// commandName is a variable that holds a command, by its name.
var commandName = regexp.MustCompile(`(?i)(^|_)(cmd|command|prog|program|bin|binary|exe|app|shell|script|entry|entrypoint)$`)

func isOption(w trace.Argument) bool {
	text, _ := w.Text.Literal()
	_, is := operands[text]
	return is || text == "--"
}

func (c *call) unsure(w trace.Argument) {
	if c.gap == nil {
		c.gap = &w
	}
}

// operand reports whether a word can be an option's operand, and not the next
// option, or a place for any number of words.
func operand(w trace.Argument) bool {
	return !isOption(w) && (!w.Many || w.Unquoted() && !w.Caller)
}

// tries reports whether a call only tries whether a sandbox can be made.
func (c *call) tries() bool {
	for _, w := range c.command {
		switch {
		case w.Many:
			return false
		case w.When != 0:
			continue
		}
		if w.Text.Is("true") || w.Text.Is("/bin/true") || w.Text.Is("/usr/bin/true") || w.Text.Is(":") {
			return true
		}
	}
	return len(c.command) == 0 && c.dashes
}

// has reports whether one of the options is given, maybe in some branch.
func (c *call) has(names ...string) bool {
	return slices.ContainsFunc(c.options, func(o option) bool { return slices.Contains(names, o.name) })
}

// lacks reports whether none of the options is given, for sure.
func (c *call) lacks(names ...string) bool {
	return c.whole() && !c.has(names...)
}

// whole reports whether all of bwrap's options are known.
func (c *call) whole() bool {
	return c.gap == nil && !c.Changed && !c.script.Lost
}

// first gives the first of an option's occurrences.
func (c *call) first(name string) (option, bool) {
	for _, o := range c.options {
		if o.name == name {
			return o, true
		}
	}
	return option{}, false
}

// absent is a remark about what a call lacks.
func (c *call) absent(what string, names ...string) []remark {
	if !c.lacks(names...) {
		return nil
	}
	return []remark{{at: c.At, what: what}}
}

// notes say what could not be judged.
func (s *script) notes(file string) []Finding {
	var all []Finding
	for _, at := range s.Evaluated {
		if slices.ContainsFunc(s.calls, func(c call) bool { return c.At == at }) {
			continue
		}
		all = append(all, Finding{File: file, Line: at.Line, Column: at.Column, What: "cannot follow a call that is evaluated as text, so nothing else is said of it"})
	}
	for _, c := range s.calls {
		if why := c.unjudged(); why != "" {
			all = append(all, Finding{File: file, Line: c.At.Line, Column: c.At.Column, What: why + ", so nothing is said of what this call may lack"})
		}
	}
	return inOrder(all)
}

// unjudged says why a call's options are not known; empty: they are.
func (c *call) unjudged() string {
	switch {
	case c.gap != nil && c.gap.Text.Is("--args"):
		return "cannot tell which options --args brings"
	case c.gap != nil && strings.HasPrefix(c.gap.Text.String(), "--"):
		return "bwrap 0.13 has no option " + c.gap.Text.String()
	case c.gap != nil:
		return "cannot tell what " + c.gap.Text.String() + " holds"
	case c.Changed:
		return "cannot tell what a sourced or evaluated text changes"
	case c.script.Lost:
		return "cannot follow the script to its end"
	}
	return ""
}
