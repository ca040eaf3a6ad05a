package readmetest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bwrapgen/gen"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// row is a row of a table whose first cell is one word of code.
type row struct {
	line  int // in the document
	word  string
	cells []string
}

// rows finds the rows of all tables whose first cell fits.
func (d *document) rows(first *regexp.Regexp) []row {
	var all []row
	for i, line := range d.lines {
		cells := strings.Split(line, " | ")
		word, ok := strings.CutPrefix(cells[0], "| `")
		word, _, closed := strings.Cut(word, "`")
		if ok && closed && first.MatchString(word) {
			all = append(all, row{i, word, cells})
		}
	}
	return all
}

func words(rows []row) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.word)
	}
	return all
}

// pages are those of the manual, in the order in which profiles/README.md has them.
func pages() []string { return []string{"bwrapgen.toml.5", "bwrapgen.1", "launcher.7"} }

// TestReference: the end of profiles/README.md is what the program says of profiles, of
// itself and of launchers.
func TestReference(t *testing.T) {
	bin := t.TempDir() + "/bwrapgen"
	run(t, root, os.Environ(), "go", "build", "-buildvcs=false", "-o", bin, "./cmd/bwrapgen")
	d := read(t, "profiles/README.md")
	for _, page := range pages() {
		want := lowered(run(t, root, os.Environ(), bin, "manual", page))
		begin := slices.Index(d.lines, "<!-- bwrapgen manual "+page+" -->") + 1
		length := slices.Index(d.lines[begin:], "<!-- the page ends here -->")
		if begin == 0 || length < 0 {
			t.Fatalf("profiles/README.md does not say where the page %s is", page)
		}
		if !*update && !slices.Equal(d.lines[begin:begin+length], want) {
			t.Errorf("profiles/README.md: this is not the page %s (go test ./cmd/readmetest -update)", page)
		}
		d.replace(begin, begin+length, want)
	}
	if *update {
		d.save(t)
	}
}

// lowered are the lines of a page, with headings for a part of another document.
func lowered(page string) []string {
	lines := strings.Split(strings.TrimRight(page, "\n"), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "#") {
			lines[i] = "##" + line
		}
	}
	return append(append([]string{""}, lines...), "")
}

// everything is a plan whose launcher has every option.
func everything() plan.Plan {
	return plan.Plan{
		Project: plan.Project{Access: profile.AccessOverlay},
		Limits:  profile.Limits{Timeout: time.Second, Output: 1},
		Confirm: profile.Confirm{Mode: profile.ConfirmAlways, AllowYes: true},
		Tmp:     profile.TmpSession,
		Kernel:  profile.Default().Kernel,
	}
}

// TestOptions compares the tables of the page launcher.7 with the help of
// the launchers in the folder golden, and with what any may have.
func TestOptions(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join(root, "golden", "full", "*.sh"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no launchers: %v", err)
	}
	var known []string
	option := regexp.MustCompile(`(?m)^#   (?:[^ ].*, )?(--sandbox-[a-z]+)`)
	known = append(known, "--sandbox-digest") // in the help, it shares a line
	text, err := gen.Launcher(everything())
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{text}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		help, _, _ := strings.Cut(string(text), "\nset -e")
		for _, found := range option.FindAllStringSubmatch(help, -1) {
			known = append(known, found[1])
		}
	}
	var listed []string
	for _, r := range read(t, "cmd/bwrapgen/man/launcher.7.md").rows(regexp.MustCompile(`^--sandbox-`)) {
		listed = append(listed, strings.Fields(r.word)[0])
	}
	same(t, "options", listed, known)
}

// TestParts: the guide to the launcher says of each part of the engine what it is
// for.
func TestParts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "templates", "engine", "*.sh"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no parts: %v", err)
	}
	var known, listed []string
	for _, file := range files {
		known = append(known, strings.TrimSuffix(filepath.Base(file), ".sh"))
	}
	for _, line := range read(t, "templates/README.md").lines {
		cells := strings.Split(line, "|")
		if len(cells) == 4 && strings.Contains(cells[1], "`") {
			for _, name := range strings.Split(cells[1], ",") {
				listed = append(listed, strings.Trim(name, " `"))
			}
		}
	}
	same(t, "parts", listed, known)
}

// same compares lists without regard to order and repetition.
func same(t *testing.T, what string, listed, known []string) {
	t.Helper()
	for _, name := range unique(known) {
		if !slices.Contains(listed, name) {
			t.Errorf("the table of %s lacks %s", what, name)
		}
	}
	for _, name := range unique(listed) {
		if !slices.Contains(known, name) {
			t.Errorf("the table of %s has %s, which is not there", what, name)
		}
	}
}

func unique(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}
