package plan

import (
	"path"
	"runtime"
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

// links are the profiles of Nix and Guix, which lead into a store.
var links = map[string]bool{
	"~/.nix-profile": true, "${XDG_STATE_HOME:-~/.local/state}/nix/profile": true, "/run/current-system/profile": true, "/run/opengl-driver": true,
	"~/.guix-profile": true, "~/.guix-home/profile": true, "${XDG_CONFIG_HOME:-~/.config}/guix/current": true,
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
			fact := host.PathFact{Kind: kind}
			if links[e.Path.String()] {
				fact.Target = "/gnu/store/profile"
			}
			f.Paths[e.Path.String()] = fact
		}
	}
	return f
}

// TestNumbers: a home with all tools takes few mounts. In that of somebody who
// works with many languages these are at most 80. For a project in Go they are
// less than 30, even where Nix, Guix, Homebrew and all version managers meet. With every tool of the
// catalogue at once they cannot be: above most of the places there is no folder
// that could be shown instead, since ~, ~/.cache, ~/.config and ~/.local/share
// hold what browsers, mail and key stores keep. There is little more than has to be.
func TestNumbers(t *testing.T) {
	c := catalogue.BuiltIn()
	var all []string
	for _, tool := range c.Tools {
		all = append(all, tool.Name)
	}
	for _, test := range []struct {
		use   string
		tools []string
		most  int
	}{
		{"project", usual(), 10},
		{"project", all, 29},
		{"host", usual(), 75},
	} {
		if n := len(mounted(build(t, c, test.use, test.tools))); n > test.most {
			t.Errorf("%s, %d tools: %d mounts of tools and caches, and at most %d", test.use, len(test.tools), n, test.most)
		}
	}
	places := mounted(build(t, c, "host", all))
	if least := len(folders(c, places)); least < 80 || 10*len(places) > 11*least {
		t.Errorf("all tools: %d mounts, and %d would do", len(places), least)
	}
}

// TestEffort: what it takes to build a plan grows with its mounts, not with their
// square.
func TestEffort(t *testing.T) {
	c := catalogue.BuiltIn()
	var all []string
	for _, tool := range c.Tools {
		all = append(all, tool.Name)
	}
	effort := func(tools []string) (bytes, mounts int) {
		var before, after runtime.MemStats
		build(t, c, "host", tools)
		runtime.ReadMemStats(&before)
		built := build(t, c, "host", tools)
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc - before.TotalAlloc), len(mounted(built))
	}
	few, mounts := effort(usual())
	many, more := effort(all)
	if 2*many*mounts > 3*few*more {
		t.Errorf("%d mounts take %d bytes, and %d take %d", mounts, few, more, many)
	}
}

// mounted are the places that a launcher mounts: of toolchains not what lies in
// one that it shows already, or in what is shown of the system, nor a link into a
// store, nor settings, which few hosts have; of caches not what only a variable that is not set would lead to.
func mounted(p Plan) []string {
	var all, shown []string
	for _, m := range p.Mounts.In(ScopeSystem) {
		shown = append(shown, m.Target.String())
	}
	for _, m := range p.Mounts.In(ScopeToolchain).Where(Mount.NotView) {
		at := m.Target.Usual().String()
		if !m.IfNoLogin && !links[m.Target.String()] && !slices.ContainsFunc(shown, func(top string) bool { return expr.Within(at, top) }) {
			all, shown = append(all, at), append(shown, at)
		}
	}
	for _, c := range p.Mounts.In(ScopeCache) {
		if at := c.Source.Usual(); at.Base != expr.Variable {
			all = append(all, at.String())
		}
	}
	return all
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

// folders are the fewest that hold these places and no secret: each is the place
// itself, or the outermost folder above it that holds none that is known. What
// else lies in such a folder would be shown, too, so that a launcher needs more.
func folders(c catalogue.Catalogue, places []string) map[string]bool {
	env := expr.Env{Home: "/home/alice"}
	sensitive := c.Sensitive(env, func(catalogue.Secret) (string, bool) { return "", false })
	tops := map[string]bool{}
	for _, place := range places {
		top, ok := expr.MustParse(place).Eval(env)
		if !ok {
			continue // a variable leads there, or none
		}
		for up := path.Dir(top); len(sensitive.Conflicts(up)) == 0; up = path.Dir(up) {
			top = up
		}
		tops[top] = true
	}
	return tops
}
