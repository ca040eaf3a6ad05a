package golden_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"bwrapgen/gen"
	"bwrapgen/gen/bash"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

var update = flag.Bool("update", false, "rewrite what the cases expect")

// arguments are what every launcher is started with.
var arguments = []string{"a b", "$(id)"}

// TestGolden walks the cases.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("*/profile.toml")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 75 {
		t.Errorf("found %d cases; some got lost", len(names))
	}
	for _, name := range names {
		c := readCase(t, filepath.Dir(name))
		t.Run(c.name, func(t *testing.T) { t.Parallel(); c.test(t) })
	}
}

// golden is one case.
type golden struct {
	name  string
	hosts []host.Facts
}

func readCase(t *testing.T, name string) golden {
	t.Helper()
	hosts, err := filepath.Glob(filepath.Join(name, "host*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(hosts) == 0 {
		hosts = []string{"host.json"}
	}
	c := golden{name: name}
	for _, file := range hosts {
		c.hosts = append(c.hosts, readHost(t, file))
	}
	return c
}

func readHost(t testing.TB, name string) host.Facts {
	t.Helper()
	facts, err := host.Read(read(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return facts
}

func (c golden) test(t *testing.T) {
	c.describes(t)
	script, err := c.launcher(t)
	if err != nil {
		c.same(t, "problems.txt", []byte(err.Error()+"\n"))
		c.absent(t, "launcher.sh", "argv.txt")
		return
	}
	c.absent(t, "problems.txt")
	c.same(t, "launcher.sh", script)
	sound(t, script)
	anonymous(t, script, c.hosts)
	c.same(t, "argv.txt", c.argv(t, script))
}

// describes holds a profile to the form of a case: short, and its first line
// says what it shows.
func (c golden) describes(t *testing.T) {
	text := string(read(t, filepath.Join(c.name, "profile.toml")))
	if !strings.HasPrefix(text, "# ") {
		t.Error("profile.toml does not begin with a comment that says what it shows")
	}
	if n := strings.Count(text, "\n"); n >= 20 {
		t.Errorf("profile.toml has %d lines; a case shows one thing", n)
	}
}

// launcher goes the whole way from the profile to the script. An error is what
// the user would see.
func (c golden) launcher(t *testing.T) ([]byte, error) {
	readFile := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(c.name, name)) }
	l := profile.Loader{Builtin: profiles.FS, ReadFile: readFile}
	return launcher(t, l, "profile.toml", host.Union(c.hosts...), plan.Options{
		Name: c.name, Source: "bwrapgen generate profile.toml -o launcher.sh",
	})
}

func launcher(t testing.TB, l profile.Loader, name string, f host.Facts, o plan.Options) ([]byte, error) {
	t.Helper()
	p, err := l.Load(name)
	if err != nil {
		return nil, err
	}
	built, err := plan.Build(p, tools(t), f, o)
	if err != nil {
		return nil, err
	}
	script, err := gen.Launcher(built)
	if err != nil {
		t.Fatal(err)
	}
	return script, nil
}

// tools is the catalogue.
func tools(t testing.TB) catalogue.Catalogue {
	t.Helper()
	c, err := builtinTools()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var builtinTools = sync.OnceValues(func() (catalogue.Catalogue, error) {
	files, err := profiles.Tools()
	if err != nil {
		return catalogue.Catalogue{}, err
	}
	return catalogue.Load(files)
})

// argv runs the launcher in the interpreter and shows what it ran.
func (c golden) argv(t *testing.T, script []byte) []byte {
	t.Helper()
	m := newMachine(c.hosts[0])
	m.environ(read(t, filepath.Join(c.name, "environ")))
	r := interpret(t, script, m.home+"/bin/"+c.name, m, arguments...)
	return show(t, r)
}

// sound checks what holds for every launcher, whatever is in it.
func sound(t *testing.T, script []byte) {
	t.Helper()
	formatted, err := bash.Format(script)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(formatted, script) {
		t.Errorf("not as the printer lays it out:\n%s", diff.Diff("launcher.sh", script, "formatted", formatted))
	}
	if err := bash.Check(script, gen.Rules()); err != nil {
		t.Error(err)
	}
	judged(t, script, "bash", "-n")
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

// same compares with a file of the case, or writes it.
func (c golden) same(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join(c.name, name)
	if *update {
		write(t, file, got)
		return
	}
	if want := read(t, file); !bytes.Equal(got, want) {
		t.Errorf("differs; go test ./golden -update rewrites it\n%s", diff.Diff(file, want, "now", got))
	}
}

// absent makes sure that a case expects either a launcher or problems.
func (c golden) absent(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		file := filepath.Join(c.name, name)
		if *update {
			_ = os.Remove(file)
		}
		if _, err := os.Lstat(file); err == nil {
			t.Errorf("%s is not what this case comes to", file)
		}
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	perm := fs.FileMode(0o644)
	if strings.HasSuffix(name, ".sh") {
		perm = 0o755
	}
	if err := os.WriteFile(name, data, perm); err != nil {
		t.Fatal(err)
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
