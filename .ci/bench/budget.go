package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// each is a number for each launcher, in the order of boxNames.
type each [5]float64

// none is the limit of what has none.
const none = -1

// all is one limit for all launchers.
func all(limit float64) each { return each{limit, limit, limit, limit, limit} }

// builtin is one limit for the launchers of built-in profiles.
func builtin(limit float64) each { return each{limit, limit, limit, limit, none} }

// budget is what launchers may use of something.
type budget struct {
	name   string
	digits int // behind the point
	limits each
	used   func(m measured, b measuredBox) float64 // not a number where that is unknown
}

// textBudgets are about what there is to read.
var textBudgets = []budget{
	{"lines", 0, each{280, 480, 480, none, none}, func(_ measured, b measuredBox) float64 { return b.size.lines }},
	{"lines of the policy", 0, each{none, 120, 120, none, none}, func(_ measured, b measuredBox) float64 { return b.size.policy }},
	{"columns of the longest line", 0, all(100), func(_ measured, b measuredBox) float64 { return b.size.longest }},
	{"lines with more than one statement", 0, all(0), func(_ measured, b measuredBox) float64 { return b.size.crowded }},
}

// runBudgets are about what runs with one bwrap. Before 0.13 that takes longer
// itself.
func runBudgets(e engine) []budget {
	times := 1.8
	if slices.Compare(e.numbers(), []int{0, 13}) < 0 {
		times = 1.55
	}
	return []budget{
		{"million instructions", 1, builtin(15), func(_ measured, b measuredBox) float64 { return b.instructions.middle / 1e6 }},
		{"system calls", 0, builtin(900), func(_ measured, b measuredBox) float64 { return b.calls.middle }},
		{"own cost, in starts of bash", 1, each{3.5, 3.5, 4.5, 4.5, none}, func(m measured, b measuredBox) float64 { return b.own(m.bash) }},
		{"start, in starts of bwrap alone", 2, all(times), func(_ measured, b measuredBox) float64 { return b.times() }},
		// The same, but for noise: to look at each file would take many times as long.
		{"start in a big project, in starts in a small one", 2, all(1.15), func(_ measured, b measuredBox) float64 { return b.growth() }},
	}
}

// printBudgets shows what the launchers use beside what they may use: of their
// text, which is nearly the same for each bwrap, and of their runs.
func printBudgets(to io.Writer, list []measured) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nBudgets: used/allowed\t%s\n", strings.Join(boxNames, "\t"))
	list[0].printRows(w, "\n", textBudgets)
	for _, m := range list {
		m.printRows(w, "\nbwrap "+m.engine.version+"\n\n", runBudgets(m.engine))
	}
	printNotes(w, list)
	return w.Flush()
}

func (m measured) printRows(w io.Writer, title string, rows []budget) {
	fmt.Fprint(w, title)
	for _, row := range rows {
		fmt.Fprintf(w, "  %s", row.name)
		for i, b := range m.boxes {
			fmt.Fprintf(w, "\t%s", judge(row.used(m, b), row.digits, row.limits[i]))
		}
		fmt.Fprintln(w)
	}
}

// judge is a cell: what is used, and whether it may be.
func judge(used float64, digits int, limit float64) string {
	number := fmt.Sprintf("%.*f", digits, used)
	switch {
	case math.IsNaN(used):
		return missing
	case limit == none:
		return number
	case used > limit:
		return fmt.Sprintf("%s/%g over", number, limit)
	}
	return fmt.Sprintf("%s/%g ok", number, limit)
}

// printNotes says how far single counts were apart, and why something is missing.
func printNotes(w io.Writer, list []measured) {
	fmt.Fprintln(w)
	printApart(w, "Instructions", list, func(b measuredBox) counted { return b.instructions })
	printApart(w, "System calls", list, func(b measuredBox) counted { return b.calls })
	said := map[string]bool{}
	for _, m := range list {
		for _, b := range m.boxes {
			for _, text := range b.failures() {
				if !said[text] {
					fmt.Fprintf(w, "Not measured: %s\n", text)
				}
				said[text] = true
			}
		}
	}
}

func printApart(w io.Writer, what string, list []measured, of func(measuredBox) counted) {
	apart := -1.0
	for _, m := range list {
		for _, b := range m.boxes {
			if of(b).err == nil {
				apart = max(apart, of(b).apart)
			}
		}
	}
	if apart >= 0 {
		fmt.Fprintf(w, "%s are those of the launcher's own process: the middle of %d runs, at most %.0f apart.\n", what, rare, apart)
	}
}

// failures says what could not be measured.
func (b measuredBox) failures() []string {
	var all []string
	for _, s := range []*start{b.launcher, b.raw, b.big} {
		if s.err != nil {
			all = append(all, s.name+" "+s.why())
		}
	}
	for _, err := range []error{b.size.err, b.instructions.err, b.calls.err} {
		if err != nil {
			all = append(all, err.Error())
		}
	}
	return all
}
