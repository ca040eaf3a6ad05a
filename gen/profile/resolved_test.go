package profile

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// everything uses keys of every kind, beside each other.
const everything = `
about   = "Build \"it\"."
command = ["go", "te st", "\n"]
[project]
root    = "${PROJECTS:-~/src}/it"
access  = "overlay"
protect = [".git/hooks", ".vscode/", "~back", { path = "a?", why = "so" }]
hide    = [".env", { path = "*" }, { path = "$A" }]
at      = "/workspace"
report  = true
[filesystem]
base    = "select"
read    = ["/usr", "~/.gitconfig?", "~/new!", { path = "/etc/x y", at = "~/z", optional = true, why = "w" }, "${A:-~/b}/c"]
write   = ["~/w", { path = "~/what?" }]
overlay = ["~/o"]
empty   = ["~/e/"]
hide    = ["~/.ssh"]
credential = [{ path = "~/.netrc", at = "/workspace/.netrc", why = "to push" }]
link    = { "/bin" = "usr/bin", "/a b" = "c\td" }
[toolchains]
use   = ["go", "node"]
skip  = ["npm"]
mode  = "overlay"
files = ["t.toml"]
[caches]
mode  = "keep"
[caches.go]
mode = "none"
[home]
mode = "keep"
at   = "/home/sandbox"
[tmp]
mode = "session"
[environment]
pass    = ["LANG", "LC_*"]
require = ["TOKEN"]
set     = { CI = "1", GOPATH = { path = "~/go" }, PLAIN = "~/x\u0007\u202E" }
[network]
mode  = "allow"
allow = ["github.com", "*.a.b:443", "10.0.0.1:80", "10.0.0.1"]
publish = [3000, "[::1]:80-82:8080"]
reach = ["localhost:5432"]
proxy = "http://127.0.0.1:3128"
[sockets]
pass = ["ssh-agent", "dbus"]
talk = ["org.freedesktop.Notifications"]
own  = ["org.mpris.MediaPlayer2.*"]
[terminal]
mode = "new-session"
[kernel]
nested-userns = true
foreign-arch = true
seccomp = "strict"
[limits]
timeout = "2m"
kill-after = 3
max-timeout = "1h"
output = "30KiB"
memory = "2GiB"
processes = 100
open-files = 200
cpu-time = "61s"
[confirm]
mode = "always"
allow-yes = true
[[expect]]
path = "~/.ssh"
is   = "unreadable"
why  = "keys"
[[expect]]
variable = "CI"
output   = "1"
[[expect]]
host = "example.org:443"
is   = "reached"
[[expect]]
run    = ["git", "a b"]
status = 1
output = "git"
when   = "git"
`

func TestEverything(t *testing.T) {
	p, problems := load("web.toml", everything, Loader{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, s := range p.settings() {
		if s.written && s.origin.Line == 0 {
			t.Errorf("%s has no line", s.field.key)
		}
	}
	resolvesTo(t, p)
}

// plain is a profile without what printing and parsing it again changes.
func plain(p Profile) string {
	var b strings.Builder
	p.Sources = nil
	for _, s := range p.settings() {
		fmt.Fprintf(&b, "%s = %s %v\n", s.field.key, s.text, s.written)
		for _, e := range s.elements {
			fmt.Fprintf(&b, "  %s\n", e.text)
		}
	}
	return b.String()
}

func resolvesTo(t *testing.T, p Profile) {
	t.Helper()
	text, err := p.Resolved()
	if err != nil {
		t.Fatal(err)
	}
	again, problems := load(p.Name+".toml", string(text), Loader{})
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, text)
	}
	if got, want := plain(again), plain(p); got != want {
		t.Errorf("got:\n%s\nwant:\n%s\nof:\n%s", got, want, text)
	}
	if got, want := stripped(again), stripped(p); !reflect.DeepEqual(got, want) {
		t.Errorf("got:\n%+v\nwant:\n%+v", got, want)
	}
}

// stripped takes the origins out of a profile, and sorts its rules as it is printed.
func stripped(p Profile) Profile {
	p.Origins, p.Sources = nil, nil
	p.Rules = append(Rules(nil), p.Rules...)
	for i := range p.Rules {
		p.Rules[i].Origin = Origin{}
	}
	slices.SortStableFunc(p.Rules, func(a, b Rule) int { return slices.Index(Keys(), a.Key) - slices.Index(Keys(), b.Key) })
	for _, to := range []*[]Item{
		&p.Toolchains.Use.Names, &p.Toolchains.Skip, &p.Toolchains.Files, &p.Environment.Pass, &p.Environment.Require,
		&p.Network.Allow, &p.Network.Publish, &p.Network.Reach, &p.Sockets.Pass, &p.Sockets.Talk, &p.Sockets.Own,
	} {
		*to = anonymous(*to)
	}
	p.Environment.Set, p.Expect = slices.Clone(p.Environment.Set), slices.Clone(p.Expect)
	for i := range p.Environment.Set {
		p.Environment.Set[i].Origin = Origin{}
	}
	for i := range p.Expect {
		p.Expect[i].Origin = Origin{}
	}
	return p
}

func anonymous(items []Item) []Item {
	var all []Item
	for _, i := range items {
		all = append(all, Item{Text: i.Text})
	}
	return all
}

func TestResolved(t *testing.T) {
	l := archive(`
-- dir/base.toml --
about = "base"
filesystem.read = ["/usr", "~/a"]
environment.set = { A = "1" }
-- web.toml --
extends = ["./dir/base.toml"]
[network]
mode = "none"
[filesystem]
read = [{ path = "~/a", why = "needed" }]
[caches.go]
mode = "none"
`)
	p, err := l.Load("web.toml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Resolved()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# web, from dir/base.toml -> web.toml\n",
		"about = \"base\" # dir/base.toml:1\n",
		"# command = [] # default\n",
		"\n[filesystem]\n# base = \"select\" # default\n",
		"read = [\n  \"/usr\", # dir/base.toml:2\n  { path = \"~/a\", why = \"needed\" }, # web.toml:5\n]\n",
		"set.A = \"1\" # dir/base.toml:3\n",
		"mode = \"none\" # web.toml:3\n",
		"\n[caches.go]\nmode = \"none\" # web.toml:7\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	resolvesTo(t, p)
}

func hostile() []string {
	return []string{
		"", " ", "a b", "a\nb", "\r", "\t", "\x00", `"`, "'", `\`, "$(id)", "`id`", "${HOME}", "$HOME", "!", "*", "~",
		"{a,b}", "-x", "=x", "#x", "a # b", "\u202e", "\u2028", "\ufffd", "\U0001f600", "a]b", "[a", strings.Repeat("a/", 2500) + "x",
	}
}

// TestHostile puts hostile texts everywhere: what is accepted survives being
// printed, and what is refused is refused in one printable line.
func TestHostile(t *testing.T) {
	forms := []string{
		"about = %s", "command = [%s, %[1]s]", "filesystem.read = [%s]", "project.hide = [%s]",
		"filesystem.read = [{ path = %s, at = \"/at\" }]", "filesystem.hide = [{ path = \"/a\", why = %s }]",
		"filesystem.link = { %s = %[1]s }", "filesystem.link = { \"/a\" = %s }", "environment.set = { A = %s }",
		"environment.set = { A = { path = %s } }", "environment.set.%s = \"x\"", "environment.pass = [%s]",
		"toolchains.use = [%s]", "toolchains.files = [%s]", "caches.%s.mode = \"none\"", "project.root = %s",
		"%s = 1", "[%s]\na = 1", "network.%s = 1", "extends = [%s]", "drop.%s.x = []", "drop.filesystem.read = [%s]",
		"network.mode = %s", "limits.timeout = %s", "network.allow = [%s]", "project.at = %s",
	}
	for _, form := range forms {
		for _, text := range hostile() {
			for _, prefix := range []string{"", "/", "~/", "./"} {
				source := fmt.Sprintf(form, source.Quote(prefix+text))
				p, problems := load("web.toml", source, Loader{Builtin: builtins{}, ReadFile: absent})
				for _, wrong := range problems {
					if line := wrong.Error(); !problem.Printable(line) {
						t.Errorf("%s: not printable: %q", source, line)
					}
				}
				if len(problems) == 0 {
					resolvesTo(t, p)
				}
			}
		}
	}
}

func absent(string) ([]byte, error) { return nil, fs.ErrNotExist }

// FuzzParse: no text makes the parser panic, every refusal names its place,
// and what is accepted is the same after being printed.
func FuzzParse(f *testing.F) {
	f.Add(everything)
	f.Add("filesystem.read = [{ path = '${A:-/a{}b}/c' }, \"${A:-${B:-~/c}/d}?\"]")
	f.Add("[[filesystem.credential]]\npath = '~/a'\nwhy = 'b'\n[drop]\nfilesystem.read = ['/x']")
	f.Add("extends = ['web.toml']\n[caches.'a.b']\nmode = 'read'")
	f.Fuzz(func(t *testing.T, source string) {
		read := func(string) ([]byte, error) { return []byte(source), nil }
		p, problems := load("web.toml", source, Loader{ReadFile: read})
		for _, wrong := range problems {
			if wrong.What == "" || wrong.File == "" || !problem.Printable(wrong.Error()) {
				t.Errorf("%#v", wrong)
			}
		}
		if len(problems) == 0 {
			resolvesTo(t, p)
		}
	})
}
