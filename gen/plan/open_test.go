package plan

import (
	"slices"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestOpen: which directories variables and symbolic links may lead to at start-up.
func TestOpen(t *testing.T) {
	p, err := profile.Parse("test.toml", []byte(`extends = ["default"]
environment.pass = ["DEMO_HOME"]
filesystem.read = ["~/.demo", "~/notes", "~/linked", { path = "/run/demo", at = "~/run" }, "${DEMO_HOME:-~/.moved}/x?"]
`), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatal(err)
	}
	f := host.Facts{
		Home: "/home/u", Markers: []string{"go.mod", "Cargo.toml"},
		Variables: map[string]string{"GOCACHE": "/home/u/.elsewhere/go", "GOMODCACHE": "/home/u/.ssh"},
		Paths: map[string]host.PathFact{
			"${GOROOT:-/usr/local/go}": {Kind: host.Dir}, "${CARGO_HOME:-~/.cargo}/registry": {Kind: host.Dir, Target: "/home/u/.dotfiles/cargo/registry"},
			"~/linked": {Kind: host.Dir, Target: "/data/linked"},
		},
	}
	built, err := Build(p, catalogue.BuiltIn(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for at, open := range map[string]bool{
		"~/.elsewhere": true, "~/.dotfiles/cargo/registry": true, "~/.local/share/mise": true, "~/.cargo/registry": true,
		"~/.local/share/cargo": true, "~/.demo": true, "~/.moved/x": true, "/run/demo": true, "/data/linked": true,
		"~/.ssh": false, "~/.cargo": false, "~/.local": false, "~/.local/share": false, "~/.config": false, "~/.cache": false,
		"~/.cache/go-build": false, "~/notes": false, "~/linked": false, "~/.moved": false,
	} {
		if slices.ContainsFunc(built.Open, expr.MustParse(at).Equal) != open {
			t.Errorf("%s: open %v, want %v: %v", at, !open, open, built.Open)
		}
	}
}

// TestUsualPlaces: the usual place of every tool's path is open, even if credentials are in it, as in
// DOTNET_ROOT=~/.dotnet.
func TestUsualPlaces(t *testing.T) {
	c := catalogue.BuiltIn()
	p := build(t, c, "host", c.Names())
	seen := 0
	for _, m := range p.Mounts.In(ScopeToolchain, ScopeCache) {
		usual := m.Source.Usual()
		if at := usual.String(); !closed.MatchString(at) || alwaysOpen.MatchString(at) {
			continue
		}
		seen++
		if !slices.ContainsFunc(p.Open, usual.Within) {
			t.Errorf("%s may not lead to %s", m.Source, usual)
		}
	}
	if seen < 40 {
		t.Errorf("only %d places were looked at", seen)
	}
}
