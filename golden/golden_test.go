package golden_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/golden"
	"bwrapgen/profiles"
)

var update = flag.Bool("update", false, "rewrite what the cases expect")

// goCase is the case whose host has Go and a Go project.
const goCase = "caches-go"

// full are the launchers that stand here whole, by their profiles, on a host with Go.
// Their engines are the same text, as far as they have the same parts.
var full = map[string]string{
	"look":        `extends = ["look"]`,
	"default":     `extends = ["default"]`,
	"claude-code": `extends = ["claude-code"]`,
}

// TestFull compares the whole launchers.
func TestFull(t *testing.T) {
	for name := range full {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			same(t, "full/"+name+".sh", wholeLauncher(t, name))
		})
	}
}

// many is a case with many features at once, and so with many parts of the engine.
const many = "many-features"

func wholeNames() []string { return append(slices.Sorted(maps.Keys(full)), many) }

func wholeLauncher(t testing.TB, name string) []byte {
	t.Helper()
	text := full[name]
	if name == many {
		text = string(readCase(t, many).Section("profile.toml"))
	}
	return goLauncher(t, name, text)
}

// goLauncher is the launcher of a profile on a host with Go.
func goLauncher(t testing.TB, name, text string) []byte {
	t.Helper()
	script, err := launcher(t, inline(text), readCase(t, goCase).facts(t), plan.Options{
		Name: name, Source: "bwrapgen generate " + name,
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return script
}

// TestCases makes the launcher of each case, and runs it with a recorder in
// bwrap's place.
func TestCases(t *testing.T) {
	for _, name := range caseNames(t) {
		c := readCase(t, name)
		t.Run(name, func(t *testing.T) { t.Parallel(); c.test(t) })
	}
}

// example is one case.
type example struct{ golden.Case }

func caseNames(t testing.TB) []string {
	t.Helper()
	names, err := golden.Names(".")
	if err != nil || len(names) < 75 {
		t.Fatalf("found %d cases, some got lost: %v", len(names), err)
	}
	return names
}

func readCase(t testing.TB, name string) example {
	t.Helper()
	c, err := golden.Read(".", name)
	if err != nil {
		t.Fatal(err)
	}
	return example{c}
}

func (c example) hosts(t testing.TB) []host.Facts {
	t.Helper()
	hosts, err := c.Hosts()
	if err != nil {
		t.Fatal(err)
	}
	return hosts
}

func (c example) facts(t testing.TB) host.Facts { return host.Union(c.hosts(t)...) }

func (c example) test(t *testing.T) {
	if len(bytes.TrimSpace(c.Archive.Comment)) == 0 {
		t.Error("the case does not say what it shows")
	}
	if n := bytes.Count(c.Section("profile.toml"), []byte("\n")); n >= 20 {
		t.Errorf("profile.toml has %d lines; a case shows one thing", n)
	}
	script, err := c.launcher(t)
	if err != nil {
		c.expect(t, txtar.File{Name: "problems", Data: []byte(err.Error() + "\n")})
		return
	}
	anonymous(t, script, c.hosts(t))
	argv := c.argv(t, script)
	if c.Name != "minimal" && bytes.Contains(argv, []byte("--block-fd")) {
		minimal := readCase(t, "minimal")
		plain, err := minimal.launcher(t)
		if err != nil {
			t.Fatal(err)
		}
		argv = changes(minimal.argv(t, plain), argv)
	}
	c.expect(t, txtar.File{Name: "policy", Data: policyOf(t, script)}, txtar.File{Name: "argv", Data: argv})
}

// launcher goes the whole way from the profile to the script. An error is what
// the user would see.
func (c example) launcher(t testing.TB) ([]byte, error) {
	l := profile.Loader{Builtin: profiles.FS, ReadFile: c.ReadFile}
	f := c.facts(t)
	if markers := c.Section("anywhere"); markers != nil {
		p, err := l.Load("profile.toml")
		if err != nil {
			t.Fatal(err)
		}
		f = plan.Anywhere(p, catalogue.BuiltIn(), strings.Fields(string(markers)))
	}
	return launcher(t, l, f, plan.Options{
		Name: c.Name, Source: "bwrapgen generate profile.toml -o launcher.sh",
	})
}

// expect compares with what the case expects, or writes that.
func (c example) expect(t *testing.T, want ...txtar.File) {
	t.Helper()
	now := &txtar.Archive{Comment: c.Archive.Comment}
	for _, f := range c.Archive.Files {
		if !slices.Contains([]string{"policy", "argv", "problems"}, f.Name) {
			now.Files = append(now.Files, f)
		}
	}
	now.Files = append(now.Files, want...)
	same(t, "cases/"+c.Name+".txtar", txtar.Format(now))
}

// policyOf is the policy without its title, the filter's bytes, the digest, and what the profile leaves empty,
// which follows from the parts of the engine; of a list that is longer than a screen only the beginning.
func policyOf(t *testing.T, script []byte) []byte {
	t.Helper()
	var kept bytes.Buffer
	continues := false
	policy, _, _ := strings.Cut(policyText(t, script), "\n# Nothing of these.\n")
	for line := range strings.Lines(policy) {
		name, _, _ := strings.Cut(line, "=")
		drops := continues || strings.HasPrefix(name, "filter_") || name == "digest"
		continues = drops && strings.HasSuffix(line, "\\\n")
		if !drops {
			kept.WriteString(line)
		}
	}
	return longList.ReplaceAll(kept.Bytes(), []byte("$1$2  ...\n"))
}

var longList = regexp.MustCompile(`(?m)(^[a-z_]+=.*\n)((?:  .*\n){3})(?:  .*\n){30,}`)

// policyText is the policy without its title.
func policyText(t testing.TB, script []byte) string {
	t.Helper()
	_, rest, begins := strings.Cut(string(script), "\n# --- Policy")
	_, rest, _ = strings.Cut(rest, "\n")
	policy, _, ends := strings.Cut(rest, "\n# --- Engine")
	if !begins || !ends {
		t.Fatal("no policy in the launcher")
	}
	return strings.Trim(policy, "\n") + "\n"
}

// inline loads a profile from a text, under any name.
func inline(source string) profile.Loader {
	return profile.Loader{Builtin: profiles.FS, ReadFile: func(string) ([]byte, error) { return []byte(source), nil }}
}

func launcher(t testing.TB, l profile.Loader, f host.Facts, o plan.Options) ([]byte, error) {
	t.Helper()
	p, err := l.Load("profile.toml")
	if err != nil {
		return nil, err
	}
	built, err := plan.Build(p, catalogue.BuiltIn(), f, o)
	if err != nil {
		return nil, err
	}
	script, err := gen.Launcher(built)
	if err != nil {
		t.Fatal(err)
	}
	return script, nil
}

// anonymous refuses the home directory and the user's name of the machines
// that the launcher was made for.
func anonymous(t *testing.T, script []byte, hosts []host.Facts) {
	t.Helper()
	for _, h := range hosts {
		for _, word := range []string{h.Home, filepath.Base(h.Home)} {
			if bytes.Contains(script, []byte(word)) {
				t.Errorf("the launcher names %q", word)
			}
		}
	}
}

// same compares with a file, or writes it.
func same(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		perm := fs.FileMode(0o644)
		if strings.HasSuffix(file, ".sh") {
			perm = 0o755
		}
		if err := os.WriteFile(file, got, perm); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := read(t, file); !bytes.Equal(got, want) {
		t.Errorf("differs; go test ./golden -update rewrites it\n%s", diff.Diff(file, want, "now", got))
	}
}

// read gives nothing for a file that is not there.
func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return data
}

// TestSize: the folder stays small enough that a change of it is read.
func TestSize(t *testing.T) {
	lines := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			lines += bytes.Count(read(t, name), []byte("\n"))
		}
		return err
	})
	if err != nil || lines > 15_000 {
		t.Errorf("golden has %d lines: %v", lines, err)
	}
	t.Logf("golden has %d lines", lines)
}
