package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// limits has a number for each of boxes.
type limits [5]float64

// none is the limit of what has none.
const none = -1

// all is one limit for all launchers.
func all(limit float64) limits { return limits{limit, limit, limit, limit, limit} }

// budget is what launchers may use of something.
type budget struct {
	name   string
	digits int // behind the point
	limits limits
	used   func(m measured, b box) float64 // not a number where that is unknown
}

// budgets are what a launcher may use. The number of system calls is only shown; how many starts of
// bwrap alone a start takes has a limit with bwrap 0.13, which is faster than those before.
func budgets(e engine) []budget {
	times := limits{1.75, 1.9, 2.15, 2.1, none}
	if e.minor() < 13 {
		times = all(none)
	}
	return []budget{
		{"million instructions", 1, limits{18, 30, 34, 55, none}, func(_ measured, b box) float64 { return b.instructions / 1e6 }},
		{"system calls", 0, all(none), func(_ measured, b box) float64 { return b.calls }},
		{"own cost, in starts of bash", 1, limits{3.2, 4.5, 5.8, 8.5, none}, func(m measured, b box) float64 { return b.own(m.bash) }},
		{"start, in starts of bwrap alone", 2, times, func(_ measured, b box) float64 { return b.times() }},
		// The same, but for noise: to look at each file would take many times as long.
		{"start in a big project, in starts in a small one", 2, all(1.15), func(_ measured, b box) float64 { return b.growth() }},
	}
}

// printBudgets shows what the launchers use beside what they may use.
func printBudgets(to io.Writer, list []measured) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\nBudgets: used/allowed")
	for _, one := range boxes {
		fmt.Fprintf(w, "\t%s", one.name)
	}
	fmt.Fprintln(w)
	for _, m := range list {
		fmt.Fprintf(w, "\nbwrap %s\n\n", m.engine.version)
		for _, row := range budgets(m.engine) {
			fmt.Fprintf(w, "  %s", row.name)
			for i, b := range m.boxes {
				fmt.Fprintf(w, "\t%s", judge(row.used(m, b), row.digits, row.limits[i]))
			}
			fmt.Fprintln(w)
		}
	}
	fmt.Fprintf(w, "\nInstructions and system calls are those of the launcher's own process:")
	fmt.Fprintf(w, " the middle of %d runs.\n", rare)
	for _, m := range list {
		for _, why := range m.missing {
			fmt.Fprintf(w, "Not measured with bwrap %s: %s\n", m.engine.version, why)
		}
	}
	return w.Flush()
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
