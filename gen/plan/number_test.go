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
		{"project", usual(), 20},
		{"project", all, 29},
		{"host", usual(), 80},
		{"host", all, 341},
	} {
		built := build(t, c, test.use, test.tools)
		count := len(mounted(built))
		if count > test.most {
			t.Errorf("%s, %d tools: %d mounts of tools and caches, and at most %d", test.use, len(test.tools), count, test.most)
		}
		if least := folders(c, built); test.most > 80 && least < 80 {
			t.Errorf("%s, %d tools: %d folders would do, so that 80 mounts are enough", test.use, len(test.tools), least)
		}
	}
}

// TestEffort: what it takes to build a plan grows with its mounts, not with their
// square.
func TestEffort(t *testing.T) {
	c := builtin(t)
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
// one that it shows already, nor a link into a store; of caches not what only a
// variable that is not set would lead to.
func mounted(p Plan) []string {
	var all []string
	for _, g := range p.Toolchains {
		for _, m := range g.Mounts {
			at := m.Target.Usual().String()
			if !links[m.Target.String()] && !slices.ContainsFunc(all, func(top string) bool { return inside(at, top) }) {
				all = append(all, at)
			}
		}
	}
	for _, c := range p.Caches {
		if at := c.Path.Usual(); at.Base != expr.Variable {
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
