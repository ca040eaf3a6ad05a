package gen

import (
	"fmt"
	"strings"

	"bwrapgen/gen/plan"
)

// helpWidth is where the lines of --sandbox-help are broken.
const helpWidth = 76

// help is the text of --sandbox-help: the sandbox in a few lines, then the
// options.
func help(p plan.Plan) []string {
	lines := []string{
		fmt.Sprintf("usage: %s [--sandbox-OPTION] [--] [COMMAND [ARG...]]", p.Name), "",
	}
	if p.About != "" {
		lines = append(lines, wrap(p.About, "", "")...)
		lines = append(lines, "")
	}
	for _, l := range p.Summary() {
		lines = append(lines, wrap(l.Words, fmt.Sprintf("  %-10s  ", l.Subject), strings.Repeat(" ", 14))...)
	}
	lines = append(lines, "",
		"  --sandbox-help            this text",
		"  --sandbox-print           the command that would run",
		"  --sandbox-explain [PATH]  what the command finds at an absolute path",
		"  --sandbox-shell           a shell in the sandbox",
	)
	return append(lines, storeHelp(p)...)
}

// wrap breaks prose into lines that begin with first, and then with rest.
func wrap(text, first, rest string) []string {
	var lines []string
	line := first
	empty := true
	for _, word := range strings.Fields(text) {
		if !empty && len(line)+1+len(word) > helpWidth {
			lines = append(lines, line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	return append(lines, line)
}
