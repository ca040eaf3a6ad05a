package catalogue

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/expr"
)

func TestPlaces(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"~/.x", []string{"~/.x"}},
		{"$A/x", []string{"$A/x"}},
		{"${A:-~/.a}", []string{"$A", "~/.a"}},
		{"${A:-${B:-~/c}/d}/e", []string{"$A/e", "$B/d/e", "~/c/d/e"}},
		{"${A:-/}/e", []string{"$A/e", "/e"}},
		{"$XDG_RUNTIME_DIR/bus", []string{"$XDG_RUNTIME_DIR/bus", "/run/user/*/bus"}},
	}
	for _, test := range tests {
		var got []string
		for _, p := range Places(expr.MustParse(test.in)) {
			got = append(got, p.String())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("Places(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestSecrets(t *testing.T) {
	c := load(t, map[string]string{
		"b.toml": "about = \"B.\"\nsecrets = [\"${B:-~/.b}/token\"]\nstate = [\"~/.agent\"]",
		"a.toml": "about = \"A.\"\nsecrets = [\"~/.b/token\"]\npersistence = [\"~/.rc\"]\nconfig = [\"~/.conf\"]\nsockets = [\"/run/a\"]",
	})
	var got []string
	for _, list := range [][]Secret{c.Secrets(), c.Sockets(), c.Configs()} {
		for _, s := range list {
			got = append(got, s.Path.String()+" "+s.Kind.String()+" "+s.Tool)
		}
	}
	want := []string{
		"$B/token credential b",
		"~/.agent agent's state b",
		"~/.b/token credential a",
		"~/.rc persistence file a",
		"/run/a control socket a",
		"~/.conf settings file a",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A variable may hold anything; what is no place of the tool's own is no secret
// and is not shown.
// TestSecretsOfAll: a catalogue that New has not made hides the same, and so does
// Hidden as both lists together.
func TestSecretsOfAll(t *testing.T) {
	c := builtin(t)
	texts := func(all []Secret) []string {
		var list []string
		for _, s := range all {
			list = append(list, s.Path.String()+" "+s.Kind.String())
		}
		slices.Sort(list)
		return list
	}
	want := texts(slices.Concat(c.Secrets(), c.Sockets()))
	if len(want) < 100 {
		t.Fatalf("only %q", want)
	}
	for what, got := range map[string][]Secret{"with New": c.Hidden(), "without New": Catalogue{Tools: c.Tools}.Hidden()} {
		if !slices.Equal(texts(got), want) {
			t.Errorf("%s: got %q, want %q", what, texts(got), want)
		}
	}
	env := expr.Env{Home: "/home/u"}
	if hits := (Catalogue{Tools: c.Tools}).Sensitive(env, unlinked).Conflicts("/home/u/.ssh"); len(hits) == 0 {
		t.Error("without New nothing is sensitive")
	}
}

func TestEvalOwn(t *testing.T) {
	tests := []struct {
		path, value, want string
	}{
		{"${A:-~/.a}", "", "/home/u/.a"},
		{"${A:-~/.a}", "x/y", "/home/u/.a"},
		{"${A:-~/.a}", "/data", "/data"},
		{"${A:-~/.a}", "/", "/home/u/.a"},
		{"${A:-~/.a}", "/home/u", ""},
		{"${A:-~/.a}", "/home", ""},
		{"${A:-~/.a}", "/home/u/", ""},
		{"${A:-~/.a}", "/dev/null", ""},
		{"${A:-~/.a}", "/proc/self", ""},
		{"${A:-~/.a}", "/home/user2", "/home/user2"},
		{"${A:-~/.a}/b", "/home/u", "/home/u/b"},
		{"$A", "", ""},
		{"/dev/tpm0", "", "/dev/tpm0"},
	}
	for _, test := range tests {
		env := expr.Env{Home: "/home/u", Lookup: map[string]string{"A": test.value}}
		got, ok := Entry{Path: expr.MustParse(test.path)}.Eval(env)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s with A=%q: %q, %v, want %q", test.path, test.value, got, ok, test.want)
		}
	}
}

func TestSecretEval(t *testing.T) {
	env := expr.Env{Home: "/home/u", Lookup: map[string]string{"ZSH": "/usr/share/oh-my-zsh", "ROOT": "/usrlocal/x"}}
	tests := []struct {
		path string
		ok   bool
	}{
		{"$ZSH", false},
		{"$ROOT", true},
		{"/usr/share/secret", true}, // by name
	}
	for _, test := range tests {
		if _, ok := (Secret{Path: expr.MustParse(test.path)}).Eval(env); ok != test.ok {
			t.Errorf("%s: %v, want %v", test.path, ok, test.ok)
		}
	}
}

func TestBelow(t *testing.T) {
	e := Entry{Path: expr.MustParse("${A:-~/.a}/b"), Mask: []string{"c/d"}, Empty: []string{"e"}}
	for _, test := range []struct {
		got  []expr.Path
		want string
	}{{e.Masked(), "${A:-~/.a}/b/c/d"}, {e.Emptied(), "${A:-~/.a}/b/e"}} {
		if len(test.got) != 1 || test.got[0].String() != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}
