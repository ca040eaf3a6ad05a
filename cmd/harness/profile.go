package harness

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// Profile is the text of a profile, and where its launcher is generated. $P,
// $O, $H and $W in the text are the world's project, outside, home and top.
type Profile struct {
	Text        string
	Name        string   // of the launcher, if it is not Name
	Visible     string   // a directory that is visible whatever the text says
	Environment []string // of the host
	Anywhere    bool     // for any host: what this one has does not count
	Inputs      plan.Inputs
}

// Name is that of launchers here, by which they speak: their files are called so, too.
const Name = "L"

// Launcher goes the whole way from a profile to a script.
func (w World) Launcher(t *testing.T, p Profile) []byte {
	t.Helper()
	built, err := w.Plan(t, p)
	if err != nil {
		t.Fatal(err)
	}
	script, err := gen.Launcher(built)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// Plan decides what a profile means in the world.
func (w World) Plan(t *testing.T, p Profile) (plan.Plan, error) {
	t.Helper()
	loaded, err := w.load(p)
	if err != nil {
		return plan.Plan{}, err
	}
	c := catalogue.BuiltIn()
	q := plan.Questions(loaded, c)
	q.Project = w.Project
	facts, err := probe.Host{Getenv: lookup(p.Environment)}.Facts(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if p.Anywhere {
		facts = plan.Anywhere(loaded, c, facts.Markers)
	}
	return plan.Build(loaded, c, facts, plan.Options{Name: cmp.Or(p.Name, Name), Inputs: p.Inputs})
}

func (w World) load(p Profile) (profile.Profile, error) {
	files := map[string]string{
		"test.toml": strings.NewReplacer("$P", w.Project, "$O", w.Outside, "$H", w.Home, "$W", w.Top).Replace(p.Text),
	}
	if p.Visible != "" {
		files["text.toml"] = files["test.toml"]
		files["test.toml"] = "extends = [\"text.toml\"]\n[filesystem]\nread = [\"" + p.Visible + "\"]\n"
	}
	read := func(name string) ([]byte, error) {
		if text, ok := files[filepath.Base(name)]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
	return profile.Loader{Builtin: profiles.FS, ReadFile: read}.Load("./test.toml")
}

// lookup finds the last value of a variable.
func lookup(environment []string) func(name string) string {
	return func(name string) (value string) {
		for _, e := range environment {
			if n, v, _ := strings.Cut(e, "="); n == name {
				value = v
			}
		}
		return value
	}
}
