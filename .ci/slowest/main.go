// Slowest copies what "go test -json" says of packages and of failed tests, and ends
// with a table of the tests that took longest.
//
//	go test -json ./... | go run ./.ci/slowest
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// rows is how many tests the table names.
const rows = 20

// event is one line of "go test -json", see "go doc test2json".
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // in seconds
}

// name is the test, or the package where there is none.
func (e event) name() string { return strings.TrimSuffix(e.Package+" "+e.Test, " ") }

func main() {
	tests, err := follow(os.Stdin, os.Stdout)
	if err == nil {
		err = table(os.Stdout, tests)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "slowest:", err)
		os.Exit(1)
	}
}

// follow writes what failed tests and packages have said, and returns the tests of all
// packages, each with the time of its parts: a test that waits for others is not slow.
func follow(in io.Reader, out io.Writer) ([]event, error) {
	tests := map[string]event{}
	said := map[string]string{} // by the name of what is not over
	parents := map[string]bool{}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return slices.Collect(maps.Values(tests)), nil
		} else if err != nil {
			return nil, err
		}
		var e event
		if json.Unmarshal([]byte(line), &e) != nil {
			fmt.Fprint(out, line) // the compiler's
			continue
		}
		switch e.Action {
		case "build-output":
			fmt.Fprint(out, e.Output)
			continue
		case "output":
			if e.Output == "PASS\n" {
				continue
			}
			said[e.name()] += e.Output
			continue
		case "pass", "fail", "skip":
		default:
			continue
		}
		if e.Test == "" || e.Action == "fail" {
			fmt.Fprint(out, said[e.name()])
		}
		delete(said, e.name())
		if i := strings.LastIndexByte(e.Test, '/'); i > 0 {
			parents[e.Package+" "+e.Test[:i]] = true
		}
		if e.Test == "" || parents[e.name()] {
			continue
		}
		e.Test, _, _ = strings.Cut(e.Test, "/")
		e.Elapsed += tests[e.name()].Elapsed
		tests[e.name()] = e
	}
}

func table(out io.Writer, tests []event) error {
	slices.SortFunc(tests, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nThe slowest of %d tests, in seconds, without what they wait for each other:\n", len(tests))
	for _, e := range tests[:min(rows, len(tests))] {
		fmt.Fprintf(w, "%6.1f\t%s\t%s\n", e.Elapsed, e.Test, strings.TrimPrefix(e.Package, "bwrapgen/"))
	}
	return w.Flush()
}
