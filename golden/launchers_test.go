package golden_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"mvdan.cc/sh/v3/syntax"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
	"bwrapgen/templates"
)

// machines are cases whose hosts every built-in profile is tried on: one with Go
// and its caches, an old bwrap, a machine of another kind.
var machines = []string{goCase, "bwrap-oldest", "hosts-aarch64"}

// launchers are those of the cases, the whole ones, and of all built-in profiles.
func launchers(t *testing.T) map[string][]byte {
	t.Helper()
	scripts := map[string][]byte{}
	for _, name := range caseNames(t) {
		if script, err := readCase(t, name).launcher(t); err == nil {
			scripts[name] = script
		}
	}
	for _, name := range wholeNames() {
		scripts["full/"+name] = wholeLauncher(t, name)
	}
	for _, name := range (profile.Loader{Builtin: profiles.FS}).Names() {
		for _, machine := range machines {
			scripts[name+" for "+machine] = builtin(t, name, machine)
		}
	}
	return scripts
}

func builtin(t testing.TB, name, machine string) []byte {
	t.Helper()
	script, err := launcher(t, inline(fmt.Sprintf("extends = [%q]", name)), readCase(t, machine).facts(t), plan.Options{Name: name})
	if err != nil {
		t.Fatalf("%s for %s: %v", name, machine, err)
	}
	return script
}

// TestLaunchers: what holds for every launcher, whatever is in it.
func TestLaunchers(t *testing.T) {
	for name, script := range launchers(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			narrow(t, script)
			ownNames(t, script)
			markerHolds(t, script)
			lints(t, script)
		})
	}
}

// narrow: above the engine no line is over 100 columns, but those of the filter
// and of the help. The parts have TestParts.
func narrow(t *testing.T, script []byte) {
	t.Helper()
	head, _, _ := strings.Cut(string(script), "\n# --- Engine")
	_, code, _ := strings.Cut(filterBytes.ReplaceAllString(head, ""), "\n\n")
	for line := range strings.Lines(code) {
		if len([]rune(line)) > 101 {
			t.Errorf("over 100 columns: %s", line)
		}
	}
}

var filterBytes = regexp.MustCompile(`(?m)^filter_\w+=\\\n('.*'\\\n)*'.*'\n`)

// ownNames: what a launcher has for itself are variables of which no profile may
// set or pass on one, so that neither takes the other's place.
func ownNames(t *testing.T, script []byte) {
	t.Helper()
	file, err := syntax.NewParser().Parse(bytes.NewReader(script), "")
	if err != nil {
		t.Fatal(err)
	}
	ofBash := []string{"_", "LC_ALL", "IFS", "PATH", "REPLY", "POSIXLY_CORRECT"}
	syntax.Walk(file, func(n syntax.Node) bool {
		var lit *syntax.Lit
		switch n := n.(type) {
		case *syntax.DeclClause:
			return n.Variant.Value != "export"
		case *syntax.CallExpr:
			return len(n.Args) == 0 // what stands before a command is the command's
		case *syntax.Assign:
			lit = n.Name
		case *syntax.WordIter:
			lit = n.Name
		}
		if lit != nil && !expr.OfLauncher(lit.Value) && !slices.Contains(ofBash, lit.Value) {
			t.Errorf("%s: %s is no name of the launcher's", lit.Pos(), lit.Value)
		}
		return true
	})
}

// markerHolds: the engine is the parts that the marker names, each the same text
// in every launcher, and a changed byte is noticed.
func markerHolds(t *testing.T, script []byte) {
	t.Helper()
	e, ok := gen.ReadEngine(script)
	if !ok || !e.Intact || !e.Known || e.Version != gen.EngineVersion || e.Checksum != gen.Checksum(e.Parts) {
		t.Fatalf("the marker says %+v", e)
	}
	for _, part := range e.Parts {
		if !bytes.Contains(script, []byte("\n"+templates.Part(part)+"\n")) {
			t.Errorf("part %s is not the text in templates/engine", part)
		}
	}
	begin := bytes.Index(script, []byte("# --- start\n"))
	for _, at := range []int{bytes.Index(script, []byte("set -euo pipefail")), begin + 1, (begin + len(script)) / 2, len(script) - 2} {
		changed := bytes.Clone(script)
		changed[at] ^= 1
		if e, ok := gen.ReadEngine(changed); ok && e.Intact {
			t.Errorf("byte %d was changed, and the engine counts as intact", at)
		}
	}
}

// lints: bwrapgen lint knows its own launcher, and has nothing to say about it.
func lints(t *testing.T, script []byte) {
	t.Helper()
	result, err := lint.Script("launcher", checksum.Add(script, ""), catalogue.BuiltIn())
	if err != nil || len(result.Findings)+len(result.Notes) > 0 || !strings.Contains(result.Engine, "is known") {
		t.Errorf("lint says %q, %v, %v, %v", result.Engine, result.Findings, result.Notes, err)
	}
}

// TestPromises runs every built-in profile on several machines, and looks for
// what holds whatever a profile says.
func TestPromises(t *testing.T) {
	for _, name := range (profile.Loader{Builtin: profiles.FS}).Names() {
		for _, machine := range machines {
			t.Run(name+"/"+machine, func(t *testing.T) {
				t.Parallel()
				facts := readCase(t, machine).facts(t)
				s := newStage(t, facts)
				s.launcher(t, name, builtin(t, name, machine), facts.Arch)
				s.promised(t, s.run(t, nil, arguments...))
			})
		}
	}
}

func (s *stage) promised(t *testing.T, r recorded) {
	t.Helper()
	if r.status != 0 || len(r.words) == 0 {
		t.Fatalf("exit %d: %s", r.status, r.stderr)
	}
	for _, flag := range []string{"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup", "--die-with-parent", "--chdir"} {
		if !slices.Contains(r.words, flag) {
			t.Errorf("no %s", flag)
		}
	}
	if !slices.Contains(r.words, "--disable-userns") && !slices.Contains(r.words, "--seccomp") {
		t.Error("nothing keeps the command from making user namespaces")
	}
	for i, word := range r.words {
		if word == "--bind" && (r.words[i+1] == s.home || strings.HasPrefix(s.home, r.words[i+1]+"/") || r.words[i+1] == "/") {
			t.Errorf("%s is writable", r.words[i+1])
		}
	}
	if !strings.Contains(strings.Join(r.words, "\x00"), "\x00"+strings.Join(arguments, "\x00")) {
		t.Errorf("the arguments changed: %q", r.words)
	}
}

// TestBash has bash and shellcheck find nothing in whole launchers, and in odd
// policies.
func TestBash(t *testing.T) {
	for _, name := range wholeNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := wholeLauncher(t, name)
			judged(t, script, "bash", "-n")
			if name == "default" || name == many {
				judged(t, script, "shellcheck", "-S", "style", "--exclude="+disabled(t), "-")
			}
		})
	}
	for _, name := range []string{"hide-file-and-directory", "path-hostile-names", "sockets-session", "specific-nested"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script, err := readCase(t, name).launcher(t)
			if err != nil {
				t.Fatal(err)
			}
			policy := []byte("#!/bin/bash\n# shellcheck disable=SC2034,SC2154\nhome=/\n" + policyText(t, script))
			judged(t, script, "bash", "-n")
			judged(t, policy, "shellcheck", "-S", "style", "--exclude=SC1003,SC2016,SC2100", "-") // $ and \' are meant as they are
		})
	}
}

// judged gives a script to a program that must find nothing to say about it. One
// that is not installed is passed over, but not in CI: there a run would be green
// because nobody looked.
func judged(t *testing.T, script []byte, program string, args ...string) {
	t.Helper()
	if testing.Short() {
		return
	}
	name, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Errorf("%s is not installed", program)
		}
		return
	}
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%s: %v\n%s", program, err, out)
	}
}

// TestKeys: every key of a profile stands in some case, so that a change of what
// it writes is seen.
func TestKeys(t *testing.T) {
	// Of the first cmd/bwrapgen makes tools before there is a plan, and the other changes no launcher.
	shown := []string{"toolchains.files", "expect"}
	texts := slices.Collect(func(yield func(string) bool) {
		for _, name := range caseNames(t) {
			if !yield(string(readCase(t, name).Section("profile.toml"))) {
				return
			}
		}
		for _, text := range full {
			if !yield(text) {
				return
			}
		}
	})
	for _, text := range texts {
		var all map[string]any
		if err := toml.Unmarshal([]byte(text), &all); err != nil {
			t.Fatal(err)
		}
		shown = append(shown, keysOf("", all)...)
	}
	for _, key := range profile.Keys() {
		if !slices.Contains(shown, key) {
			t.Errorf("no case has %s", key)
		}
	}
}

// keysOf lists the keys of a table, and of the tables in it.
func keysOf(above string, table map[string]any) []string {
	var all []string
	for name, value := range table {
		all = append(all, above+name)
		if inner, ok := value.(map[string]any); ok {
			all = append(all, keysOf(above+name+".", inner)...)
		}
	}
	return all
}

// TestSameBytes: the same profile and facts give the same bytes, at any time and
// at once.
func TestSameBytes(t *testing.T) {
	for _, name := range wholeNames() {
		want := wholeLauncher(t, name)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if !bytes.Equal(wholeLauncher(t, name), want) {
					t.Errorf("%s: a second run gives another text", name)
				}
			})
		}
		all.Wait()
	}
}
