package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// print shows one user's numbers with one bwrap.
func (r result) print(to io.Writer) error {
	fmt.Fprintf(to, "\n%s, bwrap %s (%s)\n\n", r.user.name, r.engine.version, r.engine.path)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight|tabwriter.TabIndent)
	fmt.Fprintln(w, "  ms\tin bash -c :\t")
	for _, name := range r.order {
		if m := r.starts[name].median(); m > 0 {
			fmt.Fprintf(w, "%.2f\t%.1f\t  %s\n", m, m/r.starts[bashAlone].median(), r.title(name))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "\n  %s\n", strings.Join(r.findings(), "\n  "))
	return err
}

func (r result) title(name string) string {
	return strings.Replace(name, "big project", fmt.Sprintf("project of %d files", r.files), 1)
}

// findings are the comparisons, in words, and what was left out. Each compares
// what ran in the same round, and takes the median of the rounds.
func (r result) findings() []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	unit := r.starts[bashAlone].median()
	for _, of := range [][3]string{{"look", lookLauncher, lookRaw}, {"default", goLauncher, goRaw}} {
		if launcher, raw := r.starts[of[1]], r.starts[of[2]]; launcher.err == nil && raw.err == nil {
			add("%s: %.2f times bwrap alone; its own cost is %.1f bash -c :", of[0],
				launcher.against(raw, quotient), launcher.against(raw, difference)/unit)
		}
	}
	if big, small := r.starts[bigLauncher], r.starts[goLauncher]; big.err == nil && small.err == nil {
		add("%d files against 10: launcher %.2f times, generate %.2f times", r.files,
			big.against(small, quotient), r.starts[generateBig].against(r.starts[generateAll], quotient))
	}
	for _, name := range r.order {
		if err := r.starts[name].err; err != nil {
			add("left out: %s: %v", r.title(name), err)
		}
	}
	return all
}

func quotient(a, b float64) float64   { return a / b }
func difference(a, b float64) float64 { return a - b }
