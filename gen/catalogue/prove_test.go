package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// prove lists the conflicts of a catalogue with itself.
func prove(c Catalogue) []string {
	err := c.Proven(c.Tools...)
	if err == nil {
		return nil
	}
	return strings.Split(sentences(err), "\n")
}

// TestProve is the promise of the whole catalogue.
func TestProve(t *testing.T) {
	for _, found := range prove(builtin(t)) {
		t.Error(found)
	}
}

// TestProveFinds shows that the proof would fail: each catalogue has one hole.
func TestProveFinds(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"is", `caches = ["~/.x"]
secrets = ["~/.x"]`, `"~/.x" meets the credential "~/.x"`},
		{"contains", `toolchain = ["~/.x"]
secrets = ["~/.x/a/token"]`, `"~/.x" meets the credential "~/.x/a/token"`},
		{"lies below", `read = ["~/.x/a"]
persistence = ["~/.x"]`, `"~/.x/a" meets the persistence file "~/.x"`},
		{"a pattern", `caches = ["~/.x/abc"]
secrets = ["~/.x/a*"]`, `meets the credential "~/.x/a*"`},
		{"below a pattern", `caches = ["~/.x"]
sockets = ["~/.x/*/s"]`, `meets the control socket "~/.x/*/s"`},
		{"an agent's state", `caches = ["~/.x/cache"]
state = ["~/.x"]`, `meets the agent's state "~/.x"`},
		{"a settings file", `caches = ["~/.x"]
config = ["~/.x/conf"]`, `meets the settings file "~/.x/conf"`},
		{"moved together", `caches = ["${A:-~/.a}"]
secrets = ["${A:-~/.b}/token"]`, `meets the credential "$A/token" of x with A=/home/user/x`},
		{"moved over another", `caches = ["${A:-~/.a}/y"]
secrets = ["~/x/y"]`, `meets the credential "~/x/y" of x with A=/home/user/x`},
		{"a variable's own default", `caches = ["${A:-~/.a}"]
secrets = ["${B:-~/.a}/token"]`, `meets the credential "~/.a/token"`},
		{"another name masked", `caches = [{ path = "~/.x", mask = ["tok"] }]
secrets = ["~/.x/token"]`, `meets the credential "~/.x/token"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := prove(load(t, map[string]string{"x.toml": "about = \"X.\"\n" + test.text}))
			if len(got) == 0 || !strings.Contains(got[0], test.want) {
				t.Errorf("got %v, want %s", got, test.want)
			}
		})
	}
}

func TestProveAccepts(t *testing.T) {
	tests := []struct{ name, text string }{
		{"a sibling", `caches = ["~/.x/cache"]
secrets = ["~/.x/token"]`},
		{"a longer name", `caches = ["~/.x/token2"]
secrets = ["~/.x/token"]`},
		{"masked", `caches = [{ path = "${A:-~/.x}", mask = ["token"] }]
secrets = ["${A:-~/.x}/token"]`},
		{"masked above", `caches = [{ path = "~/.x", mask = ["keys"] }]
secrets = ["~/.x/keys/a"]`},
		{"emptied", `caches = [{ path = "~/.x", empty = ["logs"] }]
persistence = ["~/.x/logs/repl"]`},
		{"written by the launcher", `read = [{ path = "/etc/x", as = "synthetic" }]
secrets = ["/etc/x"]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, found := range prove(load(t, map[string]string{"x.toml": "about = \"X.\"\n" + test.text})) {
				t.Error(found)
			}
		})
	}
}

// TestProven: further tools must not show what is secret, nor name a secret that
// is shown.
func TestProven(t *testing.T) {
	known := map[string]string{"known.toml": "about = \"K.\"\nsecrets = [\"~/.k/token\"]\ntoolchain = [\"~/.k/bin\"]\n"}
	for text, want := range map[string]string{
		"caches = [\"~/.x/cache\"]\nsecrets = [\"~/.x/token\"]":         "",
		"caches = [\"~/.x\"]\nsecrets = [\"~/.x/token\"]":               `x.toml:2: caches: x: caches: "~/.x" meets the credential "~/.x/token" of x`,
		"markers = [\"x\"]\ntoolchain = [\n  \"~/.a\",\n  \"~/.k\",\n]": `x.toml:5: toolchain: x: toolchain: "~/.k" meets the credential "~/.k/token" of known`,
		"secrets = [\"~/.k/bin/key\"]":                                  `x.toml:2: secrets: known: toolchain: "~/.k/bin" meets the credential "~/.k/bin/key" of x`,
		"caches = [\"${X_HOME:-~/.x}/c\"]\nsecrets = [\"$X_HOME/c/y\"]": `x.toml:2: caches: x: caches: "${X_HOME:-~/.x}/c" meets the credential "$X_HOME/c/y" of x with X_HOME=/home/user/x`,
	} {
		tool, err := Check("x.toml", []byte("about = \"X.\"\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		c, err := load(t, known).Add(tool)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := c.Proven(tool); err != nil {
			got = sentences(err)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestProvenMany: of an entry that meets many secrets a few are named.
func TestProvenMany(t *testing.T) {
	text := "about = \"X.\"\ncaches = [\"~/.x\"]\nsecrets = ["
	for i := range 20 {
		text += fmt.Sprintf("\"~/.x/%02d\", ", i)
	}
	tool, err := Check("x.toml", []byte(text+"]"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := load(t, nil).Add(tool)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(sentences(c.Proven(tool)), "\n")
	if want := `x.toml:2: caches: x: caches: "~/.x" meets the credential "~/.x/07" of x, and 12 more`; len(got) != 8 || got[7] != want {
		t.Errorf("%d lines, the last %q, want %q", len(got), got[len(got)-1], want)
	}
}

// sentences are the lines of an error, without the hints.
func sentences(err error) string {
	lines := strings.Split(err.Error(), "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "hint: ") }), "\n")
}
