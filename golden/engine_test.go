package golden_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"mvdan.cc/sh/v3/syntax"
)

// engineFiles are the parts of the engine.
func engineFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../templates/engine/*.sh")
	if err != nil || len(files) < 30 {
		t.Fatalf("found %d parts: %v", len(files), err)
	}
	return files
}

func engineText(t testing.TB) string {
	t.Helper()
	var all strings.Builder
	for _, file := range engineFiles(t) {
		all.Write(read(t, file))
	}
	return all.String()
}

// TestParts: each part of the engine is plain bash that people can read: without
// actions of a template, laid out by the printer, in 100 columns, in functions of at
// most 25 lines.
func TestParts(t *testing.T) {
	for _, file := range engineFiles(t) {
		name, text := filepath.Base(file), read(t, file)
		if bytes.Contains(text, []byte("{{")) {
			t.Errorf("%s has an action of a template", name)
		}
		if formatted := printed(t, text); !bytes.Equal(formatted, text) {
			t.Errorf("the printer changes it:\n%s", diff.Diff(name, text, "formatted", formatted))
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			if n++; len([]rune(line)) > 101 {
				t.Errorf("%s:%d: over 100 columns", name, n)
			}
		}
		for _, f := range long(t, text) {
			t.Errorf("%s: %s has more than 25 lines", name, f)
		}
	}
}

// printed is a script as the printer lays it out: two spaces of indentation, case arms
// indented, a line that goes on begins with its operator.
func printed(t *testing.T, text []byte) []byte {
	t.Helper()
	file, err := syntax.NewParser(syntax.KeepComments(true)).Parse(bytes.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	printer := syntax.NewPrinter(syntax.Indent(2), syntax.SwitchCaseIndent(true), syntax.BinaryNextLine(true))
	if err := printer.Print(&b, file); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// long are the functions of more than 25 lines.
func long(t *testing.T, text []byte) []string {
	t.Helper()
	file, err := syntax.NewParser().Parse(bytes.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	syntax.Walk(file, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok && f.Body.End().Line()-f.Body.Pos().Line() > 26 {
			names = append(names, f.Name.Value)
		}
		return true
	})
	return names
}

// TestShellcheck has shellcheck find nothing in the parts, as files.
func TestShellcheck(t *testing.T) {
	judged(t, nil, "shellcheck", append([]string{"-s", "bash", "-S", "style"}, engineFiles(t)...)...)
}

var directive = regexp.MustCompile(`# shellcheck disable=(SC[0-9,SC]+)`)

// TestFunctionsOnce: no part redefines another's function.
func TestFunctionsOnce(t *testing.T) {
	found := map[string]string{}
	for _, file := range engineFiles(t) {
		parsed, err := syntax.NewParser().Parse(bytes.NewReader(read(t, file)), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range parsed.Stmts {
			f, ok := s.Cmd.(*syntax.FuncDecl)
			if !ok {
				continue
			}
			other := found[f.Name.Value]
			if other != "" {
				t.Errorf("%s and %s have a function %s", filepath.Base(other), filepath.Base(file), f.Name.Value)
			}
			found[f.Name.Value] = file
		}
	}
}

// disabled are the findings that some part says to be meant as it is, since in a
// whole launcher a comment at the top of a part is none at the top of the file; and
// those about a name that is local in one part and an array in another.
func disabled(t *testing.T) string {
	codes := []string{"SC2016", "SC2128", "SC2178", "SC2179", "SC2190", "SC2218"}
	for _, found := range directive.FindAllStringSubmatch(engineText(t), -1) {
		codes = append(codes, strings.Split(found[1], ",")...)
	}
	slices.Sort(codes)
	return strings.Join(slices.Compact(codes), ",")
}
