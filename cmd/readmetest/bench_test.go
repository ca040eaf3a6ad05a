package readmetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFigures: the table of figures has the form that make bench gives it, and
// the chart is the one that belongs to these figures.
func TestFigures(t *testing.T) {
	program := filepath.Join(t.TempDir(), "bench")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./.ci/bench")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile("../../.ci/bench/README.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, old, new, want string }{
		{"as it is", "", "", ""},
		{"another figure", "| bash -c : | ", "| bash -c : | 9", "chart.svg does not show the numbers of .ci/bench/README.md"},
		{"another row", "| firejail |", "| fire |", "the table has the starts"},
		{"another form", "| what | median |", "| what | mean |", "this is no line of the table"},
	}
	for _, test := range tests {
		if out := checkFigures(t, program, strings.Replace(string(text), test.old, test.new, 1)); !strings.Contains(out, test.want) || (out == "") != (test.want == "") {
			t.Errorf("%s: %q, want %q", test.name, out, test.want)
		}
	}
}

// checkFigures gives what the bench says of a page beside the chart.
func checkFigures(t *testing.T, program, page string) string {
	t.Helper()
	dir := t.TempDir()
	chart, err := os.ReadFile("../../.ci/bench/chart.svg")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".ci/bench"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{".ci/bench/README.md": page, ".ci/bench/chart.svg": string(chart)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(program, "-check")
	c.Dir = dir
	out, _ := c.CombinedOutput()
	return string(out)
}
