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
	made := launcher(t)
	e, _ := gen.ReadEngine([]byte(made))
	for name, test := range map[string]struct{ was, is, engine, rule string }{
		"as it was made":               {"", "", "engine 2 is known, and the policy is as bwrapgen wrote it", ""},
		"another name":                 {"self=box", "self=cage", "was edited by hand", "launcher-edited"},
		"a mount in the policy":        {"entries=(", "entries=(\n  --bind / /", "was edited by hand", "root-writable"},
		"home in the policy":           {"entries=(", "entries=(\n  --bind \"$home\"{,}", "was edited by hand", "home-writable"},
		"an assignment in the policy":  {"\n# --- Filter", "\nentries+=(--bind / /)\n# --- Filter", "was edited by hand", "root-writable"},
		"credentials in the policy":    {"reads=(", "reads=(\n  \"$home/.ssh\"", "was edited by hand", "secrets-readable"},
		"home as a shared directory":   {"create \"$at_claude_config_dir\"", "create \"$home\"", "was edited by hand", "home-writable"},
		"credentials in a shared one":  {"write-try \"$at_anthropic_config_dir/credentials\"", "write-try \"$home/.ssh\"", "was edited by hand", "secrets-readable"},
		"credentials among toolchains": {"\n# --- Filter", "\ntoolchains+=(\"$home/.ssh\")\n# --- Filter", "was edited by hand", "secrets-readable"},
		"credentials among overlays":   {"\n# --- Filter", "\nbrief_views=(\"$home/.aws\")\n# --- Filter", "was edited by hand", "secrets-readable"},
		"a command in the policy":      {"self=box", "self=box; bwrap --bind / / sh", "did not write", "engine-changed"},
		"a command in the header":      {"# usage:", "bwrap --bind / / sh\n# usage:", "did not write", "engine-changed"},
		"a mount in the engine":        {"\n# --- run\n", "\nmounts+=(--bind / /)\n# --- run\n", "did not write", "engine-changed"},
		"a command in the prelude":     {"set -euo pipefail", "bwrap --bind / / sh", "did not write", "engine-changed"},
		"a command behind all":         {"# Checksum of this", "bwrap --bind / / sh\n# Checksum of this", "did not write", "engine-changed"},
		"a command behind the last":    {"# Checksum of this", "# Checksum of this\nbwrap --bind / / sh #", "did not write", "engine-changed"},
		"a command in a second header": {"\n\n# --- prelude", "\n\nbwrap --bind / / sh\n# --- prelude", "did not write", "engine-changed"},
		"a comment in the engine":      {"\n# --- run\n", "\n# Mine.\n# --- run\n", "was edited by hand", "launcher-edited"},
		"a comment behind the last":    {"\n# Checksum of this", "\n# Mine.\n# Checksum of this", "was edited by hand", "launcher-edited"},
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

// TestEdited: with the launcher as it would be written now at hand, each edited line is named; a
// comment is no exposure, and no escape.
func TestEdited(t *testing.T) {
	made := launcher(t)
	for name, test := range map[string]struct {
		was, is, what string
		severity      lint.Severity
	}{
		"a setting":                    {"\nself=box", "\nself=cage", "this line is not what its profile asks for: self=cage", lint.Exposure},
		"a line that is missing":       {"\nself=box", "", "above this line, something is missing that its profile asks for", lint.Exposure},
		"a comment in the header":      {"\n# usage: box", "\n# Mine.\n# usage: box", "this comment is not bwrapgen's: # Mine.", lint.Weak},
		"a comment in the prelude":     {"\nset -euo pipefail", "\n# Mine.\nset -euo pipefail", "this comment is not bwrapgen's: # Mine.", lint.Weak},
		"a comment in the policy":      {"\nself=box", "\n# Mine.\nself=box", "this comment is not bwrapgen's: # Mine.", lint.Weak},
		"a comment in the engine":      {"\n# --- run\n", "\n# Mine.\n# --- run\n", "this comment is not bwrapgen's: # Mine.", lint.Weak},
		"a comment below the checksum": {made[len(made)-20:], made[len(made)-20:] + "# Mine.\n", "this comment is not bwrapgen's: # Mine.", lint.Weak},
	} {
		at := strings.Index(made, test.was)
		text := made[:at] + test.is + made[at+len(test.was):]
		result, err := lint.Launcher("box", []byte(text), []byte(made), catalogue.BuiltIn())
		if err != nil || len(result.Findings) != 1 {
			t.Errorf("%s: %v, %q", name, err, result.Findings)
			continue
		}
		found := result.Findings[0]
		if line := uint(1 + strings.Count(made[:at], "\n") + min(1, strings.Count(test.was, "\n"))); found.Line != line {
			t.Errorf("%s: line %d, want %d", name, found.Line, line)
		}
		if found.What != test.what || found.Severity != test.severity {
			t.Errorf("%s: %s, want %s: %q", name, found, test.severity, test.what)
		}
	}
}

// TestFilter: a system call filter that is not what its rules compile to is reported, even if
// the checksum of the file was made again; the filter of every kind of profile is recognised.
func TestFilter(t *testing.T) {
	for name, source := range map[string]string{
		"default":      "",
		"strict":       `kernel.seccomp = "strict"`,
		"terminal":     `kernel.seccomp = "none"`,
		"none":         "kernel.seccomp = \"none\"\nterminal.mode = \"new-session\"",
		"no terminal":  `terminal.mode = "new-session"`,
		"namespaces":   "kernel.nested-userns = true",
		"foreign arch": "kernel.foreign-arch = true",
	} {
		made := launcherOf(t, "extends = [\"base\"]\n"+source)
		result, err := lint.Script("box", []byte(made), catalogue.BuiltIn())
		if err != nil || len(result.Findings) > 0 || !strings.Contains(result.Engine, "as bwrapgen wrote it") {
			t.Errorf("%s: %v, %q, %q", name, err, result.Engine, result.Findings)
		}
	}
	made := launcherOf(t, `extends = ["base"]`)
	for name, test := range map[string]struct{ was, is, line string }{
		"an instruction that allows all": {"\nfilter_x86_64=\\\n", "\nfilter_x86_64=\\\n'\\6\\0\\0\\0\\0\\0\\377\\177'\\\n", "'\\6\\0"},
		"another program":                {"\n# --- Engine", "filter_x86_64=''\n\n# --- Engine", "filter_x86_64=''"},
		"rules of another name":          {"\nfilter=default\n", "\nfilter=strict\n", ""},
		"no machine":                     {"filter_machines='x86_64'", "filter_machines=''", ""},
		"rules for namespaces":           {"nested_userns=no", "nested_userns=yes", ""},
	} {
		text := strings.Replace(made, test.was, test.is, 1)
		if text == made {
			t.Errorf("%s: nothing to change", name)
		}
		body, of, _ := checksum.Parts([]byte(text))
		result, err := lint.Script("box", checksum.Add(body, of), catalogue.BuiltIn())
		if err != nil || len(result.Findings) != 1 {
			t.Errorf("%s: %v, %q", name, err, result.Findings)
			continue
		}
		found := result.Findings[0]
		line := strings.Split(text, "\n")[found.Line-1]
		if found.Rule != "filter-changed" || found.Severity != lint.Escape || !strings.HasPrefix(line, test.line) {
			t.Errorf("%s: %s, about %q", name, found, line)
		}
	}
}

// launcher is one as bwrapgen writes it.
func launcher(t *testing.T) string { return launcherOf(t, `extends = ["claude-code"]`) }

// launcherOf is the launcher of a profile.
func launcherOf(t *testing.T, source string) string {
	t.Helper()
	p, err := profile.Parse("box.toml", []byte(source), profile.Loader{Builtin: profiles.FS})
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
	return string(checksum.Add(script, "0123456789ab"))
}

// TestEditedProfiles: what a built-in profile asks for is not reported as a mistake of the edit,
// however its policy lists it.
func TestEditedProfiles(t *testing.T) {
	for _, name := range (profile.Loader{Builtin: profiles.FS}).Names() {
		made := launcherOf(t, "extends = [\""+name+"\"]")
		text := strings.Replace(made, "\nself=box", "\n# Mine.\nself=box", 1)
		result, err := lint.Script("box", []byte(text), catalogue.BuiltIn())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, f := range result.Findings {
			if f.Rule != "launcher-edited" && !(name == "aider" && f.Rule == "persistence-writable") { // its own directory
				t.Errorf("%s: %s", name, f)
			}
		}
	}
}
