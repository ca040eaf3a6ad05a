package expr

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct{ in, want string }{
		{"/", "/"},
		{"/usr//lib/", "/usr/lib"},
		{"~", "~"},
		{"~/", "~"},
		{"~/go/./pkg", "~/go/pkg"},
		{"./a b", "./a b"},
		{"$XDG_RUNTIME_DIR/bus", "$XDG_RUNTIME_DIR/bus"},
		{"${XDG_RUNTIME_DIR}/bus", "$XDG_RUNTIME_DIR/bus"},
		{"${CARGO_HOME:-~/.cargo}/registry", "${CARGO_HOME:-~/.cargo}/registry"},
		{"${GOMODCACHE:-${GOPATH:-~/go}/pkg/mod}", "${GOMODCACHE:-${GOPATH:-~/go}/pkg/mod}"},
		{"/a/$(id)", "/a/$(id)"}, // text: quoted like any other
	}
	for _, test := range tests {
		p, err := Parse(test.in)
		if err != nil {
			t.Errorf("Parse(%q): %v", test.in, err)
			continue
		}
		if got := p.String(); got != test.want {
			t.Errorf("Parse(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", "empty"},
		{"etc", "not an absolute path"},
		{"~root/x", "another user"},
		{"/a\x00b", "NUL"},
		{"~/../x", "climbs"},
		{"/../x", "climbs"},
		{"$", "without a variable's name"},
		{"$(id)", "without a variable's name"},
		{"${}", "without a variable's name"},
		{"${HOME", "without its }"},
		{"${A:=/x}", "expansion other"},
		{"${A:-x}", "default that is not an absolute path"},
		{"${A:-$(id)}", "default that has a $"},
		{"$A$B", "does not stand at its beginning"},
		{"${A}b", "slash is missing"},
		{"`id`", "not an absolute path"},
		{"$project/x", "that the launcher has itself"},
		{"${path:-~/x}/y", "that the launcher has itself"},
	}
	for _, test := range tests {
		_, err := Parse(test.in)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Parse(%q) = %v, want an error with %q", test.in, err, test.want)
		}
	}
}

func TestEval(t *testing.T) {
	env := Env{Home: "/home/u", Project: "/src/p", Lookup: map[string]string{
		"CARGO_HOME": "/data/c", "EMPTY": "", "RELATIVE": "x/y", "SLASH": "/data/", "TOP": "/", "DOT": "//./",
	}}
	tests := []struct{ in, want string }{
		{"/usr", "/usr"},
		{"~/x", "/home/u/x"},
		{"./x", "/src/p/x"},
		{"${CARGO_HOME:-~/.cargo}/registry", "/data/c/registry"},
		{"${EMPTY:-~/.cargo}/registry", "/home/u/.cargo/registry"},
		{"${RELATIVE:-~/.cargo}/registry", "/home/u/.cargo/registry"},
		{"${SLASH:-~/.cargo}/registry", "/data/registry"},
		{"${TOP:-~/.cargo}/registry", "/home/u/.cargo/registry"},
		{"${DOT:-~/.cargo}/registry", "/home/u/.cargo/registry"},
		{"${A:-${B:-~/go}/pkg/mod}", "/home/u/go/pkg/mod"},
		{"$EMPTY/x", ""},
		{"$RELATIVE", ""},
	}
	for _, test := range tests {
		got, ok := MustParse(test.in).Eval(env)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("Eval(%q) = %q, %v, want %q", test.in, got, ok, test.want)
		}
	}
}

// TestRelations: two expressions relate as their texts do.
func TestRelations(t *testing.T) {
	texts := []string{
		"/", "/a", "/a/b", "/ab", "~", "~/a", "~/a/b", "~/ab", ".", "./a", "./a/b", "$A", "$A/a", "$A/a/b", "$AB", "$B/a",
		"${A:-~/a}", "${A:-~/a}/a", "${A:-~/a}/a/b", "${A:-~/b}/a/b", "${A:-/}", "${A:-/}/a", "${A:-${B:-~/a}}", "${A:-${B:-~/a}}/a",
	}
	for _, one := range texts {
		p := MustParse(one)
		var above []string
		for _, up := range p.Above() {
			above = append(above, up.String())
		}
		for _, other := range texts {
			q := MustParse(other)
			if got, want := p.Equal(q), one == other; got != want {
				t.Errorf("%s equals %s: %v", one, other, got)
			}
			below := strings.HasPrefix(one, strings.TrimSuffix(other, "/")+"/")
			if got := p.Below(q); got != below {
				t.Errorf("%s below %s: %v", one, other, got)
			}
			if got, want := slices.Contains(above, other), below && one != other; got != want {
				t.Errorf("%s is above %s: %v", other, one, got)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"/a", "~/a", "${A:-${B:-~/c}/d}/e", "./.", "${A:-/}", "$A/..", "/a\nb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(p.String())
		if err != nil || !again.Equal(p) {
			t.Fatalf("Parse(%q) prints %q, which parses as %q, %v", text, p, again, err)
		}
	})
}

func TestVariables(t *testing.T) {
	for text, want := range map[string][]string{
		"/usr": nil, "~/go": nil, "./a": nil,
		"$XDG_RUNTIME_DIR/bus":                     {"XDG_RUNTIME_DIR"},
		"${GOMODCACHE:-${GOPATH:-~/go}/pkg/mod}/a": {"GOMODCACHE", "GOPATH"},
	} {
		if got := MustParse(text).Variables(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// TestMatches: a pattern has as many names as what it stands for.
func TestMatches(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"/.env*", "/.env", true}, {"/.env*", "/.env.local", true}, {"/.env*", "/a/.env", false}, {"/.env*", "/.env/a", false},
		{"/apps/*/.env", "/apps/a/.env", true}, {"/apps/*/.env", "/apps/.a/.env", false}, {"/apps/.*/.env", "/apps/.a/.env", true},
		{"/?nv", "/env", true}, {"/?env", "/.env", false}, {"/[!a-c]x", "/dx", true}, {"/[!a-c]x", "/ax", false}, {"/[[]a]", "/[a]", true},
	} {
		if got := Matches(test.pattern, test.name); got != test.want {
			t.Errorf("%s, %s: %v", test.pattern, test.name, got)
		}
	}
}

// TestWithin: a name that begins alike lies in no directory of the other's, and an empty
// path holds nothing.
func TestWithin(t *testing.T) {
	for _, test := range []struct {
		at, top       string
		within, below bool
	}{
		{"/a", "/a", true, false},
		{"/a/b", "/a", true, true},
		{"/ab", "/a", false, false},
		{"/a", "/a/b", false, false},
		{"/a", "/", true, true},
		{"/", "/", true, false},
		{"/a", "", false, false},
		{"", "", false, false},
	} {
		if within, below := Within(test.at, test.top), Below(test.at, test.top); within != test.within || below != test.below {
			t.Errorf("%q in %q: %v, below it: %v", test.at, test.top, within, below)
		}
	}
}
