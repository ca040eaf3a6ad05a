package readmetest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite excerpts, outputs and tables")

// root is the top of the repository.
const root = "../.."

// files are the documents, from the root.
func files() []string {
	return []string{"README.md", "profiles/README.md", "profiles/RECIPES.md", "templates/README.md", "cmd/matrixtest/README.md", ".ci/bench/README.md"}
}

// document is one Markdown file.
type document struct {
	name  string
	lines []string
}

// block is a code block. Its lines are those of the document.
type block struct {
	info       string // behind the fence
	note       string // the comment above
	begin, end int    // of its lines, from 0
}

func read(t *testing.T, name string) *document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return &document{name, strings.Split(string(text), "\n")}
}

// blocks finds the code blocks, in order.
func (d *document) blocks(t *testing.T) []block {
	t.Helper()
	var all []block
	inside := false
	for i, line := range d.lines {
		fence := strings.HasPrefix(line, "```")
		switch {
		case fence && !inside:
			b := block{info: strings.TrimPrefix(line, "```"), begin: i + 1}
			if i > 0 {
				b.note = comment(d.lines[i-1])
			}
			all = append(all, b)
			inside = true
		case fence:
			all[len(all)-1].end = i
			inside = false
		}
	}
	if inside {
		t.Fatalf("%s:%d: this code block does not end", d.name, all[len(all)-1].begin)
	}
	return all
}

func comment(line string) string {
	text, ok := strings.CutPrefix(line, "<!--")
	if !ok {
		return ""
	}
	return strings.TrimSpace(strings.TrimSuffix(text, "-->"))
}

func (d *document) text(b block) string {
	return strings.Join(d.lines[b.begin:b.end], "\n") + "\n"
}

// replace puts other lines in the place of some, and says by how much the
// lines behind them have moved.
func (d *document) replace(begin, end int, lines []string) int {
	d.lines = append(d.lines[:begin:begin], append(lines, d.lines[end:]...)...)
	return len(lines) - (end - begin)
}

func (d *document) save(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, d.name), []byte(strings.Join(d.lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestBlocks refuses a code block that nobody tests.
func TestBlocks(t *testing.T) {
	known := map[string]bool{
		"console": true, "toml": true, "toml tool": true, "toml manifest": true, "sh": true, "sh elsewhere": true, "bash": true, "yaml workflow": true,
	}
	for _, name := range files() {
		d := read(t, name)
		for _, b := range d.blocks(t) {
			if !known[b.info] && !strings.HasSuffix(b.info, " file") {
				t.Errorf("%s:%d: nothing tests a code block of %q", name, b.begin, b.info)
			}
		}
	}
}
