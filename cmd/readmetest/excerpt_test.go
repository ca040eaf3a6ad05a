package readmetest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// excerpt says which lines of which launcher a block shows.
type excerpt struct{ name, from, to string }

func (b block) excerpt() (excerpt, error) {
	var e excerpt
	name, rest, _ := strings.Cut(b.note, ": ")
	e.name = name
	if n, err := fmt.Sscanf(rest, "from %q to %q", &e.from, &e.to); n != 2 {
		return e, fmt.Errorf("the comment above is not golden/full/NAME.sh: from \"TEXT\" to \"TEXT\": %q: %v", b.note, err)
	}
	return e, nil
}

// lines finds them.
func (e excerpt) lines() ([]string, error) {
	text, err := os.ReadFile(filepath.Join(root, e.name))
	if err != nil {
		return nil, err
	}
	all := strings.Split(string(text), "\n")
	begin := slices.IndexFunc(all, func(l string) bool { return strings.HasPrefix(l, e.from) })
	if begin < 0 {
		return nil, fmt.Errorf("no line of %s begins with %q", e.name, e.from)
	}
	end := slices.IndexFunc(all[begin:], func(l string) bool { return strings.HasPrefix(l, e.to) })
	if end < 0 {
		return nil, fmt.Errorf("behind %q no line of %s begins with %q", e.from, e.name, e.to)
	}
	return all[begin : begin+end+1], nil
}

// TestExcerpts compares the excerpts with the launchers.
func TestExcerpts(t *testing.T) {
	for _, name := range files() {
		d := read(t, name)
		moved := 0
		for _, b := range d.blocks(t) {
			if b.info != "bash" {
				continue
			}
			b.begin, b.end = b.begin+moved, b.end+moved
			moved += d.compare(t, b)
		}
		if *update {
			d.save(t)
		}
	}
}

func (d *document) compare(t *testing.T, b block) int {
	t.Helper()
	e, err := b.excerpt()
	if err != nil {
		t.Fatalf("%s:%d: %v", d.name, b.begin, err)
	}
	want, err := e.lines()
	if err != nil {
		t.Fatalf("%s:%d: %v", d.name, b.begin, err)
	}
	if *update {
		return d.replace(b.begin, b.end, want)
	}
	if got := d.lines[b.begin:b.end]; !slices.Equal(got, want) {
		t.Errorf("%s:%d: this is not what stands in %s (go test ./cmd/readmetest -update):\n%s", d.name, b.begin, e.name, strings.Join(want, "\n"))
	}
	return 0
}
