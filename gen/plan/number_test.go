package plan

import (
	"path"
	"slices"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// usual are the tools of a home in which somebody works with many languages.
func usual() []string {
	return []string{
		"bun", "cargo", "corepack", "deno", "go", "golangci-lint", "gopls", "gradle", "local-bin", "maven", "mise", "npm", "nvm", "pip",
		"pipx", "pnpm", "poetry", "pre-commit", "pyenv", "ruby", "rustup", "staticcheck", "uv", "yarn",
	}
}

// everything are the facts about a home in which these tools have all that they
// can have.
func everything(c catalogue.Catalogue, names []string, markers ...string) host.Facts {
	f := host.Facts{Arch: "x86_64", Home: "/home/alice", Markers: markers, Paths: map[string]host.PathFact{}}
	for _, name := range names {
		tool, _ := c.Tool(name)
		for _, e := range slices.Concat(tool.Toolchain, tool.Path, tool.Read, tool.Caches) {
			kind := host.Dir
			if e.File {
				kind = host.File
			}
			f.Paths[e.Path.String()] = host.PathFact{Kind: kind}
		}
	}
	return f
}

// TestNumbers: a home with all tools takes few mounts. In that of somebody who
// works with many languages these are at most 80, and at most 30 for a project in
// Go; more only where Nix, Guix, Homebrew and all version managers meet. With every tool of the
// catalogue at once they cannot be: the least number is that of folders that no
// other tool uses and that hold no secret, since what lies above them, as ~/.cache
// and ~/.local/share, belongs to browsers, mail and key stores, too.
func TestNumbers(t *testing.T) {
	c := builtin(t)
	var all []string
	for _, tool := range c.Tools {
		all = append(all, tool.Name)
	}
	for _, test := range []struct {
		use   string
		tools []string
		most  int
	}{
		{"project", usual(), 30},
		{"project", all, 40},
		{"host", usual(), 80},
		{"host", all, 350},
	} {
		built := build(t, c, test.use, test.tools)
		count := len(built.Caches)
		for _, g := range built.Toolchains {
			count += len(g.Mounts)
		}
		if count > test.most {
			t.Errorf("%s, %d tools: %d mounts of tools and caches, and at most %d", test.use, len(test.tools), count, test.most)
		}
		if least := folders(c, built); test.most > 80 && least < 80 {
			t.Errorf("%s, %d tools: %d folders would do, so that 80 mounts are enough", test.use, len(test.tools), least)
		}
	}
}

func build(t *testing.T, c catalogue.Catalogue, use string, tools []string) Plan {
	t.Helper()
	text := "extends = [\"base\"]\n[toolchains]\nuse = \"" + use + "\"\n"
	p, err := profile.Parse("test.toml", []byte(text), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatal(err)
	}
	built, err := Build(p, c, everything(c, tools, "go.mod"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// folders counts the outermost folders with what a plan shows of tools that hold
// nothing of another tool's, and no secret.
func folders(c catalogue.Catalogue, p Plan) int {
	env := expr.Env{Home: "/home/alice"}
	sensitive := c.Sensitive(env, func(catalogue.Secret) (string, bool) { return "", false })
	owner := map[string]string{}
	var shown []string
	note := func(at expr.Path, tool string) {
		name, ok := at.Eval(env)
		if !ok {
			return
		}
		shown = append(shown, name)
		for up := name; up != "/"; up = path.Dir(up) {
			if owner[up] == "" || owner[up] == tool {
				owner[up] = tool
			} else {
				owner[up] = "several"
			}
		}
	}
	for _, g := range p.Toolchains {
		for _, m := range g.Mounts {
			note(m.Source, m.Tool)
		}
	}
	for _, cache := range p.Caches {
		note(cache.Path, cache.Tool)
	}
	tops := map[string]bool{}
	for _, name := range shown {
		for up := path.Dir(name); owner[up] != "several" && up != "/" && up != env.Home && len(sensitive.Conflicts(up)) == 0; up = path.Dir(up) {
			name = up
		}
		tops[name] = true
	}
	return len(tops)
}
