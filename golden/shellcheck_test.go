package golden_test

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// texts are what shellcheck says about a text with $ or \' in it, which is meant as
// it is: only these cases have such, one in odd names, one in what the shell inside runs.
const texts = "SC1003,SC2016"

var withTexts = []string{"path-hostile-names/launcher.sh", "project-read/launcher.sh"}

// elsewhere are what shellcheck says about a variable that is used elsewhere, or set.
// TestVariables looks for that.
const elsewhere = "SC2034,SC2154"

// TestShellcheck has shellcheck find nothing. It takes the longest launcher first, and
// of the others looks at what is new: what stands in two of them to the letter is looked
// at once. One that is new by half is looked at whole, and so is one where something is
// found: that may come of what was left out.
func TestShellcheck(t *testing.T) {
	if *update {
		return // the run that compares does it
	}
	scripts := launchers(t)
	names := slices.SortedFunc(maps.Keys(scripts), func(a, b string) int {
		return cmp.Or(len(scripts[b])-len(scripts[a]), strings.Compare(a, b))
	})
	seen := map[string]bool{}
	for _, name := range names {
		excluded := ""
		if slices.Contains(withTexts, name) {
			excluded = texts
		}
		whole := scripts[name]
		part := fresh(t, whole, excluded, seen)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(part)*2 > len(whole) || opinion(t, part, "shellcheck", "--exclude="+excluded+","+elsewhere, "-") != "" {
				judged(t, whole, "shellcheck", "--exclude="+excluded, "-")
			}
		})
	}
}

// fresh leaves out the statements that were seen under the same circumstances: what is
// excluded, and what the first lines say.
func fresh(t *testing.T, script []byte, excluded string, seen map[string]bool) []byte {
	t.Helper()
	file, err := syntax.NewParser().Parse(bytes.NewReader(script), "")
	if err != nil {
		t.Fatal(err)
	}
	n := slices.IndexFunc(file.Stmts, func(s *syntax.Stmt) bool { return bytes.HasPrefix(script[s.Pos().Offset():], []byte("set -e")) })
	if n < 0 {
		t.Fatal("no set -e")
	}
	first := file.Stmts[n].End().Offset() // it matters to what follows
	circumstances := excluded
	for line := range strings.Lines(string(script[:first])) {
		if strings.HasPrefix(line, "# shellcheck") {
			circumstances += line
		}
	}
	left := bytes.Clone(script[:first])
	for i, s := range file.Stmts[n+1:] {
		from, to := file.Stmts[n+i].End().Offset(), s.End().Offset() // with the comments before it
		if part := string(script[from:to]); !seen[circumstances+part] {
			seen[circumstances+part] = true
			left = append(left, part...)
		}
	}
	return append(left, '\n')
}
