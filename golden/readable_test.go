package golden_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"bwrapgen/gen"
	"bwrapgen/templates"
)

// TestPartComments: each part begins with its name, what it is for, in a sentence that fits into the
// list above the engine, and the variables that it reads and sets, which occur in it.
func TestPartComments(t *testing.T) {
	const listed = 81 // columns behind a name in that list
	shape := regexp.MustCompile(`^# --- ([a-z-]+)\n# [A-Z].*\n(# .*\n)*?(# (?:Reads|Sets): [^\n]*\n(?:# [^\n]*\n)*)`)
	for _, file := range engineFiles(t) {
		name, text := strings.TrimSuffix(filepath.Base(file), ".sh"), string(read(t, file))
		found := shape.FindStringSubmatch(text)
		if found == nil || found[1] != name {
			t.Errorf("%s does not begin with its name, its purpose and the variables it reads and sets:\n%.300s", name, text)
			continue
		}
		if purpose := templates.Purpose(name); len(purpose) > listed {
			t.Errorf("%s: the first sentence has %d characters, more than %d: %s", name, len(purpose), listed, purpose)
		}
		body := text[len(found[0]):]
		variables, _, _ := strings.Cut(found[3], "# shellcheck")
		for _, variable := range regexp.MustCompile(`\b[a-z][a-z_]*\b`).FindAllString(variables, -1) {
			if !regexp.MustCompile(`\b` + variable + `\b`).MatchString(body) {
				t.Errorf("%s: its comment names %s, which does not occur in it", name, variable)
			}
		}
	}
}

// TestPartChecksums: templates/engine.sha256 has the checksum of each part, by which anyone can
// compare a launcher with the repository. Blank lines do not count.
func TestPartChecksums(t *testing.T) {
	var list bytes.Buffer
	for _, file := range engineFiles(t) {
		hash := sha256.New()
		for line := range strings.Lines(string(read(t, file))) {
			if strings.TrimSpace(line) != "" {
				hash.Write([]byte(line))
			}
		}
		fmt.Fprintf(&list, "%x  %s\n", hash.Sum(nil), strings.TrimSuffix(filepath.Base(file), ".sh"))
	}
	same(t, "../templates/engine.sha256", list.Bytes())
}

// lengths counts a launcher's lines by section.
func lengths(script []byte) map[string]int {
	count, section := map[string]int{}, "header"
	for line := range strings.Lines(string(script)) {
		for begin, name := range map[string]string{
			"# --- prelude": "prelude", "# --- Policy": "policy", "# --- Filter": "filter", "# --- Engine": "list", "# --- start": "before",
			"# --- After the run": "after", "# --- Instead of a run": "instead",
		} {
			if strings.HasPrefix(line, begin) {
				section = name
			}
		}
		count[section]++
	}
	return count
}

// budget is how many lines the sections of a launcher may have.
type budget struct{ before, instead, policy, header int }

var budgets = map[string]budget{
	"look":        {695, 190, 75, 105},
	"default":     {1120, 285, 120, 155},
	"kept":        {1205, 345, 120, 165},
	"claude-code": {1460, 345, 175, 230},
}

// TestBudgets: a launcher stays as short as a reviewer can read. What reports after the run, and what
// stands in for one, has limits of its own; the header's counts with the policy.
func TestBudgets(t *testing.T) {
	for name, limit := range budgets {
		n := lengths(budgeted(t, name))
		t.Logf("%-12s %v", name, n)
		for _, one := range []struct {
			what      string
			got, most int
		}{
			{"engine before the run", n["before"], limit.before}, {"policy", n["policy"], limit.policy},
			{"header and policy", n["header"] + n["policy"], limit.header},
			{"engine after the run", n["after"], 150}, {"engine instead of a run", n["instead"], limit.instead},
		} {
			if one.got > one.most {
				t.Errorf("%s: %s has %d lines, more than %d", name, one.what, one.got, one.most)
			}
		}
	}
}

// budgeted are the launchers that have a budget, on a host with Go.
func budgeted(t *testing.T, name string) []byte {
	t.Helper()
	switch name {
	case "default":
		return goLauncher(t, name, "extends = [\"default\"]\n[caches]\nmode = \"ephemeral\"\n")
	case "kept":
		return goLauncher(t, name, `extends = ["default"]`)
	}
	return wholeLauncher(t, name)
}

// TestFunctionsDefined: a launcher defines every function of the engine that it calls, once.
func TestFunctionsDefined(t *testing.T) {
	all := map[string]bool{}
	for _, file := range engineFiles(t) {
		for name := range functionsIn(t, read(t, file)) {
			all[name] = true
		}
	}
	for name, script := range launchers(t) {
		defined := functionsIn(t, script)
		for function, n := range defined {
			if n > 1 {
				t.Errorf("%s defines %s %d times", name, function, n)
			}
		}
		file, err := syntax.NewParser().Parse(bytes.NewReader(script), name)
		if err != nil {
			t.Fatal(err)
		}
		syntax.Walk(file, func(n syntax.Node) bool {
			call, ok := n.(*syntax.CallExpr)
			if ok && len(call.Args) > 0 {
				if word := call.Args[0].Lit(); all[word] && defined[word] == 0 {
					t.Errorf("%s: line %d calls %s, which this launcher does not define", name, n.Pos().Line(), word)
				}
			}
			return true
		})
	}
}

func functionsIn(t *testing.T, script []byte) map[string]int {
	t.Helper()
	file, err := syntax.NewParser().Parse(bytes.NewReader(script), "")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	syntax.Walk(file, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok {
			names[f.Name.Value]++
		}
		return true
	})
	return names
}

// TestSectionsOrder: the sections of a launcher stand in one order, and the run ends before what
// stands in for it.
func TestSectionsOrder(t *testing.T) {
	want := []string{"Policy", "Filter", "Engine", "After the run", "Instead of a run"}
	script := string(wholeLauncher(t, "default"))
	var got []string
	for _, match := range regexp.MustCompile(`(?m)^# --- ([A-Z][a-z ]*[a-z])`).FindAllStringSubmatch(script, -1) {
		got = append(got, match[1])
	}
	if !slices.Equal(got, want) {
		t.Errorf("sections %q, want %q", got, want)
	}
	if gen.EngineVersion < 2 {
		t.Error("launchers of engine 1 had no sections")
	}
}
