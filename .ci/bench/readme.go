package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Where the page is kept.
const (
	readme    = ".ci/bench/README.md"
	chartFile = ".ci/bench/chart.svg"
	above     = "<!-- make bench write=1 writes this table -->"
	below     = "<!-- the table ends here -->"
	again     = "make bench write=1 writes it"
)

// place finds the table in the lines of the README.md beside it.
func place(lines []string) (begin, end int, err error) {
	begin, end = slices.Index(lines, above)+1, slices.Index(lines, below)
	if begin == 0 || end < begin {
		return 0, 0, fmt.Errorf("%s does not say where the table is: %s and %s", readme, above, below)
	}
	return begin, end, nil
}

// writePage writes the table and the chart.
func writePage(p page) error {
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	begin, end, err := place(lines)
	if err != nil {
		return err
	}
	lines = slices.Replace(lines, begin, end, p.table()...)
	if err := os.WriteFile(readme, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		return err
	}
	return os.WriteFile(chartFile, p.chart(), 0o644)
}

// readPage reads the table, and gives its lines too.
func readPage() (page, []string, error) {
	text, err := os.ReadFile(readme)
	if err != nil {
		return nil, nil, err
	}
	lines := strings.Split(string(text), "\n")
	begin, end, err := place(lines)
	if err != nil {
		return nil, nil, err
	}
	p, err := readTable(lines[begin:end])
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %v (%s)", readme, err, again)
	}
	return p, lines[begin:end], nil
}

// checkPage compares the table of the README.md beside it and the chart with what would be
// written from its numbers.
func checkPage() error {
	p, lines, err := readPage()
	if err != nil {
		return err
	}
	chart, err := os.ReadFile(chartFile)
	switch {
	case err != nil:
		return err
	case !slices.Equal(p.table(), lines):
		return fmt.Errorf("%s: the table is not as it would be written (%s)", readme, again)
	case !bytes.Equal(chart, p.chart()):
		return fmt.Errorf("%s does not show the numbers of %s (%s)", chartFile, readme, again)
	}
	return nil
}

// check refuses a page with a start that bench does not know.
func (p page) check() error {
	for _, r := range p[0].rows {
		if !slices.Contains(knownStarts(), r.name) {
			return fmt.Errorf("the table has the starts of %q, which is unknown", r.name)
		}
	}
	return nil
}

// knownStarts are the rows that the first section may have.
func knownStarts() []string {
	names := append([]string{bashAlone}, otherNames...)
	for _, name := range boxNames {
		names = append(names, name+rawEnd, name+launcherEnd)
	}
	return names
}
