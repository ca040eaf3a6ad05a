package gen

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// render writes the launcher of a built-in profile for a machine with Go.
func render(t *testing.T, name string) []byte {
	t.Helper()
	p, err := profile.Loader{Builtin: profiles.FS}.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	c := catalogue.BuiltIn()
	f := host.Facts{Arch: "aarch64,x86_64", Home: "/home/alice", Markers: []string{"go.mod", "package.json"}, Paths: map[string]host.PathFact{}}
	for _, tool := range c.Tools {
		for _, e := range slices.Concat(tool.Toolchain, tool.Caches) {
			f.Paths[e.Path.String()] = host.PathFact{Kind: host.Dir}
		}
	}
	built, err := plan.Build(p, c, f, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	script, err := Launcher(built)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// TestLauncherSameBytes renders again and again, and where nothing but the
// surroundings differ.
func TestLauncherSameBytes(t *testing.T) {
	for _, name := range (profile.Loader{Builtin: profiles.FS}).Names() {
		want := render(t, name)
		for range 5 {
			if !bytes.Equal(render(t, name), want) {
				t.Fatalf("%s: a second run gives another text", name)
			}
		}
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for variable, value := range map[string]string{"TZ": "Asia/Tokyo", "LANG": "tr_TR.UTF-8", "LC_ALL": "C", "HOME": "/elsewhere", "USER": "somebody"} {
				t.Setenv(variable, value)
			}
			if !bytes.Equal(render(t, name), want) {
				t.Error("the surroundings change the text")
			}
		})
	}
}

// TestLauncherNUL has texts that bash cannot hold: an error, not a launcher
// that means something else.
func TestLauncherNUL(t *testing.T) {
	for name, p := range map[string]plan.Plan{
		"name":    {Name: "a\x00b"},
		"command": {Command: []string{"a\x00b"}},
		"value":   {Environ: plan.Environ{Set: []profile.Variable{{Name: "A", Text: "a\x00b"}}}},
		"mask":    {Mounts: plan.Mounts{{Op: plan.Mask, Scope: plan.ScopeMask, Target: expr.Path{Base: expr.Root, Rest: "/a\x00b"}}}},
	} {
		p.Kernel = profile.Default().Kernel
		if _, err := Launcher(p); err == nil || !strings.Contains(err.Error(), "NUL") {
			t.Errorf("%s: got %v, want an error about the NUL", name, err)
		}
	}
}

// TestLauncherHostile renders a plan whose texts are all made to break out.
// Launcher checks what it renders: what is left to see is that it renders.
func TestLauncherHostile(t *testing.T) {
	name := "it's $(id) `id` ${x} \"*\" \\ ~ {a,b} ! # ; & | < >"
	text := name + "\n\t\xff\u202e"
	path := expr.Path{Base: expr.Home, Rest: "/" + text}
	p := plan.Plan{
		Name: name, Source: "bwrapgen generate x\nid", Command: []string{text, "", "--"}, Kernel: profile.Default().Kernel,
		Mounts:  plan.Mounts{{Op: plan.ROBind, Scope: plan.ScopeOutside, Source: path, Target: path, Tool: text}},
		Environ: plan.Environ{Set: []profile.Variable{{Name: "A", Text: text}}},
	}
	script, err := Launcher(p)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(script)) {
		if strings.TrimSpace(line) == "id" {
			t.Error("a comment has ended early")
		}
	}
}
