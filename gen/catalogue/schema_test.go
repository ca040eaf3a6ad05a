package catalogue

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
)

func TestCheck(t *testing.T) {
	got, err := Check("home/tools/x.toml", []byte(`
about   = "X."
covers  = ["y"]
markers = ["*.x"]
caches  = [
  "~/.x/plain",
  { path = "${X_HOME:-~/.x}/c", why = "because", needs-write = "on-miss", if-present = true, mask = ["token"], empty = ["a/b"] },
]
read    = [{ path = "/etc/x", as = "link", file = true }]
sockets = [{ path = "$XDG_RUNTIME_DIR/x*", pass = "x" }]
state   = [{ path = "~/.xstate", protect = ["settings"] }]
project = ["./.x"]
endpoints = [{ name = "tcp:127.0.0.1:1", why = "w" }]

[set]
A = "1"
B = { path = "${X_HOME:-~/.x}", why = "w" }
`))
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "x" || got.Origin != "home/tools/x.toml" || got.About != "X." {
		t.Errorf("name %q, origin %q, about %q", got.Name, got.Origin, got.About)
	}
	c := got.Caches[1]
	if c.Path.String() != "${X_HOME:-~/.x}/c" || c.Why != "because" || c.NeedsWrite != NeedOnMiss || !c.IfPresent ||
		!slices.Equal(c.Mask, []string{"token"}) || !slices.Equal(c.Empty, []string{"a/b"}) {
		t.Errorf("cache: %+v", c)
	}
	if r := got.Read[0]; r.As != "link" || !r.File {
		t.Errorf("read: %+v", r)
	}
	if s := got.Sockets[0]; s.Pass.Name != "x" || !s.Glob() || got.Caches[0].Glob() {
		t.Errorf("socket: %+v", s)
	}
	if s := got.Set; len(s) != 2 || s[0].Value != "1" || s[1].Path.String() != "${X_HOME:-~/.x}" || s[1].Why != "w" {
		t.Errorf("set: %+v", s)
	}
	if p := got.State[0].Protect; !slices.Equal(p, []string{"settings"}) {
		t.Errorf("protect: %q", p)
	}
	if got.Project[0].Path.Base != expr.Project || got.Endpoints[0].Name != "tcp:127.0.0.1:1" {
		t.Errorf("project %v, endpoints %v", got.Project, got.Endpoints)
	}
}

func TestCheckRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", `x.toml: about: is missing`},
		{"syntax", "about = \"X.\"\ncaches = [", `x.toml:2: not valid TOML: `},
		{"nesting", "about = \"X.\"\ncaches = " + strings.Repeat("[", 1<<16), `x.toml:2: not valid TOML: `},
		{"size", strings.Repeat(" ", 1<<20), `x.toml: larger than `},
		{"doubled key", "about = \"X.\"\nabout = \"Y.\"", `x.toml:2: `},
		{"lines", "about = \"\"\"a\nb\"\"\"", `x.toml:1: about: is not one sentence on one line`},
		{"unknown key", "about = \"X.\"\n\ncache = []", `x.toml:3: cache: unknown key`},
		{"wrong type", "about = \"X.\"\ncaches = \"~/.x\"", `x.toml:2: caches: is a text, not a list`},
		{"number", "about = 1", `x.toml:1: about: is a number, not a text`},
		{"entry's type", "about = \"X.\"\ncaches = [1]", `x.toml:2: caches[0]: is a number, not a path or a table with one`},
		{"entry's key", "about = \"X.\"\ncaches = [\n  \"~/.a\",\n  { path = \"~/.b\", file = true, maks = [\"c\"] },\n]",
			`x.toml:4: caches[1].maks: unknown key`},
		{"another list's key", "about = \"X.\"\nsecrets = [{ path = \"~/.x\", mask = [\"c\"] }]", `x.toml:2: secrets[0].mask: unknown key`},
		{"no path", "about = \"X.\"\ncaches = [{ why = \"w\" }]", `x.toml:2: caches[0]: has no path`},
		{"relative", "about = \"X.\"\ncaches = [\n  \"~/.a\",\n  \"etc\",\n]", `x.toml:4: caches[1]: "etc" is not an absolute path`},
		{"substitution", "about = \"X.\"\ncaches = [\"$(id)/x\"]", `x.toml:2: caches[0]: "$(id)/x" has a $ without a variable's name`},
		{"NUL", "about = \"X.\"\ncaches = [\"/a\\u0000b\"]", `x.toml:2: caches[0]: "/a\x00b" holds a NUL byte`},
		{"climbing", "about = \"X.\"\ncaches = [\"~/../x\"]", `x.toml:2: caches[0]: "~/../x" climbs above its beginning with ..`},
		{"pattern shown", "about = \"X.\"\ncaches = [\"~/.x*\"]", `x.toml:2: caches[0]: holds a *: "~/.x*"`},
		{"whole home", "about = \"X.\"\nsecrets = [\"~\"]", `x.toml:2: secrets[0]: is the whole home directory: "~"`},
		{"in the project", "about = \"X.\"\ncaches = [\"./x\"]", `x.toml:2: caches[0]: lies in the project: "./x"`},
		{"not in the project", "about = \"X.\"\nproject = [\"~/x\"]", `x.toml:2: project[0]: does not begin with ./: "~/x"`},
		{"twice", "about = \"X.\"\ncaches = [\"~/.x\", \"~/.x/\"]", `x.toml:2: caches[1]: is listed twice: "~/.x"`},
		{"mask above", "about = \"X.\"\ncaches = [{ path = \"~/.x\", mask = [\"../y\"] }]",
			`x.toml:2: caches[0].mask: is not a name below the entry's path: "../y"`},
		{"mask absolute", "about = \"X.\"\ncaches = [{ path = \"~/.x\", mask = [\"/y\"] }]",
			`x.toml:2: caches[0].mask: is not a name below the entry's path: "/y"`},
		{"word", "about = \"X.\"\ncaches = [{ path = \"~/.x\", needs-write = \"maybe\" }]",
			`x.toml:2: caches[0].needs-write: unknown word: "maybe"`},
		{"marker", "about = \"X.\"\nmarkers = [\"a/b\"]", `x.toml:2: markers[0]: is not a name: "a/b"`},
		{"variable", "about = \"X.\"\npass = [\"A B\"]", `x.toml:2: pass[0]: is not a name: "A B"`},
		{"variable twice", "about = \"X.\"\npass = [\"A\", \"A\"]", `x.toml:2: pass[1]: is listed twice: "A"`},
		{"setting's name", "about = \"X.\"\n[set]\n\"A=B\" = \"1\"", `x.toml:3: set."A=B": is not a variable's name: "A=B"`},
		{"setting's value", "about = \"X.\"\n[set]\nA = { why = \"w\" }", `x.toml:3: set.A: has not exactly one of value and path`},
		{"setting's path", "about = \"X.\"\n[set]\nA = { path = \"x\" }", `x.toml:3: set.A.path: "x" is not an absolute path`},
		{"endpoint", "about = \"X.\"\nendpoints = [{ name = \"/run/x\" }]",
			`x.toml:2: endpoints[0].name: is not tcp:, abstract: or dbus: with an address: "/run/x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Check("x.toml", []byte(test.text))
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Fatalf("got %v\nwant %s", err, test.want)
			}
			for _, p := range err.(problem.List) {
				if p.Hint == "" {
					t.Errorf("no hint says what to write: %s", p)
				}
			}
		})
	}
}

func TestCheckTogether(t *testing.T) {
	_, err := Check("x.toml", []byte("caches = [\"etc\"]\nabuot = \"X.\"\npass = [\"-\"]\n"))
	var problems problem.List
	if !errors.As(err, &problems) || len(problems) != 4 {
		t.Fatalf("got %v, want four problems", err)
	}
	for _, p := range problems {
		if p.Key == "abuot" && !strings.Contains(p.Hint, "about") {
			t.Errorf("the hint does not name the keys: %q", p.Hint)
		}
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"X.toml", ".toml", "a b.toml", "-x.toml", "a\nb.toml"} {
		if _, err := Check(name, []byte(`about = "X."`)); err == nil {
			t.Errorf("%q was taken for a tool's file", name)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("about = \"X.\"\ncaches = [{ path = \"~/.x\", mask = [\"a\"] }]\n[set]\nA = \"1\"")
	f.Add("caches = [[1], {}, \"\\u0000\"]\nset = []\nendpoints = {}")
	f.Fuzz(func(t *testing.T, text string) {
		tool, err := Check("x.toml", []byte(text))
		if err != nil {
			return
		}
		for _, e := range append(tool.Caches, tool.Toolchain...) {
			if e.Path.IsZero() || e.Glob() || e.Path.Base == expr.Project {
				t.Errorf("a sandbox would show %q", e.Path)
			}
		}
	})
}
