package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
)

// section is what belongs together.
type section struct {
	title string
	rows  []row
}

// row is one thing: its median, with a unit, and what it is beside another. A
// thing that could not be measured has no value, and says why.
type row struct{ name, value, note string }

// print shows a section on a terminal.
func (p section) print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\n%s\n\n", p.title)
	for _, r := range p.rows {
		fmt.Fprintf(w, "  %s\t%*s\t%s\n", r.name, 9, r.value, r.note)
	}
	return w.Flush()
}

// Where the table is kept.
const (
	readme = ".ci/bench/README.md"
	above  = "<!-- make bench write=1 writes this table -->\n"
	below  = "<!-- the table ends here -->\n"
)

// writeTable writes the sections into the README.md beside it.
func writeTable(sections []section) error {
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(text), above)
	_, after, ends := strings.Cut(rest, below)
	if !begins || !ends {
		return fmt.Errorf("%s does not say where the table is: %s and %s", readme, above, below)
	}
	var b strings.Builder
	b.WriteString(before + above + "\n| what | median | compared |\n| --- | --- | --- |\n")
	for _, s := range sections {
		fmt.Fprintf(&b, "| **%s** | | |\n", s.title)
		for _, r := range s.rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.name, r.value, r.note)
		}
	}
	b.WriteString("\n" + below + after)
	return os.WriteFile(readme, []byte(b.String()), 0o644)
}
