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
// most 60 lines.
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
			t.Errorf("%s: %s has more than 60 lines", name, f)
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

// long are the functions of more than 40 lines.
func long(t *testing.T, text []byte) []string {
	t.Helper()
	file, err := syntax.NewParser().Parse(bytes.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	syntax.Walk(file, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok && f.Body.End().Line()-f.Body.Pos().Line() > 61 {
			names = append(names, f.Name.Value)
		}
		return true
	})
	return names
}

// TestGitInSandbox: the engine starts git in a sandbox only, as an argument of bwrap: what the command
// has left in a repository can make git run the command's programs.
func TestGitInSandbox(t *testing.T) {
	for text, want := range map[string]int{
		"git log": 1, "x=$(cd y && git log)": 1, "GIT_DIR=x timeout 5 git log": 1, "env -i \"$bwrap\" -- git log": 0, `say "see git log"`: 0,
	} {
		if got := len(gitOutside(t, []byte(text))); got != want {
			t.Errorf("%s: %d calls of git outside a sandbox, want %d", text, got, want)
		}
	}
	for _, file := range engineFiles(t) {
		for _, call := range gitOutside(t, read(t, file)) {
			t.Errorf("%s: git outside a sandbox: %s", filepath.Base(file), call)
		}
	}
}

// gitOutside are the commands of a script with a word git that is no argument of bwrap.
func gitOutside(t *testing.T, text []byte) []string {
	t.Helper()
	file, err := syntax.NewParser().Parse(bytes.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		words := make([]string, len(call.Args))
		for i, word := range call.Args {
			var b strings.Builder
			if err := syntax.NewPrinter().Print(&b, word); err != nil {
				t.Fatal(err)
			}
			words[i] = b.String()
		}
		git, bwrap := slices.Index(words, "git"), slices.Index(words, `"$bwrap"`)
		if git >= 0 && (bwrap < 0 || bwrap > git) {
			calls = append(calls, strings.Join(words, " "))
		}
		return true
	})
	return calls
}

// TestShellcheck has shellcheck find nothing in the parts, as files.
func TestShellcheck(t *testing.T) {
	judged(t, nil, "shellcheck", append([]string{"-s", "bash", "-S", "style"}, engineFiles(t)...)...)
}

var directive = regexp.MustCompile(`# shellcheck disable=(SC[0-9,SC]+)`)

// disabled are the findings that some part says to be meant as it is, since in a
// whole launcher a comment at the top of a part is none at the top of the file; and
// those about a name that is local in one part and an array in another.
func disabled(t *testing.T) string {
	codes := []string{"SC2015", "SC2016", "SC2034", "SC2053", "SC2086", "SC2154", "SC2164", "SC2206", "SC2128", "SC2178", "SC2179", "SC2190", "SC2218"}
	for _, found := range directive.FindAllStringSubmatch(engineText(t), -1) {
		codes = append(codes, strings.Split(found[1], ",")...)
	}
	slices.Sort(codes)
	return strings.Join(slices.Compact(codes), ",")
}
