package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCommand(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"home/u/dot/bin", "home/u/repo/.git", "home/u/repo/bin", "srv"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(root, "home/u")
	for _, test := range []struct {
		name, cwd string
		w         wanted
		want      string
	}{
		{"built in", "home/u", wanted{Profile: "default"}, "bwrapgen generate default"},
		{"relative", "home/u", wanted{Profile: "./p.toml", Output: "bin/L"}, "bwrapgen generate p.toml -o bin/L"},
		{"no suffix", "home/u", wanted{Profile: "./p", Output: "L"}, "bwrapgen generate ./p -o L"},
		{"dash", "home/u", wanted{Profile: "./-p.toml", Output: "./-L"}, "bwrapgen generate ./-p.toml -o ./-L"},
		{"quotes", "home/u", wanted{Profile: "a b's.toml", Name: "$(id)", Output: "L"}, `bwrapgen generate "a b's.toml" --name '$(id)' -o L`},
		{"absolute at home", "srv", wanted{Profile: "~h/p.toml", Output: "~h/dot/bin/L"}, "bwrapgen generate ../../p.toml -o L"},
		{"absolute at home, to standard output", "srv", wanted{Profile: "~h/a b.toml"}, "bwrapgen generate ~/'a b.toml'"},
		{"absolute elsewhere", "home/u", wanted{Profile: "/etc/p.toml", Output: "/usr/local/bin/L"}, "bwrapgen generate /etc/p.toml -o /usr/local/bin/L"},
		{"output outside home", "srv", wanted{Profile: "~h/p.toml", Output: "L"}, "bwrapgen generate ~/p.toml -o L"},
		{"through home's parent", "srv", wanted{Profile: "../home/u/p.toml", Output: "L"}, "bwrapgen generate ~/p.toml -o L"},
		{"at the root of a work tree", "home/u/repo", wanted{Profile: "p.toml", Output: "bin/L", subject: subject{Host: []string{"h.json"}}}, "bwrapgen generate p.toml --host h.json -o bin/L"},
		{"in a work tree", "home/u/repo/bin", wanted{Profile: "../p.toml", Output: "L", subject: subject{Project: ".."}}, "bwrapgen generate p.toml --project . -o bin/L"},
		{"work tree, absolute", "srv", wanted{Profile: "~h/repo/p.toml", Output: "~h/repo/bin/L"}, "bwrapgen generate p.toml -o bin/L"},
		{"work tree, profile elsewhere", "home/u/repo", wanted{Profile: "../p.toml", Output: "bin/L"}, "bwrapgen generate ../p.toml -o bin/L"},
		{"a tilde", "srv", wanted{Profile: "./~/p.toml", Output: "L"}, `bwrapgen generate './~/p.toml' -o L`},
		{"a neighbour of home", "home", wanted{Profile: "u2/p.toml", Output: "L"}, "bwrapgen generate u2/p.toml -o L"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(filepath.Join(root, test.cwd))
			w := test.w
			w.Profile, w.Output = at(home, w.Profile), at(home, w.Output)
			if got := w.command(home); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// at replaces ~h by the home directory.
func at(home, name string) string {
	if len(name) > 2 && name[:2] == "~h" {
		return home + name[2:]
	}
	return name
}
