package learn

import (
	"fmt"
	"maps"
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

// TestTrace: only what the command and its children do counts.
func TestTrace(t *testing.T) {
	seen, err := Trace(strings.NewReader(trace))
	if err != nil || !seen.Began || seen.Cut {
		t.Fatal(seen.Began, seen.Cut, err)
	}
	var got []string
	for _, e := range seen.Events {
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
	l := Listener{World: w}
	fmt.Fprint(&l, "job: $MISSED: unbound\nMISSED_TO")
	fmt.Fprint(&l, "KEN?\nbox: the command asked for a.b, which is not in network.allow\n")
	got := marked(Needs(events, l.Named(), []string{"c.d"}, w))
	want := []string{
		"network.allow c.d", "filesystem.read /h/f", "filesystem.read /h/.ssh/id_rsa not: a credential of ssh", "filesystem.read /h/hidden not: the profile hides it",
		"filesystem.read /h/dir", "filesystem.read /h/programs", "toolchains.use cargo", "filesystem.write /h/shown/x", "filesystem.write /h/notes",
		"filesystem.write /usr/new not: it is the system's", "environment.pass GOFLAGS", "filesystem.read /h/sock not: a socket",
		"environment.pass MISSED", "environment.pass MISSED_TOKEN not: credentials, by its name",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// marked are needs as text.
func marked(needs []Need) []string {
	var all []string
	for _, n := range needs {
		word := string(n.Kind) + " " + n.Name
		if n.Mark != "" {
			word += " not: " + n.Mark
		}
		all = append(all, word)
	}
	return all
}

// TestTraceBounded: a command cannot make Trace keep more than it can hold, and Trace reads to the end.
func TestTraceBounded(t *testing.T) {
	const start = `12    execve("/usr/bin/env", ["/usr/bin/env", "--default-signal=INT,QUIT", "--", "`
	missing := func(name string) string {
		return `12    openat(AT_FDCWD</w>, "` + name + `", O_RDONLY) = -1 ENOENT (No such file or directory)` + "\n"
	}
	long := strings.Repeat("x", 10*mostLine)
	text := start + long + "\"], 0x1 /* 1 var */) = 0\n" + strings.Repeat(missing("/h/one"), 1000) + missing("/h/"+long)
	text += "12    openat(AT_FDCWD</w>, \"" + long + " <unfinished ...>\n12    +++ exited with 0 +++"
	r := strings.NewReader(text)
	seen, err := Trace(r)
	if err != nil || !seen.Began || seen.Cut || len(seen.Events) != 2 || r.Len() > 0 {
		t.Errorf("%v: it began: %t, was cut: %t, %d events, %d bytes left", err, seen.Began, seen.Cut, len(seen.Events), r.Len())
	}
	if at := seen.Events[1].Paths[0]; len(at) > mostLine {
		t.Errorf("a path of %d bytes is kept", len(at))
	}
	var many strings.Builder
	many.WriteString(start + "job\"], 0x1 /* 1 var */) = 0\n")
	for i := range mostEvents + 1 {
		many.WriteString(missing(fmt.Sprint("/h/", i)))
	}
	seen, err = Trace(strings.NewReader(many.String()))
	if err != nil || !seen.Cut || len(seen.Events) != mostEvents {
		t.Errorf("%v: of %d events %d are kept", err, mostEvents+1, len(seen.Events))
	}
	if seen, err := Trace(strings.NewReader("strace: nothing\n\x00\xff")); err != nil || seen.Began {
		t.Errorf("%v: without a command, it began: %t", err, seen.Began)
	}
}

// TestHosts: of what a launcher refused, hosts and addresses are proposed, and nothing that stands for several.
func TestHosts(t *testing.T) {
	w := World{Plan: planOf(t, ""), Catalogue: catalogue.BuiltIn(), Resolve: func(string) (string, bool) { return "", false }}
	refused := []string{
		"a.example.org", "B.Example.org:8443", "192.0.2.9:443", "[2001:db8::9]:443", "npm", "a.example.org",
		"*.com", "*", "a_b.example.org", "a.b\x1b[2J", "a.b\u202e", "a.b/c", "-a.b", "a..b", "a.b:0", "a.b:99999", "a.b\n[x]", `a".b`, "",
		strings.Repeat("a", 64) + ".b", strings.Repeat("a.", 200) + "b",
	}
	want := []string{
		"network.allow a.example.org", "network.allow b.example.org:8443", "network.allow 192.0.2.9:443", "network.allow [2001:db8::9]:443",
		"network.allow npm not: a name without a dot is no host of the internet",
	}
	if got := marked(Needs(nil, nil, refused, w)); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	refused = nil
	for i := range 10 * mostHosts {
		refused = append(refused, fmt.Sprintf("h%d.test", i))
	}
	if n := len(Needs(nil, nil, refused, w)); n != mostHosts {
		t.Errorf("of %d hosts %d are proposed", len(refused), n)
	}
}

// TestCredentials: a variable is reported, and not proposed, if it holds credentials by its name, by the
// catalogue or by its value.
func TestCredentials(t *testing.T) {
	plain := map[string]string{
		"MISSED": "x", "DATABASE_URL": "postgres://db.test/x", "PGUSER": "u", "PWD_FILE": "/x", "COMPASS": "n", "KEYBOARD": "de",
		"AUTHOR": "a", "DESKTOP_SESSION": "x", "XDG_DATA_DIRS": "/usr/share", "SSH_AUTH_SOCK": "/x", "TOKENIZERS_PARALLELISM": "true",
	}
	sensitive := map[string]string{
		"MYSQL_PWD": "x", "PGPASSWORD": "x", "DB_PASS": "x", "DB_PASSWD": "x", "GPG_PASSPHRASE": "x", "HTTP_AUTH": "x", "CONSUL_HTTP_AUTH": "x",
		"DOCKER_AUTH_CONFIG": "{}", "MY_CREDENTIALS": "x", "MY_KEY": "x", "MY_TOKEN": "x", "MY_SECRET": "x", "SENTRY_DSN": "x", "MY_COOKIE": "x",
		"SSHPASS": "x", "AWS_ACCESS_KEY_ID": "x", "AWS_SESSION_TOKEN": "x", "AWS_PROFILE": "x", "KUBECONFIG": "/x",
		"BROKER_URL": "amqp://u:p@mq.test/x", "A_FILE": "-----BEGIN OPENSSH PRIVATE KEY-----", "A_HEADER": "Authorization: Bearer abc",
		"A_CONNECTION": "host=db password=x", "A_JSON": `{"token": "x"}`,
	}
	w := World{Plan: planOf(t, ""), Catalogue: catalogue.BuiltIn(), Variables: map[string]string{}, Resolve: func(string) (string, bool) { return "", false }}
	maps.Copy(w.Variables, plain)
	maps.Copy(w.Variables, sensitive)
	w.Variables["PWD"], w.Variables["OLDPWD"] = "/x", "/y"
	named := slices.Sorted(maps.Keys(w.Variables))
	l := Listener{World: w}
	fmt.Fprint(&l, strings.Join(named, ", "))
	if got := l.Named(); len(got) != len(plain)+len(sensitive) {
		t.Errorf("named are %q", got)
	}
	for _, n := range Needs(nil, l.Named(), nil, w) {
		if _, isSensitive := sensitive[n.Name]; isSensitive != (n.Mark != "") {
			t.Errorf("%s, which holds %q, is marked: %q", n.Name, w.Variables[n.Name], n.Mark)
		}
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
