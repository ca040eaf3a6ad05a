package readmetest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/matrixtest"
)

// TestMachines compares the table of machines with what the matrix knows; only
// the versions are from its last run.
func TestMachines(t *testing.T) {
	var got, want []matrixtest.Row
	versions := regexp.MustCompile(`\A[0-9.]+ \| [0-9.]+ \| [a-z0-9. ]+\z`)
	for i, cells := range read(t, "cmd/matrixtest/README.md").machines(t) {
		if len(cells) != 7 || !versions.MatchString(strings.Join(cells[1:4], " | ")) {
			t.Fatalf("row %d has not seven cells with versions: %q (make matrix)", i+1, cells)
		}
		got = append(got, matrixtest.Row{Name: cells[0], Users: cells[4], Works: cells[5], Refuses: cells[6]})
	}
	for _, m := range matrixtest.Machines() {
		want = append(want, m.Row())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the table of machines is not what the matrix knows (make matrix):\ngot  %q\nwant %q", got, want)
	}
}

// machines are the rows between the two comments, by cell.
func (d *document) machines(t *testing.T) [][]string {
	t.Helper()
	begin := slices.Index(d.lines, "<!-- make matrix writes this table -->")
	end := slices.Index(d.lines, "<!-- up to here -->")
	if begin < 0 || end < begin+4 {
		t.Fatal("cmd/matrixtest/README.md has no table of machines (make matrix)")
	}
	var all [][]string
	for _, line := range d.lines[begin+4 : end-1] {
		all = append(all, strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | "))
	}
	return all
}
