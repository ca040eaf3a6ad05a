package sandboxtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/catalogue"
)

// TestRecheck: what a profile lists is judged once more at launch, where a link or a
// variable may have led it to a secret.
func TestRecheck(t *testing.T) {
	t.Parallel()
	const see = `if [[ -d $1 ]]; then ls -A "$1"; else cat "$1"; fi`
	tests := []struct {
		name, text string // what the profile lists, which is there when the launcher is written
		lead       string // on the host, then
		variable   string
		path       string // below home
		refused    string // what it leads to; empty: nothing bad
	}{
		{"a link to a secret", `read = ["~/notes"]`, `rm -r "$H/notes" && ln -s .ssh "$H/notes"`, "", "notes", "/.ssh"},
		{"above secrets", `read = ["~/notes"]`, `rm -r "$H/notes" && ln -s .config "$H/notes"`, "", "notes", "/.config"},
		{"a link on the way", `read = ["~/docs/gh"]`, `rm -r "$H/docs" && ln -s .config "$H/docs"`, "", "docs/gh", "/.config/gh"},
		{"below a secret", `read = ["~/notes"]`, `mkdir "$H/.aws/cli" && rm -r "$H/notes" && ln -s .aws/cli "$H/notes"`, "", "notes", "/.aws/cli"},
		{"a file", `read = ["~/note"]`, `ln -sf .netrc "$H/note"`, "", "note", "/.netrc"},
		{"the system's", `read = ["~/notes"]`, `rm -r "$H/notes" && ln -s /run "$H/notes"`, "", "notes", "/run"},
		{"to be written", `write = ["~/notes"]`, `rm -r "$H/notes" && ln -s .ssh "$H/notes"`, "", "notes", "/.ssh"},
		{"in the project", `read = [{ path = "~/notes", at = "./in" }]`, `rm -r "$H/notes" && ln -s .ssh "$H/notes"`, "", "notes", "/.ssh"},
		{"in the project, to be written", `write = [{ path = "~/notes", at = "./in" }]`, `rm -r "$H/notes" && ln -s .ssh "$H/notes"`, "", "notes", "/.ssh"},
		{"in the project, by a variable", `read = [{ path = "${DEMO_HOME:-~/notes}/gh", at = "./in" }]`, ``, "DEMO_HOME=$H/.config", ".config/gh", "/.config/gh"},
		{"a view", `overlay = ["~/notes"]`, `rm -r "$H/notes" && ln -s .ssh "$H/notes"`, "", "notes", "/.ssh"},
		{"below what is writable", "write = [\"~/docs\"]\nread = [\"~/docs/later?\"]", `ln -s ../.ssh "$H/docs/later"`, "", "docs/later", "/.ssh"},
		{"out of what is writable", "write = [\"~/docs\"]\nread = [\"~/docs/later?\"]", `ln -s ../code/other "$H/docs/later"`, "", "docs/later", "/code/other"},
		{"out of it, by a directory", "write = [\"~/docs\"]\nread = [\"~/docs/more/file?\"]", `ln -s ../code/other "$H/docs/more"`, "", "docs/more/file", "/code/other/file"},
		{"out of it, to home", "write = [\"~/docs\"]\nread = [\"~/docs/later?\"]", `ln -s .. "$H/docs/later"`, "", "docs/later", "/home"},
		{"out of it, from elsewhere", "write = [\"~/docs\", { path = \"~/docs/later\", at = \"/later\", optional = true }]", `ln -s ../code/other "$H/docs/later"`, "", "docs/later", "/code/other"},
		{"out of the project", `read = [{ path = "~/code/p/later", at = "/later", optional = true }]`, `ln -s ../other "$P/later"`, "", "code/p/later", "/code/other"},
		{"out of the project, by its own name", `read = [{ path = "./later", at = "~/later", optional = true }]`, `ln -s ../other "$P/later"`, "", "code/p/later", "/code/other"},
		{"out of the project, to be written", `write = [{ path = "./later", at = "~/later", optional = true }]`, `ln -s ../../docs "$P/later"`, "", "code/p/later", "/docs"},
		{"a credential of the project's", `credential = [{ path = "./later/file", at = "~/key", optional = true, why = "a test" }]`, `ln -s ../other "$P/later"`, "", "code/p/later/file", "/code/other/file"},
		{"a credential behind a link", `credential = [{ path = "~/docs/gh/x", at = "~/key", why = "a test" }]`, `rm -r "$H/docs" && ln -s .config "$H/docs"`, "", "docs/gh/x", "/.config/gh/x"},
		{"a variable", `read = ["${DEMO_HOME:-~/notes}/gh"]`, ``, "DEMO_HOME=$H/.config", ".config/gh", "/.config/gh"},
		{"a variable and a link", `read = ["${DEMO_HOME:-~/notes}/gh?"]`, `mkdir "$H/more" && ln -s ../.config/gh "$H/more/gh"`, "DEMO_HOME=$H/more", "more/gh", "/.config/gh"},

		{"a link to what is no secret", `read = ["~/notes"]`, `rm -r "$H/notes" && ln -s code/other "$H/notes"`, "", "notes", ""},
		{"a credential behind a link to what is no secret", `credential = [{ path = "~/notes/file", at = "~/notes/file", why = "a test" }]`, `rm -r "$H/notes" && ln -s code/other "$H/notes" && chmod 600 "$H/notes/file"`, "", "notes/file", ""},
		{"within the project, by its own name", `read = [{ path = "./later", at = "~/later", optional = true }]`, `ln -s ../p "$P/later"`, "", "later", ""},
		{"in the project, as it was", `read = [{ path = "~/notes", at = "./in" }]`, `mkdir "$P/in"`, "", "code/p/in/gh/x", ""},
		{"outside home", `read = ["~/notes"]`, `rm -r "$H/notes" && ln -s "$O/directory" "$H/notes"`, "", "notes", ""},
		{"within what is writable", "write = [\"~/docs\"]\nread = [\"~/docs/later?\"]", `ln -s gh "$H/docs/later"`, "", "docs/later", ""},
		{"out of what is writable, as it was", "write = [\"~/demo\"]\nread = [\"~/demo/out\"]", ``, "", "demo/out", ""},
		{"as it was", `read = ["~/notes", "~/note", "~/.demo"]`, ``, "", ".demo", ""},
		{"a variable elsewhere", `read = ["${DEMO_HOME:-~/notes}/file?"]`, `echo x >"$H/notes/file"`, "DEMO_HOME=$H/code/other", "code/other/file", ""},
		{"the usual place, named", `read = ["${DEMO_HOME:-~/.demo}/file"]`, ``, "DEMO_HOME=$H/.demo", ".demo/file", ""},
		{"a link that was judged", `read = ["~/linked"]`, ``, "", "linked", ""},
		{"a secret with a reason", `read = [{ path = "~/.aws", why = "deploys" }]`, `mv "$H/.aws" "$H/.cloud" && ln -s .cloud "$H/.aws"`, "", ".aws", ""},
	}
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, s)
				w.Write(t, map[string]string{"home/notes/gh/x": "x\n", "home/docs/gh/x": "x\n", "home/note": "x\n", "home/demo/x": "x\n", "home/.demo/file": "x\n"})
				w.shell(t, `ln -s .demo "$H/linked"; ln -s ../code/other/file "$H/demo/out"`)
				w.Give(t, w.Home)
				l := w.launch(t, "extends = [\"default\"]\n[environment]\npass = [\"DEMO_HOME\"]\n[filesystem]\n"+test.text)
				w.shell(t, test.lead)
				w.Give(t, w.Home)
				if test.variable != "" {
					l.Environment = harness.With(l.Environment, strings.ReplaceAll(test.variable, "$H", w.Home))
				}
				got := l.Run(t, "bash", "-c", see, "bash", filepath.Join(w.Home, test.path))
				if test.refused == "" {
					got.Succeeds(t, test.name)
					return
				}
				got.Refused(t, test.name, "refusing "+filepath.Join(w.Home, test.path), test.refused)
			})
		}
	})
}

// TestRecheckHome: a directory that is listed is refused where it holds the home of who
// starts the launcher, which may have been made by somebody else.
func TestRecheckHome(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, fmt.Sprintf("extends = [\"default\"]\n[filesystem]\nread = [%q]", w.Outside))
		home := filepath.Join(w.Outside, "homes/user")
		w.shell(t, `mkdir -p "$O/homes/user/.ssh" && echo key >"$O/homes/user/.ssh/id"`)
		w.Give(t, w.Outside)
		l.Run(t, "cat", home+"/.ssh/id").Expect(t, "another's", 0, "key\n")
		l.Environment = harness.With(l.Environment, "HOME="+home)
		l.Run(t, "cat", home+"/.ssh/id").Refused(t, "the caller's", "refusing "+w.Outside, "it holds the home directory")
	})
}

// TestMovers: a variable that moves a cache may lead where tools keep theirs, and
// to no place where secrets may lie.
func TestMovers(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/.elsewhere/go/x": "x\n"})
		w.Give(t, w.Home)
		w.variables = []string{"GOMODCACHE=" + w.Home + "/.elsewhere/go"}
		l := w.launch(t, `extends = ["default"]`)
		try := func(value, refused string) {
			t.Helper()
			w.shell(t, `mkdir -p "`+value+`"`)
			w.Give(t, w.Top)
			start := l
			start.Environment = harness.With(l.Environment, "GOCACHE="+value)
			got := start.Run(t, "sh", "-c", `echo x >"$GOCACHE/made-x" && cat "$GOCACHE/made-x"`)
			if refused == "" {
				got.Expect(t, value, 0, "x\n")
				return
			}
			got.Refused(t, value, refused)
		}
		for _, secret := range catalogue.BuiltIn().Secrets() {
			at := secret.Path.String()
			if name, ok := strings.CutPrefix(at, "~/."); ok && !strings.Contains(at, "*") && !harness.Exists(filepath.Join(w.Home, "."+name)) && secret.Kind.String() == "credential" && len(name)%7 == 0 {
				try(w.Home+"/."+name, "refusing GOCACHE: it leads to "+w.Home+"/."+name)
			}
		}
		for _, name := range []string{".ssh", ".config", ".config/gh", ".config/op", ".config/gcloud", ".local", ".local/share", ".local/share/keyrings", ".cache", ".cache/mozilla", ".Private", "snap/firefox"} {
			try(w.Home+"/"+name, "refusing GOCACHE: it leads to "+w.Home+"/"+name)
		}
		for _, at := range []string{w.Home + "/.cache/elsewhere", w.Home + "/caches/go", w.Outside + "/go", w.Home + "/.local/share/mise/go", w.Home + "/.elsewhere/too"} {
			try(at, "")
		}
		absent := l
		absent.Environment = harness.With(l.Environment, "GOCACHE="+w.Outside+"/absent")
		absent.Run(t, "sh", "-c", `echo x >"$GOCACHE/made-x" && cat "$GOCACHE/made-x"`).Expect(t, "what is not there", 0, "x\n")
		w.shell(t, `mkdir -p "$P/caches" && ln -s "$H/code/other" "$P/caches/go"`)
		try(w.Project+"/caches", "")
		try(w.Project+"/caches/go", "it leads to "+w.Home+"/code/other")
	})
}
