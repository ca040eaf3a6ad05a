package readmetest

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/matrixtest"
)

// summaryMark stands above two lines of README.md: how fast launchers are, and where
// they run.
const summaryMark = "<!-- readmetest writes these two lines from the tables that they name -->"

// TestSummary: README.md says in a line each what the tables of make bench and make
// matrix say at length.
func TestSummary(t *testing.T) {
	d := read(t, "README.md")
	at := slices.Index(d.lines, summaryMark) + 1
	if at == 0 {
		t.Fatalf("README.md does not say where the summary is: %s", summaryMark)
	}
	table := strings.Join(read(t, ".ci/bench/README.md").lines, "\n")
	want := []string{
		fmt.Sprintf("* [How fast it is](.ci/bench/README.md): a launcher of `default` starts a command in %s where bubblewrap alone takes %s; a start does not grow with the project.",
			figure(t, table, "default, Go project: launcher"), figure(t, table, "default, Go project: bwrap alone")),
		fmt.Sprintf("* [Where it runs](cmd/matrixtest/README.md): the same bytes were started on %d kinds of machines and in %d virtual machines with kernels of their own, with bubblewrap 0.4 to 0.13.",
			len(matrixtest.Machines()), len(matrixtest.Kernels())),
	}
	if !*update && !slices.Equal(d.lines[at:at+2], want) {
		t.Errorf("README.md: the summary is not what the tables say (go test ./cmd/readmetest -update):\n%s", strings.Join(want, "\n"))
	}
	d.replace(at, at+2, want)
	if *update {
		d.save(t)
	}
}

// figure is the median in a row of a table.
func figure(t *testing.T, table, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(name) + ` \| ([^|]+) \|`).FindStringSubmatch(table)
	if found == nil {
		t.Fatalf(".ci/bench/README.md has no row %q", name)
	}
	return found[1]
}

// TestSize: the first page stays one that is read.
func TestSize(t *testing.T) {
	info, err := os.Stat(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 16<<10 {
		t.Errorf("README.md has %d bytes: what is not for everybody belongs into profiles/README.md or templates/README.md", info.Size())
	}
}
