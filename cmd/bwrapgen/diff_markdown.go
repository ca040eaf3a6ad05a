package main

import (
	"bytes"
	"fmt"
	"strings"

	"bwrapgen/gen/compare"
)

// markdown tells a report to reviewers, as a comment of a pull request.
func markdown(r compare.Report) []byte {
	var b bytes.Buffer
	if r.Same() {
		b.WriteString("**The command can see, reach and use the same.**\n")
	}
	markdownList(&b, "Exposed, and was not", r.Exposes)
	markdownList(&b, "Taken away, or tightened", r.TakesAway)
	markdownList(&b, "Different, neither more nor less", r.Differs)
	markdownList(&b, "Different in words only", r.Said)
	return b.Bytes()
}

func markdownList(b *bytes.Buffer, head string, all []compare.Change) {
	if len(all) == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "**%s**\n\n", head)
	for _, c := range gathered(all) {
		fmt.Fprintf(b, "* %s\n", literally(sentence(c)))
	}
}

// literally writes a text in which nothing is Markdown, nor HTML, nor calls anybody.
func literally(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]()<>#+!|~&@", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
