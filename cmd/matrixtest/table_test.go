package matrixtest

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The lines of the README.md beside it around the table.
const (
	above = "<!-- make matrix writes this table -->"
	below = "<!-- up to here -->"
)

var number = regexp.MustCompile(`\d+(\.\d+)+`)

// versions are those of a machine's programs, as the table has them.
func (r Report) versions() string {
	return fmt.Sprintf("%s | %s | %s", number.FindString(r.Bash), number.FindString(r.Bwrap), shorter.Replace(r.Env))
}

// shorter shortens what env --version says.
var shorter = strings.NewReplacer("env (GNU coreutils) ", "", "env (uutils coreutils) ", "uutils ", "BusyBox v", "busybox ")

// write writes the table of the README.md beside it; versions are by the machine's name.
func write(t *testing.T, versions map[string]string) {
	t.Helper()
	table := []string{"", "| machine | bash | bubblewrap | coreutils | as | works | refuses |", "| --- | --- | --- | --- | --- | --- | --- |"}
	for _, m := range Machines() {
		r := m.Row()
		table = append(table, fmt.Sprintf("| %s | %s | %s | %s | %s |", r.Name, versions[m.Name], r.Users, r.Works, r.Refuses))
	}
	between(t, above, below, table)
}

// between puts lines between two of the README.md beside it.
func between(t *testing.T, above, below string, table []string) {
	t.Helper()
	const name = "README.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(string(text), "\n")
	begin, end := slices.Index(all, above), slices.Index(all, below)
	if begin < 0 || end < begin {
		t.Fatalf("cmd/matrixtest/README.md does not say where the table is: %s and %s", above, below)
	}
	all = slices.Replace(all, begin+1, end, append(table, "")...)
	if err := os.WriteFile(name, []byte(strings.Join(all, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}
