package catalogue

import (
	"slices"
	"testing"
	"testing/fstest"

	"bwrapgen/profiles"
)

// builtin is the catalogue that the program carries.
func builtin(t testing.TB) Catalogue {
	t.Helper()
	fsys, err := profiles.Tools()
	if err != nil {
		t.Fatal(err)
	}
	c, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// load reads tools from texts by name.
func load(t testing.TB, texts map[string]string) Catalogue {
	t.Helper()
	c, err := Load(files(texts))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func files(texts map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestTool(t *testing.T) {
	c := load(t, map[string]string{
		"b.toml": "about = \"B.\"\ncovers = [\"bee\", \"a\"]",
		"a.toml": `about = "A."`,
	})
	tests := []struct {
		name, want string
		ok         bool
	}{
		{"a", "a", true}, // the tool itself before one that covers it
		{"bee", "b", true},
		{"c", "", false},
	}
	for _, test := range tests {
		got, ok := c.Tool(test.name)
		if got.Name != test.want || ok != test.ok {
			t.Errorf("Tool(%q) = %q, %v, want %q, %v", test.name, got.Name, ok, test.want, test.ok)
		}
	}
}

func TestMarked(t *testing.T) {
	c := load(t, map[string]string{
		"rust.toml":   "about = \"R.\"\nmarkers = [\"Cargo.toml\"]\nneeds = [\"up\"]",
		"up.toml":     "about = \"U.\"\nneeds = [\"rust\"]", // a circle
		"dotnet.toml": "about = \"D.\"\nmarkers = [\"*.csproj\"]",
		"other.toml":  `about = "O."`,
	})
	tests := []struct {
		names, want []string
	}{
		{nil, nil},
		{[]string{"README.md"}, nil},
		{[]string{"Cargo.toml"}, []string{"rust", "up"}},
		{[]string{"a b.csproj", "Cargo.toml"}, []string{"dotnet", "rust", "up"}},
		{[]string{"cargo.toml", "csproj"}, nil},
	}
	for _, test := range tests {
		if got := c.WithNeeds(c.Marked(test.names)); !slices.Equal(got, test.want) {
			t.Errorf("WithNeeds(Marked(%q)) = %q, want %q", test.names, got, test.want)
		}
	}
}

// One file may speak for several names; a tool is listed once, by its own.
func TestWithNeedsNames(t *testing.T) {
	c := load(t, map[string]string{"ocaml.toml": "about = \"O.\"\ncovers = [\"opam\", \"dune\"]"})
	got := c.WithNeeds([]string{"opam", "dune", "unknown"})
	if want := []string{"ocaml", "unknown"}; !slices.Equal(got, want) {
		t.Errorf("WithNeeds = %q, want %q", got, want)
	}
}

func TestVariables(t *testing.T) {
	c := load(t, map[string]string{"go.toml": `
about = "Go."
caches = ["${GOMODCACHE:-${GOPATH:-~/go}/pkg/mod}", "$XDG_RUNTIME_DIR/x"]
secrets = ["${NETRC:-~/.netrc}"]
pass = ["GOFLAGS"]
keys = ["GOTOKEN"]
`})
	got := c.Tools[0].Variables()
	if want := []string{"GOFLAGS", "GOMODCACHE", "GOPATH"}; !slices.Equal(got, want) {
		t.Errorf("Variables() = %q, want %q", got, want)
	}
}
