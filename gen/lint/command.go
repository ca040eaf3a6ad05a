package lint

import (
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/lint/trace"
)

// commandRules are about how the script calls bwrap, and what else it does.
var commandRules = []Rule{
	{
		Name:     "call-evaluated",
		Severity: Escape,
		Bad:      `eval "bwrap --ro-bind / / -- $*"`,
		Good:     `bwrap --ro-bind / / -- "$@"`,
		Looks:    "a call of bwrap that is put together as text, for eval or for -c",
		Why:      "a quote or a semicolon in a path or an argument ends the call, and what follows is run outside",
		Source:   "CWE-78; ShellCheck SC2294",
		Hint:     `keep the words in an array, and write bwrap "${args[@]}" -- "$@"`,
		script:   evaluated,
	},
	{
		Name:     "no-double-dash",
		Severity: Weak,
		Bad:      `bwrap --ro-bind / / "$@"`,
		Good:     `bwrap --ro-bind / / -- "$@"`,
		Looks:    `no -- before a command that begins with the caller's arguments`,
		Why:      "arguments that begin with -- are then options of bwrap, and can undo the sandbox",
		Source:   "CVE-2024-32462; bubblewrap issue 259",
		Hint:     `write -- "$@"`,
		call:     dashes,
	},
	{
		Name:     "arguments-split",
		Severity: Weak,
		Bad:      "bwrap --ro-bind / / -- $@",
		Good:     `bwrap --ro-bind / / -- "$@"`,
		Looks:    "$@ or $* without quotes",
		Why:      "bash splits the arguments at blanks and replaces patterns by names of files",
		Source:   "bash(1), Word Splitting; ShellCheck SC2068",
		Hint:     `write "$@"`,
		call:     split,
	},
	{
		Name:     "unquoted",
		Severity: Style,
		Bad:      "bwrap --ro-bind $DATA /data -- make",
		Good:     `bwrap --ro-bind "$DATA" /data -- make`,
		Looks:    "a variable without quotes among bwrap's words",
		Why:      "a blank in its value makes two words of it, and so other options of bwrap",
		Source:   "bash(1), Word Splitting; ShellCheck SC2086",
		Hint:     `write "$NAME", and an array "${NAMES[@]}" for several words`,
		call:     unquoted,
	},
	{
		Name:     "bwrap-replaceable",
		Severity: Escape,
		Bad:      "./tools/bwrap --ro-bind / / -- make",
		Good:     "/usr/bin/bwrap --ro-bind / / -- make",
		Looks:    "a bwrap from the project, or from a PATH whose first directory is it",
		Why:      "what lies in the project was written by those whom the sandbox should hold",
		Source:   "CWE-426",
		Hint:     "write /usr/bin/bwrap, or set PATH to system directories",
		call:     replaceable,
	},
	{
		Name:     "broken-call",
		Severity: Weak,
		Bad: `bwrap --ro-bind / /
--unshare-pid -- make`,
		Good: `bwrap --ro-bind / / \
  --unshare-pid -- make`,
		Looks:  "a command that begins with --, as after a lost backslash",
		Why:    "the call of bwrap ends in the line before, and the rest is run outside, or not at all",
		Source: "bubblewrap issue 739",
		Hint:   "end the line before with a backslash, or keep the options in an array",
		script: broken,
	},
	{
		Name:     "strict-mode",
		Severity: Style,
		Bad: `dir=$(mktemp -d)
bwrap --bind "$dir" /work -- make`,
		Good: `set -eu
dir=$(mktemp -d)
bwrap --bind "$dir" /work -- make`,
		Looks:  "set -e, -u or -o pipefail is missing",
		Why:    "a failed cd or an unset variable is passed over: before 0.13, bwrap takes an empty path for the whole root",
		Source: "bash(1), set; bubblewrap 0.13",
		Hint:   "write set -euo pipefail at the beginning; in another shell than bash, set -eu",
		script: strict,
	},
}

func evaluated(s *script) []remark {
	var all []remark
	for _, at := range s.Evaluated {
		all = append(all, remark{at: at, what: "what the caller gives can end the call of bwrap, which is evaluated as text"})
	}
	return all
}

func dashes(c *call) []remark {
	if c.dashes || len(c.command) == 0 || c.gap != nil && !c.gap.Many { // it may be the command
		return nil
	}
	first := c.command[0]
	if !first.Caller && !first.Text.Caller() {
		return nil
	}
	return []remark{{at: first.At, what: fmt.Sprintf(`the caller's arguments can be options of bwrap: there is no -- before "%s"`, first.Text)}}
}

func split(c *call) []remark {
	var all []remark
	for _, a := range c.Arguments {
		if a.Caller && a.Unquoted() {
			all = append(all, remark{at: a.Split, what: "the caller's arguments are split at blanks: there are no quotes"})
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
			all = append(all, remark{at: a.Split, what: fmt.Sprintf("%s is split at blanks: there are no quotes", a.Text)})
		}
	}
	return all
}

func replaceable(c *call) []remark {
	slash := strings.Contains(c.Program.String(), "/")
	if slash && within(place(c.Program), cwd) {
		return []remark{{at: c.At, what: fmt.Sprintf("bwrap is taken from the working directory: %s", c.Program)}}
	}
	if _, known := c.Program.Literal(); !known || slash || len(c.Path) == 0 {
		return nil
	}
	first := c.Path[0]
	relative := first.Name == "" && !strings.HasPrefix(first.Literal, "/")
	if relative || first.Inherited() && first.Name == "PWD" {
		return []remark{{at: c.At, what: "bwrap may be taken from the working directory, where PATH begins"}}
	}
	return nil
}

func broken(s *script) []remark {
	var all []remark
	for _, a := range s.Broken {
		text, _ := a.Text.Literal()
		if _, is := operands[text]; is {
			all = append(all, remark{at: a.At, what: text + " is run as a command: the call of bwrap ended before it"})
		}
	}
	return all
}

// strict names the settings that would make a difference.
func strict(s *script) []remark {
	if slices.ContainsFunc(s.calls, func(c call) bool { return c.Changed }) {
		return nil
	}
	var lack []string
	if s.Commands > 1 && !s.Errexit && !s.started("e") {
		lack = append(lack, "-e")
	}
	if s.Expands && !s.Nounset && !s.started("u") {
		lack = append(lack, "-u")
	}
	if s.Pipes && !s.Pipefail && s.speaksBash() { // other shells have it not
		lack = append(lack, "-o pipefail")
	}
	if len(lack) == 0 || s.First.Line == 0 {
		return nil
	}
	set := "set " + strings.Join(lack, " ")
	return []remark{{at: s.First, what: "what goes wrong is passed over: there is no " + set, hint: "write " + set + " at the beginning"}}
}
