package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/sight"
)

// words tells a plan to people: the summary, then each place.
func words(p plan.Plan) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %s\n\n", visible(p.Name), visible(p.About))
	var rows [][]string
	for _, l := range p.Summary() {
		rows = append(rows, []string{l.Subject, visible(l.Words)})
	}
	b.Write(columns(rows))
	rows = [][]string{{"PLACE", "WHAT IS THERE", "FROM", "WHY"}}
	for _, s := range sight.Of(p) {
		rows = append(rows, []string{visible(s.At.String()), visible(s.What), visible(s.From), visible(s.Why)})
	}
	b.WriteString("\n")
	b.Write(columns(rows))
	return b.Bytes()
}

// explainPaths says what the command finds at each path.
func (a app) explainPaths(s sandbox, names []string) ([]byte, error) {
	var b bytes.Buffer
	index := sight.NewIndex(sight.Of(s.plan), s.env)
	for _, name := range names {
		at, err := filepath.Abs(a.expand(name))
		if err != nil {
			return nil, cannot("name it from the root on", "the working directory is gone: %v", reason(err))
		}
		found, where := index.Decisive(at)
		fmt.Fprintf(&b, "%s: %s", visible(name), visible(found.Full()))
		if where != at {
			fmt.Fprintf(&b, ", as all of %s", visible(found.At.String()))
		}
		if reason := strings.TrimSpace(found.From + " " + found.Why); reason != "" {
			fmt.Fprintf(&b, " (%s)", visible(reason))
		}
		b.WriteString("\n")
	}
	return b.Bytes(), nil
}
