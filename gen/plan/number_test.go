package plan

import (
	"slices"
	"testing"

	"bwrapgen/gen/catalogue"
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

// TestNumbers: a home with all tools takes few mounts.
func TestNumbers(t *testing.T) {
	tools, err := profiles.Tools()
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalogue.Load(tools)
	if err != nil {
		t.Fatal(err)
	}
	for use, most := range map[string]int{"host": 80, "project": 30} {
		text := "extends = [\"base\"]\n[toolchains]\nuse = \"" + use + "\"\n"
		p, err := profile.Parse("test.toml", []byte(text), profile.Loader{Builtin: profiles.FS})
		if err != nil {
			t.Fatal(err)
		}
		built, err := Build(p, c, everything(c, usual(), "go.mod"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		count := len(built.Caches)
		for _, g := range built.Toolchains {
			count += len(g.Mounts)
		}
		if count > most {
			t.Errorf("%s: %d mounts of tools and caches, and at most %d", use, count, most)
		}
	}
}
