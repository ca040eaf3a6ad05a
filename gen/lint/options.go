package lint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/lint/trace"
)

// optionRules are about bwrap's command line itself.
var optionRules = []Rule{
	{
		Name:     "wrong-arity",
		Severity: Weak,
		Bad:      "bwrap --ro-bind / / --tmpfs /tmp /run --unshare-pid -- make",
		Good:     "bwrap --ro-bind / / --tmpfs /tmp --tmpfs /run --unshare-pid -- make",
		Looks:    "an option with a word too few or too many",
		Why: "bwrap takes the next option for the missing word, or a word too many for the command, and every " +
			"option behind it for an argument of that: none of them has an effect",
		Source: "bwrap(1), SYNOPSIS",
		Hint:   "see bwrap --help for how many words the option takes",
		call:   func(c *call) []remark { return c.wrong },
	},
	{
		Name:     "unknown-option",
		Severity: Weak,
		Bad:      "bwrap --ro-bind / / --unshare-everything -- make",
		Good:     "bwrap --ro-bind / / --unshare-all -- make",
		Looks:    "an option that bwrap 0.13 does not have",
		Why:      "bwrap refuses to start, and a script that goes on then runs without it",
		Source:   "bwrap(1)",
		Hint:     "see bwrap --help",
		call:     unknownOption,
	},
	{
		Name:     "newer-option",
		Severity: Weak,
		Bad:      "# needs bubblewrap >= 0.4\nbwrap --unshare-user --disable-userns --ro-bind / / -- make",
		Good:     "# needs bubblewrap >= 0.8\nbwrap --unshare-user --disable-userns --ro-bind / / -- make",
		Looks:    "an option that is newer than the bwrap that the script says it needs",
		Why:      "on the version that is named, bwrap refuses to start",
		Source:   "NEWS.md of bubblewrap",
		Hint:     "name the version that has the option, or do without it",
		call:     newerOption,
	},
}

func unknownOption(c *call) []remark {
	if c.gap == nil {
		return nil
	}
	text, known := c.gap.Text.Literal()
	_, is := operands[text]
	if !known || is || !strings.HasPrefix(text, "--") {
		return nil
	}
	return []remark{{at: c.gap.At, what: "bwrap 0.13 has no option " + text}}
}

// distinct are options that are bwrap's alone: nothing else is called so.
func distinct(w trace.Argument) bool {
	text, known := w.Text.Literal()
	if !known || w.When != 0 {
		return false
	}
	_, is := operands[text]
	begins := strings.HasPrefix(text, "--unshare-") || strings.HasPrefix(text, "--ro-bind") || strings.HasPrefix(text, "--dev-bind")
	return is && (begins || slices.Contains([]string{"--share-net", "--die-with-parent", "--new-session", "--clearenv", "--bind-try", "--tmpfs"}, text))
}

// surplus is the remark about a word that was meant for the option before it: it
// begins the command, and options follow.
func (c *call) surplus() []remark {
	if c.dashes || len(c.command) < 2 || len(c.options) == 0 || c.command[0].Many {
		return nil
	}
	i := slices.IndexFunc(c.command[1:], distinct)
	if i < 0 || slices.ContainsFunc(c.command[:i+1], func(w trace.Argument) bool { return w.Many || w.Text.Is("--") }) {
		return nil
	}
	first, lost := c.command[0], c.command[i+1]
	return []remark{{at: first.At, what: fmt.Sprintf("%s begins the command, so %s and what follows it have no effect", first.Text, lost.Text)}}
}

// since says which bwrap brought an option; those of 0.1 to 0.3 are not listed.
var since = map[string]string{
	"--userns": "0.4", "--userns2": "0.4", "--pidns": "0.4",
	"--clearenv": "0.5", "--perms": "0.5", "--chmod": "0.5",
	"--add-seccomp-fd": "0.6", "--size": "0.7",
	"--disable-userns": "0.8", "--assert-userns-disabled": "0.8",
	"--argv0": "0.9", "--bind-fd": "0.10", "--ro-bind-fd": "0.10",
	"--overlay-src": "0.11", "--overlay": "0.11", "--tmp-overlay": "0.11", "--ro-overlay": "0.11", "--level-prefix": "0.11",
	"--not-a-security-boundary": "0.12",
}

// stated finds the version that a script says it needs.
var stated = regexp.MustCompile(`(?i)(?:bwrap|bubblewrap)\)?["' ]*(?:version |v)?(?:>=|≥|from|since|at least|or later than)? *v?0\.(\d+)(?:\.\d+)?( *\+| or (?:later|newer)| and (?:later|newer))?`)

// statedVersion is that version's second number; false: none is stated.
func statedVersion(text string) (int, bool) {
	lowest, found := 0, false
	for _, m := range stated.FindAllStringSubmatch(text, -1) {
		floor := m[2] != "" || regexp.MustCompile(`>=|≥|from|since|at least`).MatchString(strings.ToLower(m[0]))
		n, err := strconv.Atoi(m[1])
		if err == nil && floor && (!found || n < lowest) {
			lowest, found = n, true
		}
	}
	return lowest, found
}

func newerOption(c *call) []remark {
	have, ok := statedVersion(c.script.text)
	if !ok {
		return nil
	}
	var all []remark
	for _, o := range c.options {
		version, known := since[o.name]
		minor, _ := strconv.Atoi(strings.TrimPrefix(version, "0."))
		if known && o.When == 0 && cmp.Less(have, minor) {
			all = append(all, remark{at: o.At, what: fmt.Sprintf("%s needs bwrap %s, and the script says that 0.%d will do", o.name, version, have)})
		}
	}
	return all
}
