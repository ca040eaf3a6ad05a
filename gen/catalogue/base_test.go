package catalogue

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestBaseProtects: what every built-in profile with a writable project
// protects is what the catalogue says that the host would run. The launcher
// itself sees to submodules, and to what a pattern stands for.
func TestBaseProtects(t *testing.T) {
	var want, got []string
	for _, e := range builtin(t).Project() {
		if name := e.Path.String(); !e.Glob() && !strings.HasPrefix(name, "./.git/modules/") {
			want = append(want, name)
		}
	}
	for _, e := range base(t).Project.Protect {
		got = append(got, e.Path.String())
	}
	differ(t, "protect", got, want)
}

// TestBaseSystem: the base shows nothing of /etc that the catalogue has no
// reason for.
func TestBaseSystem(t *testing.T) {
	var known []string
	system, _ := builtin(t).Tool("system")
	for _, e := range system.Read {
		known = append(known, e.Path.String())
	}
	for _, e := range base(t).Filesystem.Read {
		name := e.Path.String()
		below := func(dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }
		if strings.HasPrefix(name, "/etc/") && !slices.ContainsFunc(known, below) {
			t.Errorf("%s is in no file of the catalogue", name)
		}
	}
}

func base(t *testing.T) profile.Profile {
	t.Helper()
	p, err := profile.Loader{Builtin: profiles.FS}.Load("base")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func differ(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s: %s, of which the catalogue does not know", what, name)
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s: not %s, which is in the catalogue", what, name)
		}
	}
}
