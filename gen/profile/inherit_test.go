package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"bwrapgen/gen/problem"
)

// archive makes a Loader of the files in a txtar text; those in builtin/ are
// the built-in profiles.
func archive(text string) Loader {
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		files[f.Name] = f.Data
	}
	read := func(name string) ([]byte, error) {
		if data, ok := files[name]; ok {
			return data, nil
		}
		return nil, fs.ErrNotExist
	}
	return Loader{Builtin: builtins(files), ReadFile: read}
}

// builtins is a file system of the entries below builtin/.
type builtins map[string][]byte

func (b builtins) Open(name string) (fs.File, error) { return nil, fs.ErrNotExist }

func (b builtins) ReadFile(name string) ([]byte, error) {
	if data, ok := b["builtin/"+name]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

func TestInherit(t *testing.T) {
	tests := []struct{ name, files, want string }{
		{"later scalar wins", `
-- w.toml --
extends = ["a", "b"]
[tmp]
mode = "keep"
-- builtin/a.toml --
command = ["x", "y"]
network.mode = "none"
terminal.mode = "new-session"
-- builtin/b.toml --
command = ["z"]
network.mode = "private"
`, `
command = ["z"] b:1
tmp.mode = "keep" w.toml:3
network.mode = "private" b:2
terminal.mode = "new-session" a:3
`},
		{"lists append and dedupe", `
-- w.toml --
extends = ["a", "b"]
environment.pass = ["D", "A"]
filesystem.read = ["~/d", "~/a"]
-- builtin/a.toml --
environment.pass = ["B", "A"]
filesystem.read = ["~/b", "~/a"]
-- builtin/b.toml --
environment.pass = ["C", "B"]
filesystem.read = ["~/c", "~/b"]
`, `
filesystem.read "~/b" b:2
filesystem.read "~/a" w.toml:3
filesystem.read "~/c" b:2
filesystem.read "~/d" w.toml:3
environment.pass "B" a:1
environment.pass "A" a:1
environment.pass "C" b:1
environment.pass "D" w.toml:2
`},
		{"a built-in that comes later takes nothing over", `
-- w.toml --
extends = ["./own.toml", "a"]
-- own.toml --
project.protect = ["x", "y"]
-- builtin/a.toml --
project.protect = ["x", "z"]
project.hide = ["y"]
`, `
project.protect "x" own.toml:1
project.protect "z" a:1
project.hide "y" a:2
`},
		{"child overrides parent", `
-- w.toml --
extends = ["a"]
project.hide = ["x"]
filesystem.write = ["~/a"]
filesystem.read = ["~/b?", "/bin"]
-- builtin/a.toml --
project.protect = ["x", "y"]
filesystem.read = ["~/a", "~/b"]
filesystem.link = { "/bin" = "usr/bin", "/lib" = "usr/lib" }
`, `
project.protect "y" a:1
project.hide "x" w.toml:2
filesystem.read "~/b?" w.toml:4
filesystem.read "/bin" w.toml:4
filesystem.write "~/a" w.toml:3
filesystem.link "/lib" = "usr/lib" a:3
`},
		{"variables by name", `
-- w.toml --
extends = ["a"]
environment.set = { B = "2", C = { path = "~/c" } }
-- builtin/a.toml --
environment.set = { B = "1", A = "~/a" }
`, `
environment.set B = "2" w.toml:2
environment.set A = "~/a" a:1
environment.set C = { path = "~/c" } w.toml:2
`},
		{"question taken back, its answer left", `
-- w.toml --
extends = ["a"]
confirm.mode = "never"
-- builtin/a.toml --
confirm.mode = "always"
confirm.allow-yes = true
`, `
confirm.mode = "never" w.toml:2
confirm.allow-yes = true a:2
`},
		{"command is one value", `
-- w.toml --
extends = ["a"]
command = []
-- builtin/a.toml --
command = ["x"]
`, `
command = [] w.toml:2
`},
		{"drop", `
-- w.toml --
extends = ["a"]
[drop]
filesystem.read = ["~/a", "~/c"]
filesystem.link = ["/bin/"]
environment.set = ["A"]
environment.pass = ["LC_*"]
project.protect = [".git/hooks"]
toolchains.use = ["go"]
[filesystem]
read = ["~/c!"]
-- builtin/a.toml --
project.protect = [".git/hooks", ".git/config"]
filesystem.read = ["~/a?", "~/b", "~/c"]
filesystem.link = { "/bin" = "usr/bin" }
environment.set = { A = "1" }
environment.pass = ["LC_*", "LANG"]
toolchains.use = ["go", "node"]
`, `
project.protect ".git/config" a:1
filesystem.read "~/b" a:2
filesystem.read "~/c!" w.toml:10
toolchains.use "node" a:6
environment.pass "LANG" a:5
`},
		{"a parent of two counts once", `
-- w.toml --
extends = ["a", "b"]
-- builtin/a.toml --
extends = ["base"]
network.mode = "none"
drop.filesystem.read = ["~/x"]
-- builtin/b.toml --
extends = ["base"]
drop.filesystem.read = ["~/x"]
-- builtin/base.toml --
network.mode = "host"
filesystem.read = ["~/x", "~/y"]
`, `
filesystem.read "~/y" base:2
network.mode = "none" a:2
`},
		{"files are relative to those that name them", `
-- w.toml --
extends = ["sub/a.toml"]
toolchains.files = ["t.toml"]
-- sub/a.toml --
extends = ["../b.toml", "./c.toml"]
toolchains.files = ["t.toml", "/abs/t.toml"]
-- b.toml --
about = "b"
-- sub/c.toml --
about = "c"
`, `
about = "c" sub/c.toml:1
toolchains.files "sub/t.toml" sub/a.toml:2
toolchains.files "/abs/t.toml" sub/a.toml:2
toolchains.files "t.toml" w.toml:2
`},
		{"rules of tools", `
-- w.toml --
extends = ["a"]
caches.go.mode = "read"
caches.mode = "keep"
-- builtin/a.toml --
[caches]
mode = "read"
[caches.go]
mode = "none"
[caches.npm]
mode = "none"
`, `
caches.mode = "keep" w.toml:3
caches.go.mode = "read" w.toml:2
caches.npm.mode = "none" a:6
`},
		{"another mode forgets the hosts", `
-- w.toml --
extends = ["a"]
network.mode = "none"
-- builtin/a.toml --
[network]
mode = "allow"
allow = ["a.b"]
`, `
network.mode = "none" w.toml:2
`},
		{"names replace project, and project names", `
-- w.toml --
extends = ["a"]
toolchains.use = ["go"]
-- builtin/a.toml --
extends = ["b"]
toolchains.use = "host"
-- builtin/b.toml --
toolchains.use = ["node"]
`, `
toolchains.use "go" w.toml:2
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := archive(test.files)
			data, _ := l.ReadFile("w.toml")
			p, problems := load("w.toml", string(data), l)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if got, want := summary(p), strings.TrimPrefix(test.want, "\n"); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// summary prints what a profile's files say, a line for each value.
func summary(p Profile) string {
	var b strings.Builder
	for _, s := range p.settings() {
		if s.written && len(s.elements) == 0 {
			fmt.Fprintf(&b, "%s = %s %s:%d\n", s.field.key, s.text, s.origin.File, s.origin.Line)
		}
		for _, e := range s.elements {
			fmt.Fprintf(&b, "%s %s %s:%d\n", s.field.key, e.text, e.origin.File, e.origin.Line)
		}
	}
	return b.String()
}

func TestInheritProblems(t *testing.T) {
	tests := []struct{ name, files, want string }{
		{"cycle", `
-- w.toml --
extends = ["a.toml"]
-- a.toml --
about = "a"
extends = ["./b.toml"]
-- b.toml --
extends = ["w.toml"]
`, "b.toml:1: extends[0]: extends itself: w.toml -> a.toml -> b.toml -> w.toml\n"},
		{"itself", `
-- w.toml --
extends = ["./w.toml"]
`, "w.toml:1: extends[0]: extends itself: w.toml -> w.toml\n"},
		{"built-in cycle", `
-- w.toml --
extends = ["a"]
-- builtin/a.toml --
extends = ["a"]
`, "a:1: extends[0]: extends itself: w.toml -> a -> a\n"},
		{"missing names the chain", `
-- w.toml --
extends = ["a.toml"]
-- a.toml --
extends = ["b", "c.toml"]
`, `a.toml:1: extends[0]: no built-in profile of this name: "b" (w.toml -> a.toml -> b)
a.toml:1: extends[1]: no such file: "c.toml" (w.toml -> a.toml -> c.toml)
`},
		{"a built-in profile names no files", `
-- w.toml --
extends = ["a"]
-- builtin/a.toml --
extends = ["x.toml"]
toolchains.files = ["t.toml"]
`, "a:1: extends[0]: a built-in profile names a file: \"x.toml\"\n" +
			"a:2: toolchains.files[0]: a built-in profile names a file: \"t.toml\"\n"},
		{"problems of all files, the profile's own first", `
-- w.toml --
extends = ["a.toml", "b"]

[network]
mode = "x"
-- a.toml --

abuot = ""
-- builtin/b.toml --
about = [
`, `w.toml:4: network.mode: not one of host, none, private, allow: "x"
a.toml:2: abuot: unknown key
b:1: not valid TOML: array is incomplete
`},
		{"no drop to complain of where a parent is wrong", `
-- w.toml --
extends = ["nope"]
drop.filesystem.read = ["~/a"]
`, "w.toml:1: extends[0]: no built-in profile of this name: \"nope\"\n"},
		{"dropped by one that never had it", `
-- w.toml --
extends = ["a"]
drop.filesystem.write = ["~/a"]
-- builtin/a.toml --
filesystem.read = ["~/a"]
`, "w.toml:2: drop.filesystem.write[0]: drops what is not there: \"~/a\"\n"},
		{"a contradiction of two settings names its place", `
-- w.toml --
extends = ["a"]
limits.max-timeout = "1m"
-- builtin/a.toml --
limits.timeout = "2m"
`, "a:1: limits.timeout: longer than limits.max-timeout: \"120s\"\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := archive(test.files)
			data, _ := l.ReadFile("w.toml")
			_, problems := load("w.toml", string(data), l)
			if got := lines(problems); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

func TestDepth(t *testing.T) {
	read := func(name string) ([]byte, error) { return []byte(`extends = ["d/w.toml"]`), nil }
	_, err := Loader{ReadFile: read}.Load("w.toml")
	if err == nil || !strings.Contains(err.Error(), "more than 32 profiles in a row") {
		t.Errorf("got %v", err)
	}
}

func TestLoad(t *testing.T) {
	l := archive(`
-- dir/web.toml --
extends = ["base"]
about = "web"
-- builtin/base.toml --
about = "base"
[caches]
mode = "read"
[caches.go]
mode = "none"
`)
	tests := []struct {
		name, profile, about string
		sources              []string
	}{
		{"base", "base", "base", []string{"base"}},
		{"dir/web.toml", "web", "web", []string{"base", "dir/web.toml"}},
		{"./dir//web.toml", "web", "web", []string{"base", "dir/web.toml"}},
	}
	for _, test := range tests {
		p, err := l.Load(test.name)
		if err != nil || p.Name != test.profile || p.About != test.about || !reflect.DeepEqual(p.Sources, test.sources) {
			t.Errorf("%s: got %q, %q, %q, %v", test.name, p.Name, p.About, p.Sources, err)
		}
		for tool, want := range map[string]CacheMode{"go": CacheNone, "npm": CacheRead} {
			if got := p.Caches.For(tool); got != want {
				t.Errorf("%s: %s: got %v, want %v", test.name, tool, got, want)
			}
		}
	}
	for _, name := range []string{"", "none", "none.toml", "/", "\x00", "a\nb"} {
		if _, err := l.Load(name); err == nil || strings.Contains(err.Error(), "\x00") {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

// A file that is there and cannot be read is named once, with what keeps it.
func TestUnreadable(t *testing.T) {
	for _, test := range []struct {
		err        error
		what, hint string
	}{
		{syscall.EACCES, "w.toml: cannot be read: permission denied", "see with ls -ld who may read it, and who may enter the directories above"},
		{syscall.EISDIR, "w.toml: cannot be read: is a directory", "a profile is a file in TOML"},
	} {
		read := func(name string) ([]byte, error) { return nil, &fs.PathError{Op: "open", Path: name, Err: test.err} }
		_, err := Loader{ReadFile: read}.Load("w.toml")
		var all problem.List
		if !errors.As(err, &all) || len(all) != 1 || all[0].Error() != test.what || all[0].Hint != test.hint {
			t.Errorf("got %q", err)
		}
	}
}
