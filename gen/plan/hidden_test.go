package plan

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestHidden: which variables the launcher judges, and where they may lead.
func TestHidden(t *testing.T) {
	c := catalogue.BuiltIn()
	p, err := profile.Parse("test.toml", []byte("extends = [\"default\"]\n"), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatal(err)
	}
	f := host.Facts{
		Home: "/home/u", Markers: []string{"go.mod", "Cargo.toml"},
		Variables: map[string]string{"GOCACHE": "/home/u/.elsewhere/go", "GOMODCACHE": "/home/u/.ssh"},
		Paths: map[string]host.PathFact{
			"${GOROOT:-/usr/local/go}": {Kind: host.Dir}, "${CARGO_HOME:-~/.cargo}/registry": {Kind: host.Dir, Target: "/home/u/.dotfiles/cargo/registry"},
		},
	}
	built, err := Build(p, c, f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := built.Hidden
	if want := []string{"CARGO_HOME/git", "CARGO_HOME/registry", "GOCACHE", "GOMODCACHE", "GOPATH/pkg/mod", "GOPATH/pkg/sumdb", "GOROOT"}; !slices.Equal(h.Movers, want) {
		t.Errorf("movers %q, want %q", h.Movers, want)
	}
	for name, open := range map[string]bool{
		".elsewhere": true, ".dotfiles": true, ".local/share/mise": true, ".cargo/registry": true, ".local/share/cargo": true,
		".ssh": false, ".cargo": false, ".local": false, ".local/share": false, ".config": false,
	} {
		if slices.Contains(h.Open, name) != open {
			t.Errorf("%s: open %v, want %v: %q", name, !open, open, h.Open)
		}
	}
	if !slices.Contains(h.Caches, "mozilla") || slices.Contains(h.Caches, "go-build") {
		t.Errorf("closed caches %q", h.Caches)
	}
	if !slices.Equal(h.Bare, []string{"Monero", "snap"}) {
		t.Errorf("closed names without a dot %q", h.Bare)
	}
}

// TestUsualPlaces: a variable that is set to what counts without it leads nowhere else. So is
// DOTNET_ROOT=~/.dotnet, as its installer says, although secrets lie in there.
func TestUsualPlaces(t *testing.T) {
	c := catalogue.BuiltIn()
	p := build(t, c, "host", c.Names())
	seen := 0
	for _, m := range p.Mounts.In(ScopeToolchain, ScopeCache) {
		rest, inHome := strings.CutPrefix(m.Source.Usual().String(), "~/")
		if m.IfNoLogin || !isVariable(&m.Source) || !inHome || !strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, ".cache/") {
			continue
		}
		seen++
		if !slices.ContainsFunc(p.Hidden.Open, func(open string) bool { return expr.Within(rest, open) }) {
			t.Errorf("%s may not be led to ~/%s", m.Source, rest)
		}
	}
	if seen < 40 {
		t.Errorf("only %d places were looked at", seen)
	}
}
