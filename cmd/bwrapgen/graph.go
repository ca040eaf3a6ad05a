package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/sight"
)

// graph draws a plan for graphviz: which file asks for which place.
func graph(p plan.Plan) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=LR;\n  node [shape=box];\n", dot(p.Name))
	for _, s := range sight.Of(p) {
		from := cmp.Or(s.From, "every sandbox")
		fmt.Fprintf(&b, "  %s -> %s [label=%s];\n", dot(from), dot(s.At.String()), dot(s.What))
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// dot quotes a text: graphviz knows one escape for a quotation mark, and reads
// a backslash before other letters as one of its own.
func dot(text string) string {
	text = strings.ReplaceAll(visible(text), `\`, `\\`)
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
}
