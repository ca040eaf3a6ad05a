package main

import (
	"fmt"
	"io"
	"regexp"
	"text/tabwriter"
)

// page is all that was measured: what the README.md beside it shows as a table.
type page []section

// section is what belongs together.
type section struct {
	title string
	rows  []row
}

// row is one thing: its median, with a unit, and what it is beside another. A
// thing that could not be measured has no value, and says why.
type row struct{ name, value, note string }

func (p *section) add(name, value, format string, args ...any) {
	p.rows = append(p.rows, row{name, value, fmt.Sprintf(format, args...)})
}

// print shows a section on a terminal.
func (p section) print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\n%s\n\n", p.title)
	for _, r := range p.rows {
		fmt.Fprintf(w, "  %s\t%*s\t%s\n", r.name, 9, r.value, r.note)
	}
	return w.Flush()
}

// The lines of the table that are not rows.
var tableHead = []string{"| what | median | compared |", "| --- | --- | --- |"}

// table is the page as Markdown, by line.
func (p page) table() []string {
	lines := append([]string{""}, tableHead...)
	for _, s := range p {
		lines = append(lines, fmt.Sprintf("| **%s** | | |", s.title))
		for _, r := range s.rows {
			lines = append(lines, fmt.Sprintf("| %s | %s | %s |", r.name, r.value, r.note))
		}
	}
	return append(lines, "")
}

var (
	titleLine = regexp.MustCompile(`\A\| \*\*(.+)\*\* \| \| \|\z`)
	rowLine   = regexp.MustCompile(`\A\| ([^|]+) \| (–|[-0-9.]+ (?:ms|s|MB)) \| ([^|]*) \|\z`)
)

// readTable is the opposite of table.
func readTable(lines []string) (page, error) {
	var p page
	for i, line := range lines {
		title, cells := titleLine.FindStringSubmatch(line), rowLine.FindStringSubmatch(line)
		switch {
		case i == 0 && line == "" || i == len(lines)-1 && line == "" || i > 0 && i < 3 && line == tableHead[i-1]:
		case title != nil:
			p = append(p, section{title: title[1]})
		case cells != nil && len(p) > 0:
			last := &p[len(p)-1]
			last.rows = append(last.rows, row{cells[1], cells[2], cells[3]})
		default:
			return nil, fmt.Errorf("this is no line of the table: %q", line)
		}
	}
	if len(p) == 0 || len(p[0].rows) == 0 {
		return nil, fmt.Errorf("there is no table")
	}
	return p, nil
}
