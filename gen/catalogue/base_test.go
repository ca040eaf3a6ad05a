package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestBaseProtects: the base protects few names. The catalogue knows each, or what it
// lies in, and of no tool that builds, installs or chooses versions.
func TestBaseProtects(t *testing.T) {
	tools := catalogue.BuiltIn().Tools
	protected := loaded(t, "base").Rules.Of(profile.KindProtect)
	if len(protected) > 64 { // those of git, Mercurial, Jujutsu, shells, editors and agents
		t.Errorf("%d names", len(protected))
	}
	free := []string{"asdf", "bazel", "bun", "cargo", "gradle", "maven", "npm", "pnpm", "pre-commit", "rustup", "yarn"}
	for _, e := range protected {
		at := slices.IndexFunc(tools, func(tool catalogue.Tool) bool {
			return slices.ContainsFunc(tool.Project, func(k catalogue.Entry) bool { return related(e.Path, k.Path) })
		})
		if at < 0 || slices.Contains(free, tools[at].Name) {
			t.Errorf("%s is protected, and no tool is known that runs or believes it unasked", e.Path)
		}
	}
}

// TestAgentsProtect: an agent's own profile protects all that the catalogue knows of
// the agent in a project: as a whole, or what is settings in it.
func TestAgentsProtect(t *testing.T) {
	c := catalogue.BuiltIn()
	for name, tool := range map[string]string{
		"aider": "aider", "amp": "amp", "claude-code": "claude-code", "codex": "codex", "copilot-cli": "copilot-cli", "crush": "crush",
		"cursor-cli": "cursor-agent", "gemini-cli": "gemini-cli", "goose": "goose", "opencode": "opencode", "qwen-code": "qwen-code",
	} {
		agent, _ := c.Tool(tool)
		for _, known := range agent.Project {
			if !slices.ContainsFunc(loaded(t, name).Rules.Of(profile.KindProtect), func(e profile.Rule) bool { return related(e.Path, known.Path) }) {
				t.Errorf("%s: %s is not protected", name, known.Path)
			}
		}
	}
}

// related reports whether one path is the other, or lies in it.
func related(a, b expr.Path) bool { return a.Equal(b) || a.Below(b) || b.Below(a) }

// TestBaseSystem: the base shows nothing of /etc that the catalogue has no
// reason for.
func TestBaseSystem(t *testing.T) {
	var known []string
	system, _ := catalogue.BuiltIn().Tool("system")
	for _, e := range system.Read {
		known = append(known, e.Path.String())
	}
	for _, e := range loaded(t, "base").Rules.Of(profile.KindRead) {
		name := e.Path.String()
		below := func(dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }
		if strings.HasPrefix(name, "/etc/") && !slices.ContainsFunc(known, below) {
			t.Errorf("%s is in no file of the catalogue", name)
		}
	}
}

func loaded(t *testing.T, name string) profile.Profile {
	t.Helper()
	p, err := profile.Loader{Builtin: profiles.FS}.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
