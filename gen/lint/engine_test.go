package lint_test

import (
	"strings"
	"testing"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/host"
	"bwrapgen/gen/lint"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestLauncher: of bwrapgen's own launcher it is said whether its engine is known,
// and what somebody has added is found.
func TestLauncher(t *testing.T) {
	p, err := profile.Loader{Builtin: profiles.FS}.Load("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	built, err := plan.Build(p, catalogue.BuiltIn(), host.Facts{Arch: "x86_64", Home: "/home/alice"}, plan.Options{Name: "box"})
	if err != nil {
		t.Fatal(err)
	}
	script, err := gen.Launcher(built)
	if err != nil {
		t.Fatal(err)
	}
	made := string(checksum.Add(script))
	e, _ := gen.ReadEngine([]byte(made))
	for name, test := range map[string]struct{ was, is, engine, rule string }{
		"as it was made":               {"", "", "engine 1 is known, and the policy is as bwrapgen wrote it", ""},
		"another name":                 {"self=box", "self=cage", "the policy was changed", ""},
		"a mount in the policy":        {"entries=(", "entries=(\n  --bind / /", "the policy was changed", "root-writable"},
		"home in the policy":           {"entries=(", "entries=(\n  --bind \"$home\"{,}", "the policy was changed", "home-writable"},
		"an assignment in the policy":  {"\nset_variables=(", "\nentries+=(--bind / /)\nset_variables=(", "the policy was changed", "root-writable"},
		"a command in the policy":      {"self=box", "self=box; bwrap --bind / / sh", "did not write", "engine-changed"},
		"a command in the header":      {"# usage:", "bwrap --bind / / sh\n# usage:", "did not write", "engine-changed"},
		"a mount in the engine":        {"\n# Part run", "\nmounts+=(--bind / /)\n# Part run", "did not write", "engine-changed"},
		"a command in the prelude":     {"set -euo pipefail", "bwrap --bind / / sh", "did not write", "engine-changed"},
		"a command behind all":         {"# Checksum of this", "bwrap --bind / / sh\n# Checksum of this", "did not write", "engine-changed"},
		"a command behind the last":    {"# Checksum of this", "# Checksum of this\nbwrap --bind / / sh #", "did not write", "engine-changed"},
		"a command in a second header": {"\n\n# shellcheck", "\n\nbwrap --bind / / sh\n# shellcheck", "did not write", "engine-changed"},
		"another checksum":             {e.Checksum, "0123456789abcdef", "did not write", "engine-changed"},
	} {
		text := strings.Replace(made, test.was, test.is, 1)
		if test.was != "" && text == made {
			t.Errorf("%s: nothing to change", name)
		}
		result, err := lint.Script("box", []byte(text), catalogue.BuiltIn())
		if err != nil || !strings.Contains(result.Engine, test.engine) {
			t.Errorf("%s: %v, %q", name, err, result.Engine)
		}
		found := ""
		if len(result.Findings) > 0 {
			found = result.Findings[0].Rule
		}
		if found != test.rule {
			t.Errorf("%s: found %q, not %q", name, result.Findings, test.rule)
		}
		if line := strings.Trim(test.is, "\n"); name == "a mount in the engine" {
			line, _, _ = strings.Cut(line, "\n")
			if !strings.HasSuffix(result.Findings[0].What, line) {
				t.Errorf("%s: it is not named: %q", name, result.Findings[0].What)
			}
		}
	}
}
