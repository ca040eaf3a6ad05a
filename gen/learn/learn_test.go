package learn

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// trace is what strace writes: a launcher, its command with a child, and what comes after.
const trace = `10    openat(AT_FDCWD</w>, "/h/launcher", O_RDONLY) = -1 ENOENT (No such file or directory)
11    execve("/usr/bin/env", ["/usr/bin/env", "--help"], 0x1 /* 1 var */) = 0
12    execve("/usr/bin/env", ["/usr/bin/env", "--default-signal=INT,QUIT", "--", "job"], 0x1 /* 1 var */) = 0
12    execve("/usr/bin/job", ["job"], 0x1 /* 1 var */) = 0
12    openat(AT_FDCWD</h>, "a b\303\244\"", O_RDONLY) = -1 ENOENT (No such file or directory)
13    openat(5</h/d>, "x", O_WRONLY|O_CREAT <unfinished ...>
10    openat(AT_FDCWD</w>, "/h/meanwhile", O_RDONLY) = -1 ENOENT (No such file or directory)
13    <... openat resumed>, 0666) = -1 EROFS (Read-only file system)
13    rename("/h/1", "/h/2") = -1 EROFS (Read-only file system)
13    connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/h/s"}, 110) = -1 ENOENT (No such file or directory)
13    connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("10.0.0.1")}, 16) = -1 ENETUNREACH (Network is unreachable)
12    +++ exited with 1 +++
14    openat(AT_FDCWD</w>, "/h/after", O_RDONLY) = -1 ENOENT (No such file or directory)
`

// TestTrace: only what the command does counts, and what it has started.
func TestTrace(t *testing.T) {
	events, err := Trace(strings.NewReader(trace))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		words := append([]string{e.Call, e.Error, e.Address}, e.Paths...)
		if e.Writes {
			words = append(words, "writes")
		}
		got = append(got, strings.Join(words, " "))
	}
	want := []string{
		"execve   /usr/bin/job", `openat ENOENT  /h/a bä"`, "openat EROFS  /h/d/x writes", "rename EROFS  /h/1 /h/2 writes",
		"connect ENOENT /h/s", "connect ENETUNREACH 10.0.0.1:443",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNeeds: what the host has and the sandbox does not show is proposed, and no secret.
func TestNeeds(t *testing.T) {
	there := []string{"/h/f", "/h/dir", "/h/dir/a", "/h/dir/b", "/h/dir/c", "/h/dir/d", "/h/.ssh/id_rsa", "/h/programs/tool", "/h/.cargo/bin/cargo", "/usr", "/h/p/x", "/h/shown/x", "/h/notes", "/h/sock", "/h/hidden"}
	w := World{
		Plan: planOf(t, `filesystem = { read = ["/usr", "~/shown"], hide = ["~/hidden"] }`), Catalogue: catalogue.BuiltIn(),
		Host:     expr.Env{Home: "/h", Project: "/h/p"},
		CanWrite: func(string) bool { return true },
		Resolve:  func(name string) (string, bool) { return name, slices.Contains(there, name) },
		Find: func(name string) string {
			return map[string]string{"tool": "/h/programs/tool", "cargo": "/h/.cargo/bin/cargo"}[name]
		},
		Variables: map[string]string{"MISSED": "", "MISSED_TOKEN": "", "OTHER": "", "GOFLAGS": "", "HOME": "/h"},
	}
	read := func(name string) Event {
		return Event{Program: "cat", Call: "openat", Paths: []string{name}, Error: "ENOENT"}
	}
	events := []Event{
		read("/h/f"), read("/h/none"), read("/h/.ssh/id_rsa"), read("/h/hidden"), read("/h/p/x"), read("/proc/9"),
		read("/h/dir/a"), read("/h/dir/b"), read("/h/dir/c"), read("/h/dir/d"), read("/usr/bin/tool"), read("/usr/bin/nothing"),
		{Program: "sh", Call: "execve", Paths: []string{"/usr/local/bin/cargo"}, Error: "ENOENT"},
		{Program: "sh", Call: "openat", Paths: []string{"/h/shown/x"}, Error: "EROFS", Writes: true},
		{Program: "sh", Call: "openat", Paths: []string{"/h/notes/new"}, Error: "ENOENT", Writes: true},
		{Program: "sh", Call: "mkdir", Paths: []string{"/usr/new"}, Error: "EROFS", Writes: true},
		{Program: "go", Call: "execve", Paths: []string{"/usr/bin/go"}},
		{Program: "ssh", Call: "connect", Address: "/h/sock", Error: "ENOENT"},
	}
	var got []string
	for _, n := range Needs(events, "job: $MISSED: unbound\nMISSED_TOKEN?\nbox: a.b was asked for, and is not in network.allow\n", w) {
		word := string(n.Kind) + " " + n.Name
		if n.Mark != "" {
			word += " not: " + n.Mark
		}
		got = append(got, word)
	}
	want := []string{
		"filesystem.read /h/f", "filesystem.read /h/.ssh/id_rsa not: a credential of ssh", "filesystem.read /h/hidden not: the profile hides it",
		"filesystem.read /h/dir", "filesystem.read /h/programs", "toolchains.use cargo", "filesystem.write /h/shown/x", "filesystem.write /h/notes",
		"filesystem.write /usr/new not: it is the system's", "environment.pass GOFLAGS", "filesystem.read /h/sock not: a socket",
		"network.allow a.b", "environment.pass MISSED", "environment.pass MISSED_TOKEN not: a login",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// planOf is the plan of a profile.
func planOf(t *testing.T, text string) plan.Plan {
	t.Helper()
	p, err := profile.Parse("box.toml", []byte(text), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatal(err)
	}
	built, err := plan.Build(p, catalogue.BuiltIn(), host.Facts{Arch: "x86_64", Home: "/h"}, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// TestAppend: lines come where the profile has the list, its table, or neither.
func TestAppend(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "[filesystem]\nread = [\n  \"x\",\n]\n"},
		{"about = \"a\"\n", "about = \"a\"\n\n[filesystem]\nread = [\n  \"x\",\n]\n"},
		{"[filesystem]\nwrite = [\"a\"]\n", "[filesystem]\nread = [\n  \"x\",\n]\nwrite = [\"a\"]\n"},
		{"[filesystem]\nread = [\"a]\", # one ]\n  'b']\nwrite = []\n", "[filesystem]\nread = [\n  \"x\",\n  \"a]\", # one ]\n  'b']\nwrite = []\n"},
		{"[filesystem]\nread = [\n  { path = \"[\" },\n]\n", "[filesystem]\nread = [\n  \"x\",\n  { path = \"[\" },\n]\n"},
		{"[filesystem]\nread = [\n  \"a\" # ]\n]\n", "[filesystem]\nread = [\n  \"x\",\n  \"a\" # ]\n]\n"},
		{"[filesystem]\nread = []", "[filesystem]\nread = [\n  \"x\",\n]"},
		{"filesystem = { write = [], read = [\"a\"] }\n", "filesystem = { write = [], read = [\n  \"x\",\n  \"a\"] }\n"},
		{"filesystem.write = [\"a\"]\n", "filesystem.read = [\n  \"x\",\n]\nfilesystem.write = [\"a\"]\n"},
	} {
		got, err := appendTo(test.text, Read, []string{`"x"`})
		if err != nil || got != test.want {
			t.Errorf("%q: %v, got\n%s\nwant\n%s", test.text, err, got, test.want)
		}
	}
	got, err := appendTo("[toolchains]\nuse = \"project\"\n", Tool, []string{`"go"`})
	if want := "[toolchains]\nuse = [\"project\", \"go\"]\n"; err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}
