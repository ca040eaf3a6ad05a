package sandboxtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestListedPaths: at start-up, a symlink or a variable must not lead what a profile lists to credentials,
// to a system directory, or out of a directory that the command can write.
func TestListedPaths(t *testing.T) {
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
		{"out of it, by a directory", "write = [\"~/docs\"]\nread = [\"~/docs/more/file?\"]", `ln -s ../code/other "$H/docs/more"`, "", "docs/more", "/code/other"},
		{"out of it, to home", "write = [\"~/docs\"]\nread = [\"~/docs/later?\"]", `ln -s .. "$H/docs/later"`, "", "docs/later", "/home"},
		{"out of it, from elsewhere", "write = [\"~/docs\", { path = \"~/docs/later\", at = \"/later\", optional = true }]", `ln -s ../code/other "$H/docs/later"`, "", "docs/later", "/code/other"},
		{"out of the project", `read = [{ path = "~/code/p/later", at = "/later", optional = true }]`, `ln -s ../other "$P/later"`, "", "code/p/later", "/code/other"},
		{"out of the project, by its own name", `read = [{ path = "./later", at = "~/later", optional = true }]`, `ln -s ../other "$P/later"`, "", "code/p/later", "/code/other"},
		{"out of the project, to be written", `write = [{ path = "./later", at = "~/later", optional = true }]`, `ln -s ../../docs "$P/later"`, "", "code/p/later", "/docs"},
		{"a credential of the project's", `credential = [{ path = "./later/file", at = "~/key", optional = true, why = "a test" }]`, `ln -s ../other "$P/later"`, "", "code/p/later/file", "/code/other/file"},
		{"a credential behind a link", `credential = [{ path = "~/docs/gh/x", at = "~/key", why = "a test" }]`, `rm -r "$H/docs" && ln -s .config "$H/docs"`, "", "docs/gh/x", "/.config/gh/x"},
		{"a secret with a reason, elsewhere", `read = [{ path = "~/.aws", why = "deploys" }]`, `mv "$H/.aws" "$H/.cloud" && ln -s .cloud "$H/.aws"`, "", ".aws", "/.cloud"},
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
		{"a secret with a reason", `read = [{ path = "~/.aws", why = "deploys" }]`, ``, "", ".aws", ""},
		{"dotfiles", `read = ["~/note"]`, `mkdir "$H/.dotfiles" && mv "$H/note" "$H/.dotfiles/" && ln -s .dotfiles/note "$H/note"`, "", "note", ""},
		{"a link that was there", `read = ["~/linked"]`, ``, "", "linked", ""},
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

// TestListedHome: a listed directory is refused if it contains the home of the user who starts the
// launcher, which somebody else may have generated.
func TestListedHome(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, fmt.Sprintf("extends = [\"default\"]\n[filesystem]\nread = [%q]", w.Outside))
		home := filepath.Join(w.Outside, "homes/user")
		w.shell(t, `mkdir -p "$O/homes/user/.ssh" && echo key >"$O/homes/user/.ssh/id"`)
		w.Give(t, w.Outside)
		l.Run(t, "cat", home+"/.ssh/id").Expect(t, "another's", 0, "key\n")
		l.Environment = harness.With(l.Environment, "HOME="+home)
		l.Run(t, "cat", home+"/.ssh/id").Refused(t, "the caller's", "refusing "+w.Outside, "leads to "+w.Outside, "choose another place")
	})
}

// TestCachePaths: a variable can move a cache anywhere except to system directories and names in home that
// begin with a dot, unless tools keep their caches there. A symlink in the project must not lead it out.
func TestCachePaths(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/.elsewhere/go/x": "x\n"})
		w.Give(t, w.Home)
		w.variables = []string{"GOMODCACHE=" + w.Home + "/.elsewhere/go"}
		l := w.launch(t, `extends = ["default"]`)
		try := func(value, refused string) {
			t.Helper()
			start := l
			start.Environment = harness.With(l.Environment, "GOCACHE="+value)
			got := start.Run(t, "sh", "-c", `echo x >"$GOCACHE/made-x" && cat "$GOCACHE/made-x"`)
			if refused == "" {
				got.Expect(t, value, 0, "x\n")
				return
			}
			got.Refused(t, value, "refusing "+value+": a variable or a symbolic link leads to "+refused, "choose another place")
		}
		w.shell(t, `mkdir -p "$P/caches/in" "$H/.m2/x" "$H/.cache/elsewhere" "$H/caches" "$O/go" "$H/.elsewhere/too" "$H/.local/share/mise/go" "$H/snap/firefox" "$H/.local/share/keyrings"
			ln -s "$H/code/other" "$P/caches/out"; ln -s in "$P/caches/link"; ln -s "$O/go" "$H/caches/go"; ln -s ../.ssh "$H/caches/ssh"
			ln -s "$H/absent" "$P/caches/absent"`)
		w.Give(t, w.Top)
		h := w.Home
		for _, at := range []string{
			h + "/.ssh", h + "/.config", h + "/.config/gh", h + "/.local", h + "/.local/share", h + "/.local/share/keyrings", h + "/.cache", h + "/.m2/x",
			h + "/.absent", h + "/snap/firefox", h, "/etc", "/run", "/proc/sys", "/dev/shm",
		} {
			try(at, at)
		}
		try("/"+h+"/.ssh", h+"/.ssh")
		try(h+"/caches/ssh", h+"/.ssh")
		try(h+"/code/../.ssh", h+"/.ssh")
		try(w.Project+"/caches/out", h+"/code/other")
		try(w.Project+"/caches/out/absent", h+"/code/other/absent")
		try(w.Project+"/caches/absent", h+"/absent")
		for _, at := range []string{
			h + "/.cache/elsewhere", h + "/.cache/new", h + "/caches", h + "/caches/go", w.Outside + "/go", w.Outside + "/absent",
			h + "/.local/share/mise/go", h + "/.elsewhere/too", w.Project + "/caches", w.Project + "/caches/link",
		} {
			try(at, "")
		}
	})
}

// TestToolchainPaths: the same is true for toolchains, which are shown read-only, so that a directory of the
// operating system will do.
func TestToolchainPaths(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `mkdir -p "$P/tools" "$H/go/src" "$H/.absent" "$H/sdk/go" "$H/.goenv/versions/1"; ln -s "$H/docs" "$P/tools/out"; ln -s sdk/go "$H/link"
			for d in "$H/sdk/go" "$H/.goenv/versions/1" "$H/.ssh" "$H/docs"; do mkdir -p "$d"; echo here >"$d/VERSION"; done`)
		w.Give(t, w.Top)
		w.variables = []string{"GOROOT=" + w.Home + "/sdk/go"}
		l := w.launch(t, `extends = ["default"]`)
		for at, refused := range map[string]string{
			w.Home + "/sdk/go": "", w.Home + "/link": "", w.Home + "/.goenv/versions/1": "", "/usr/share": "", w.Home + "/docs": "",
			w.Home + "/.ssh": w.Home + "/.ssh", w.Home: w.Home, "/etc": "/etc",
		} {
			start := l
			start.Environment = harness.With(l.Environment, "GOROOT="+at)
			r := start.Run(t, "sh", "-c", `ls "$GOROOT"`)
			if refused != "" {
				r.Refused(t, at, "refusing "+at+": a variable or a symbolic link leads to "+refused)
			} else if r.Succeeds(t, at); at != "/usr/share" && r.Stdout != "VERSION\n" {
				t.Errorf("%s: %q", at, r.Stdout)
			}
		}
	})
}

// TestSettingPaths: settings behind a symbolic link are shown, unless it leads to a closed directory. Then
// the launcher says so and starts without them.
func TestSettingPaths(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		const text = "registry=https://npm.example.org/\n"
		w.Write(t, map[string]string{"home/.npmrc": text, "home/code/p/package-lock.json": "", "home/.private/npmrc": text, "home/.dotfiles/npmrc": text})
		w.Give(t, w.Home)
		l := w.launch(t, `extends = ["default"]`)
		for lead, want := range map[string]string{".private/npmrc": "", ".dotfiles/npmrc": text} {
			w.shell(t, `ln -sf "`+lead+`" "$H/.npmrc"`)
			w.Give(t, w.Home)
			r := l.Run(t, "sh", "-c", `cat "$HOME/.npmrc" 2>/dev/null; true`).Ends(t, 0).Prints(t, want)
			if said := "leads to " + w.Home + "/" + lead + ", and is not shown"; (want == "") != strings.Contains(r.Stderr, said) {
				t.Errorf("%s: %q", lead, r.Stderr)
			}
		}
	})
}
