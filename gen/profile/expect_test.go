package profile

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestExpect: expectations are inherited, and one about the same thing takes the place of
// an inherited one.
func TestExpect(t *testing.T) {
	parents := Loader{Builtin: fstest.MapFS{"parent.toml": {Data: []byte(`
[[expect]]
path = "~/.ssh"
is = "unreadable"
[[expect]]
variable = "A"
is = "unset"
`)}}}
	p, err := Parse("box.toml", []byte(`extends = ["parent"]
[[expect]]
path = "~/.ssh"
is = "readable"
[[expect]]
run = ["git", "status"]
output = "main"
`), parents)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range p.Expect {
		all = append(all, e.String())
	}
	const want = `$A is unset; ~/.ssh is readable; git status ends with 0 and says "main"`
	if got := strings.Join(all, "; "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestExpectRefuses: what makes no sense is one sentence.
func TestExpectRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`expect = "x"`: "not a list of tables but a text",
		`expect = [{ path = "~/a", variable = "B", is = "set" }]`: "an expectation is about one thing",
		`expect = [{ is = "set" }]`:                               "an expectation is about one thing",
		`expect = [{ path = "~/a", is = "set" }]`:                 `not what a path can be: "set"`,
		`expect = [{ path = "~/a" }]`:                             `not what a path can be: ""`,
		`expect = [{ path = "a", is = "absent" }]`:                "not an absolute path",
		`expect = [{ variable = "A B", is = "set" }]`:             "A B",
		`expect = [{ host = "a.b", is = "reached" }]`:             `not a host with its port: "a.b"`,
		`expect = [{ run = [] }]`:                                 "no command",
		`expect = [{ run = ["true"], is = "set" }]`:               "does not fit run",
		`expect = [{ run = ["true"], status = 256 }]`:             "not an exit status",
		`expect = [{ path = "~/a", status = 1, is = "absent" }]`:  "does not fit path",
		`expect = [{ path = "~/a", iss = "absent" }]`:             `unknown key in an expectation: "iss"`,
	} {
		_, err := Parse("box.toml", []byte(text), Loader{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
