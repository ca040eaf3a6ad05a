package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/plan"
)

// markup is a word in which Markdown or HTML sees more than text, without a bracket before it.
var markup = regexp.MustCompile("[^\\s(,;]*(?:[\\\\`*_{}\\[\\]<>#!|~&@/$+]|www\\.)\\S*")

// literally writes a text as Markdown that reads like the text: words that Markdown or HTML would interpret
// become code.
func literally(text string) string {
	return markup.ReplaceAllStringFunc(text, func(word string) string {
		bare := strings.TrimRight(word, ",;:.)")
		if bare == "" {
			return word
		}
		return code(bare) + word[len(bare):]
	})
}

// code is a text as a code span.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		text = " " + text + " "
	}
	return fence + text + fence
}

// markdown is a plan as explain tells it, for a preview in an editor or a pull request.
func markdown(p plan.Plan, all bool) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n", literally(visible(p.Name)), literally(visible(p.About)))
	row := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	b.WriteString("\n## In short\n\n")
	row("subject", "what the command has")
	row("---", "---")
	for _, l := range p.Summary() {
		row(l.Subject, cell(literally(visible(l.Words))))
	}
	b.WriteString("\n## What is visible\n\n")
	row("place", "what is there", "asked for by")
	row("---", "---", "---")
	for _, g := range neighbours(access.Of(p), all) {
		from, why := g.reason(all)
		row(cell(g.places(code)), cell(literally(visible(g[0].What))), cell(literally(visible(joined(": ", from, why)))))
	}
	return b.Bytes()
}
