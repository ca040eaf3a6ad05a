package sandboxtest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestPromises holds the table of what a launcher is held to to its word: the
// tests that it names are there, and it has each row that a test here names.
func TestPromises(t *testing.T) {
	rows := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([A-H]?\d+) \| .* \| (.*) \|$`).FindAllStringSubmatch(harness.Read(t, "testdata/promises.md"), -1) {
		if rows[row[1]] {
			t.Errorf("%s has two rows", row[1])
		}
		rows[row[1]] = true
		for test := range strings.SplitSeq(row[2], ", ") {
			if err := harness.Shown(t, test); err != nil {
				t.Errorf("%s: %v", row[1], err)
			}
		}
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, file := range files {
		for _, used := range regexp.MustCompile(`name: "([A-H]?\d+) |"([A-H]\d+) [a-z]`).FindAllStringSubmatch(harness.Read(t, file), -1) {
			if !rows[used[1]+used[2]] {
				t.Errorf("%s names %s, which has no row", file, used[1]+used[2])
			}
		}
	}
}
