package profile

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// load reads a profile without asking what launchers support by now.
func load(name, source string, l Loader) (Profile, problem.List) {
	c := collector{Loader: l}
	c.add(document{file: clean(name)}, []byte(source), nil)
	p := c.merge(name)
	return p, c.sorted()
}

func lines(ps problem.List) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.Error() + "\n")
	}
	return b.String()
}

func TestProblems(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"none", "", ""},
		{"unknown key", "comand = []", "w.toml:1: comand: unknown key"},
		{"unknown nested key", "[network]\n\nmod = \"host\"", "w.toml:3: network.mod: unknown key"},
		{"unknown table", "[files]\nread = []", "w.toml:1: files: unknown table"},
		{"unknown table with a dot", "[\"a.b\"]\nx = 1", `w.toml:1: "a.b": unknown table`},
		{"unknown table in a table", "[network.x]\ny = 1", "w.toml:1: network.x: unknown key"},
		{"table of an odd tool", "[caches.\"a b\"]\nmod = 1", `w.toml:2: caches."a b".mod: unknown key`},
		{"unknown key with a dot", `"project.root" = "git"`, `w.toml:1: "project.root": unknown key`},
		{"table as a value", "project = 1", "w.toml:1: project: not a table but a number"},
		{"text as a list", `[filesystem]` + "\nread = \"/usr\"", "w.toml:2: filesystem.read: not a list but a text"},
		{"number as a text", "about = 1", "w.toml:1: about: not a text but a number"},
		{"date as a text", "about = 2020-02-02", "w.toml:1: about: not a text but a date or time"},
		{"text as a bool", "[project]\nreport = \"yes\"", "w.toml:2: project.report: not true or false but a text"},
		{"text as a number", "[limits]\nprocesses = \"4\"", "w.toml:2: limits.processes: not a whole number but a text"},
		{"number in a list", "[environment]\npass = [\"A\",\n 1]", "w.toml:3: environment.pass[1]: not a text but a number"},
		{"closed set", "[network]\nmode = \"nope\"", `w.toml:2: network.mode: not one of host, none, private, allow: "nope"`},
		{"about in two lines", `about = "a\nb"`, `w.toml:1: about: not one printable line: "a\nb"`},
		{"about written backwards", `about = "a\u202Eb"`, `w.toml:1: about: not one printable line: "a\u202eb"`},
		{"NUL in command", `command = ["a\u0000"]`, `w.toml:1: command[0]: holds a NUL byte: "a\x00"`},
		{"empty command name", `command = ["", "a"]`, `w.toml:1: command[0]: the command's name is empty`},

		{"relative path", "[filesystem]\nread = [\"etc\"]", `w.toml:2: filesystem.read[0]: not an absolute path: "etc"`},
		{"empty path", "[filesystem]\nread = [\"/a\",\n\"\"]", `w.toml:3: filesystem.read[1]: an empty path: ""`},
		{"NUL in path", "[filesystem]\nread = [\"/a\\u0000\"]", `w.toml:2: filesystem.read[0]: holds a NUL byte: "/a\x00"`},
		{"both suffixes", "[filesystem]\nread = [\"~/a?!\"]", `w.toml:2: filesystem.read[0]: more than one suffix: "~/a?!"`},
		{"only a suffix", "[filesystem]\nread = [\"?\"]", `w.toml:2: filesystem.read[0]: an empty path: ""`},
		{"both in a table", "[filesystem]\nread = [{ path = \"~/a\", optional = true, create = true }]",
			`w.toml:2: filesystem.read[0]: both optional and created: "~/a"`},
		{"table without path", "[filesystem]\nread = [{ at = \"/a\" }]", "w.toml:2: filesystem.read[0]: has no path"},
		{"relative at", "[filesystem]\nread = [{ path = \"/a\", at = \"b\" }]", `w.toml:2: filesystem.read[0].at: not an absolute path: "b"`},
		{"at in hide", "[filesystem]\nhide = [{ path = \"/a\", at = \"/b\" }]", `w.toml:2: filesystem.hide[0].at: unknown key in an entry: "at"`},
		{"at over proc", "[filesystem]\nread = [{ path = \"/a\", at = \"/proc/1\" }]", `w.toml:2: filesystem.read[0]: not a place for this inside: "/proc/1"`},
		{"created and hidden", "[filesystem]\nhide = [\"~/a!\"]", `w.toml:2: filesystem.hide[0]: nothing is created for hide: "~/a!"`},
		{"pattern outside the project", "[filesystem]\nread = [\"~/*.pem\"]", `w.toml:2: filesystem.read[0]: holds a *, which is not expanded: "~/*.pem"`},
		{"links of what is writable", "[filesystem]\nwrite = [{ path = \"~/a\", links = true }]", `w.toml:2: filesystem.write[0].links: unknown key in an entry: "links"`},
		{"pattern outside the project, not in the last name", "[filesystem]\nhide = [\"~/*/key.pem\"]", `w.toml:2: filesystem.hide[0]: holds a *, which is not expanded: "~/*/key.pem"`},
		{"pattern of any depth", "[project]\nhide = [\"a/**/b\"]", `w.toml:2: project.hide[0]: holds a **: "a/**/b"`},
		{"pattern that is none", "[project]\nprotect = [\"a[b\", { path = \"[a\\\\b]\" }, \"[]\", \"[a/b]\"]",
			"w.toml:2: project.protect[0]: not a pattern: \"a[b\"\nw.toml:2: project.protect[1].path: not a pattern: \"[a\\\\b]\"\nw.toml:2: project.protect[2]: not a pattern: \"[]\"\nw.toml:2: project.protect[3]: not a pattern: \"[a/b]\""},
		{"late variable", "[filesystem]\nread = [\"~/$A/b\"]", `w.toml:2: filesystem.read[0]: holds a $, which is not expanded: "~/$A/b"`},
		{"late variable in a default", "[filesystem]\nread = [\"${A:-~/$B}/b\"]", `w.toml:2: filesystem.read[0]: holds a $, which is not expanded: "${A:-~/$B}/b"`},
		{"substitution", "[filesystem]\nread = [\"$(id)\"]", `w.toml:2: filesystem.read[0]: has a $ without a variable's name: "$(id)"`},
		{"other expansion", "[filesystem]\nread = [\"${A//x}/b\"]",
			`w.toml:2: filesystem.read[0]: has an expansion other than ${NAME} or ${NAME:-path}: "${A//x}/b"`},
		{"climbing", "[filesystem]\nread = [\"~/../x\"]", `w.toml:2: filesystem.read[0]: climbs above its beginning with ..: "~/../x"`},
		{"whole root writable", "[filesystem]\nwrite = [\"//\"]", `w.toml:2: filesystem.write[0]: would make the whole file system writable: "/"`},
		{"home writable", "[filesystem]\nwrite = [\"~/\"]", `w.toml:2: filesystem.write[0]: would make the whole home directory writable: "~"`},
		{"home overlaid", "[filesystem]\noverlay = [\"$HOME/a/..\"]", `w.toml:2: filesystem.overlay[0]: would make the whole home directory writable: "$HOME"`},
		{"system writable", "[filesystem]\nwrite = [\"/usr/local/../bin?\"]", `w.toml:2: filesystem.write[0]: would make a system directory writable: "/usr/bin"`},
		{"system by default", "[filesystem]\nwrite = [\"${A:-${B:-/etc}}/x\"]",
			`w.toml:2: filesystem.write[0]: would make a system directory writable: "${A:-${B:-/etc}}/x"`},
		{"the host's processes", "[filesystem]\nread = [\"/proc/cpuinfo\", \"/proc\", \"/proc/1/root\"]", "w.toml:2: filesystem.read[1]: would show the host's processes: \"/proc\"\nw.toml:2: filesystem.read[2]: would show the host's processes: \"/proc/1/root\""},
		{"devices", "[filesystem]\nread = [\"/dev/log?\", \"/dev/shm/x\", \"/dev/dri?\"]\nwrite = [\"/dev/kvm\", { path = \"/dev/fuse\", why = \"to mount\" }, \"/dev/null\"]",
			"w.toml:2: filesystem.read[2]: a device cannot be had read-only: \"/dev/dri\"\nw.toml:3: filesystem.write[0]: is a device of the host: \"/dev/kvm\"\nw.toml:3: filesystem.write[2]: the sandbox has its own: \"/dev/null\""},
		{"root empty", "[filesystem]\nempty = [\"/\"]", `w.toml:2: filesystem.empty[0]: not a place for this inside: "/"`},
		{"about in two paragraphs", `about = "a\u2029b"`, `w.toml:1: about: not one printable line: "a\u2029b"`},
		{"root hidden", "[filesystem]\nhide = [\"/\"]", `w.toml:2: filesystem.hide[0]: not a place for this inside: "/"`},

		{"project is home", "[project]\nroot = \"~\"", `w.toml:2: project.root: not a directory that can be a project: "~"`},
		{"project is home's parent", "[project]\nroot = \"/home\"", `w.toml:2: project.root: not a directory that can be a project: "/home"`},
		{"project is no path", "[project]\nroot = \"Git\"", `w.toml:2: project.root: not git, cwd or a path: "Git"`},
		{"project in itself", "[project]\nroot = \"./a\"", `w.toml:2: project.root: not git, cwd or a path: "./a"`},
		{"project elsewhere", "[project]\nat = \"~/a\"", `w.toml:2: project.at: not an absolute path: "~/a"`},
		{"project over system", "[project]\nat = \"/usr\"", `w.toml:2: project.at: not a place for this inside: "/usr"`},
		{"protect outside", "[project]\nprotect = [\"/etc\"]", `w.toml:2: project.protect[0]: not a path inside the project: "/etc"`},
		{"protect above", "[project]\nprotect = [\"../a\"]", `w.toml:2: project.protect[0]: not a path inside the project: "../a"`},
		{"protect all", "[project]\nprotect = [\"./\"]", `w.toml:2: project.protect[0]: would protect the whole project`},
		{"hide all", "[project]\nhide = [\".\"]", `w.toml:2: project.hide[0]: would hide the whole project`},

		{"credential as text", "[filesystem]\ncredential = [\"~/.netrc\"]", "w.toml:2: filesystem.credential[0]: a credential needs its reason"},
		{"credential without why", "[filesystem]\ncredential = [{ path = \"~/.netrc\" }]", "w.toml:2: filesystem.credential[0]: a credential without its reason"},
		{"credential elsewhere", "[[filesystem.credential]]\npath = \"~/a\"\n[[filesystem.credential]]\npath = \"~/b\"\nwhy = \"w\"\nat = \"/b\"",
			"w.toml:1: filesystem.credential[0]: a credential without its reason\n" +
				`w.toml:3: filesystem.credential[1]: a credential outside home and project: "/b"`},
		{"link to nothing", "[filesystem]\nlink = { \"/bin\" = \"\" }", `w.toml:2: filesystem.link."/bin": a link without a target`},
		{"relative link", "[filesystem.link]\nbin = \"usr/bin\"", `w.toml:2: filesystem.link.bin: not an absolute path: "bin"`},
		{"NUL in link", "[filesystem.link]\n\"/a\" = \"\\u0000\"", `w.toml:2: filesystem.link."/a": holds a NUL byte: "\x00"`},

		{"read and write", "[filesystem]\nread = [\"~/a\"]\nwrite = [\"~/b\", \"~/a/\"]", `w.toml:3: filesystem.write[1]: contradicts filesystem.read[0] in line 2: "~/a"`},
		{"optional or not", "[filesystem]\nread = [\"~/a\", \"~/a?\"]", `w.toml:2: filesystem.read[1]: contradicts filesystem.read[0] in line 2: "~/a"`},
		{"protect and hide", "[project]\nprotect = [\".env\"]\nhide = [\"./.env\"]", `w.toml:3: project.hide[0]: contradicts project.protect[0] in line 2: "./.env"`},
		{"protect and write", "[project]\nprotect = [\"a\"]\n[filesystem]\nwrite = [\"./a\"]", `w.toml:4: filesystem.write[0]: contradicts project.protect[0] in line 2: "./a"`},
		{"same place", "[filesystem]\nread = [{ path = \"/a\", at = \"/c\" }, { path = \"/b\", at = \"/c\" }]",
			`w.toml:2: filesystem.read[1]: contradicts filesystem.read[0] in line 2: "/c"`},
		{"link and directory", "[filesystem]\nread = [\"/bin\"]\nlink = { \"/bin\" = \"usr/bin\" }", `w.toml:3: filesystem.link."/bin": contradicts filesystem.read[0] in line 2: "/bin"`},
		{"twice the same", "[filesystem]\nread = [\"~/a\", \"~/a\"]", ""},

		{"variable's name", "[environment]\nset = { \"A-B\" = \"\" }", `w.toml:2: environment.set.A-B: not a variable's name: "A-B"`},
		{"injected name", "[environment]\nset = { \"A; touch x; B\" = \"\" }", `w.toml:2: environment.set."A; touch x; B": not a variable's name: "A; touch x; B"`},
		{"NUL in value", "[environment]\nset = { A = \"\\u0000\" }", `w.toml:2: environment.set.A: holds a NUL byte: "\x00"`},
		{"number as value", "[environment]\nset = { A = 1 }", `w.toml:2: environment.set.A: not a text but a number`},
		{"value not a path", "[environment]\nset = { A = { path = \"x\" } }", `w.toml:2: environment.set.A.path: not an absolute path: "x"`},
		{"pass all", "[environment]\npass = [\"*\"]", `w.toml:2: environment.pass[0]: would pass the whole environment: "*"`},
		{"require a pattern", "[environment]\nrequire = [\"LC_*\"]", `w.toml:2: environment.require[0]: not a variable's name: "LC_*"`},

		{"duration", "[limits]\ntimeout = \"1.5s\"", `w.toml:2: limits.timeout: not a duration: "1.5s"`},
		{"negative duration", "[limits]\ntimeout = -1", `w.toml:2: limits.timeout: not a duration: "-1"`},
		{"no duration", "[limits]\nkill-after = \"\"", `w.toml:2: limits.kill-after: not a duration: ""`},
		{"zero duration", "[limits]\ntimeout = \"0s\"", `w.toml:2: limits.timeout: less than 1s: "0s"`},
		{"ages", "[limits]\ntimeout = \"99999999999h\"", `w.toml:2: limits.timeout: longer than a year: "99999999999h"`},
		{"above the maximum", "[limits]\ntimeout = \"11m\"", `w.toml:2: limits.timeout: longer than limits.max-timeout: "660s"`},
		{"size", "[limits]\noutput = \"30KB\"", `w.toml:2: limits.output: not a size: "30KB"`},
		{"small size", "[limits]\noutput = 1023", `w.toml:2: limits.output: less than 1KiB: "1023"`},
		{"negative count", "[limits]\nopen-files = -1", `w.toml:2: limits.open-files: less than 0: -1`},
		{"large count", "[limits]\nopen-files = 9999999999", `w.toml:2: limits.open-files: too large: 9999999999`},

		{"tool's name", "[toolchains]\nuse = [\"Go!\"]", `w.toml:2: toolchains.use[0]: not a tool's name: "Go!"`},
		{"toolchains in one word", "[toolchains]\nuse = \"go\"", `w.toml:2: toolchains.use: not one of project, host: "go"`},
		{"tool file", "[toolchains]\nfiles = [\"a.json\"]", `w.toml:2: toolchains.files[0]: not a file in TOML: "a.json"`},
		{"rule of a tool", "[caches.go]\nmode = \"x\"\nmod = 1", `w.toml:2: caches.go.mode: not one of ephemeral, keep, session, read, write, none: "x"` +
			"\nw.toml:3: caches.go.mod: unknown key"},
		{"socket", "[sockets]\npass = [\"ssh\"]", "w.toml:2: sockets.pass[0]: not one of " + strings.Join(catalogue.SocketNames(), ", ") + `: "ssh"`},
		{"url as a host", "[network]\nmode = \"allow\"\nallow = [\"https://a.b/\"]", `w.toml:3: network.allow[0]: not a host: "https://a.b/"`},
		{"a tool as a host", "[network]\nmode = \"allow\"\nallow = [\"npm\"]", `w.toml:3: network.allow[0]: not a host: "npm" has no dot`},
		{"port 0", "[network]\nmode = \"private\"\npublish = [1, 0]", `w.toml:3: network.publish[1]: not a port to publish: "0"`},
		{"port above all", "[network]\nmode = \"private\"\npublish = [\"1:65536\"]", `w.toml:3: network.publish[0]: not a port to publish: "1:65536"`},
		{"ports above all", "[network]\nmode = \"private\"\npublish = [\"1-9:65530\"]", `w.toml:3: network.publish[0]: not a port to publish: "1-9:65530"`},
		{"too many ports", "[network]\nmode = \"private\"\npublish = [\"1-100\", \"200-300\"]", `w.toml:3: network.publish[1]: more than 100 ports: "200-300"`},
		{"a port twice", "[network]\nmode = \"private\"\npublish = [\"1-100\", \"[::1]:50\"]", `w.toml:3: network.publish[1]: "[::1]:50" publishes a port that "1-100" publishes, too`},
		{"a port in and out", "[network]\nmode = \"private\"\npublish = [\"1:80\"]\nreach = [\"localhost:80\"]", `w.toml:3: network.publish[0]: leads to port 80 of the sandbox, which leads to this host's by network.reach or proxy`},
		{"ports without a network", "[network]\npublish = [1]", `w.toml:2: network.publish[0]: has no effect with network.mode "host"`},
		{"reach without a network", "[network]\nmode = \"none\"\nreach = [\"localhost:1\"]", `w.toml:3: network.reach[0]: has no effect with network.mode "none"`},
		{"proxy without a network", "[network]\nproxy = \"http://localhost:1\"", `w.toml:2: network.proxy: has no effect with network.mode "host"`},
		{"reach elsewhere", "[network]\nmode = \"private\"\nreach = [\"10.0.0.1:1\"]", `w.toml:3: network.reach[0]: not a port of this host's loopback: "10.0.0.1:1"`},
		{"reach of port 0", "[network]\nmode = \"private\"\nreach = [\"localhost:0\"]", `w.toml:3: network.reach[0]: not a port of this host's loopback: "localhost:0"`},
		{"reach of all ports", "[network]\nmode = \"private\"\nreach = [\"localhost\"]", `w.toml:3: network.reach[0]: not a port of this host's loopback: "localhost"`},
		{"a proxy with a password", "[network]\nmode = \"private\"\nproxy = \"http://a:b@localhost:1\"", `w.toml:3: network.proxy: not a proxy on this host's loopback: "http://a:b@localhost:1"`},
		{"a proxy elsewhere", "[network]\nmode = \"private\"\nproxy = \"http://proxy.test:1\"", `w.toml:3: network.proxy: not a proxy on this host's loopback: "http://proxy.test:1"`},
		{"hosts without mode", "[network]\nallow = [\"a.b\"]", `w.toml:2: network.allow[0]: has no effect with network.mode "host"`},
		{"answer without a question", "[confirm]\nallow-yes = true", `w.toml:2: confirm.allow-yes: has no effect with confirm.mode "never"`},
		{"home of the host", "[home]\nmode = \"host\"", `w.toml:2: home.mode: home.mode "host" without filesystem.base "host"`},
		{"home of the host elsewhere", "[home]\nat = \"/h/x\"\n[filesystem]\nbase = \"host\"", `w.toml:2: home.at: the host's home stands at its own path`},

		{"absent drop", "[drop.filesystem]\nread = [\"~/a\"]", `w.toml:2: drop.filesystem.read[0]: drops what is not there: "~/a"`},
		{"drop of a value", "drop.network.mode = [\"host\"]", `w.toml:1: drop.network.mode: only what a list holds can be dropped`},
		{"drop of a text", "drop.about = [\"x\"]", `w.toml:1: drop.about: only what a list holds can be dropped`},
		{"drop of an unknown key", "drop.filesystem.raed = []", `w.toml:1: drop.filesystem.raed: unknown key`},
		{"drop of an unknown table", "drop.files.read = []", `w.toml:1: drop.files: unknown table`},
		{"drop without list", "drop.filesystem.read = \"x\"", `w.toml:1: drop.filesystem.read: not a list but a text`},

		{"extends as a text", "extends = \"base\"", "w.toml:1: extends: not a list but a text"},
		{"extends nothing", "extends = [\"\"]", "w.toml:1: extends[0]: empty text: \"\""},
		{"extends NUL", "extends = [\"\\u0000/\"]", `w.toml:1: extends[0]: holds a NUL byte: "\x00/"`},
		{"extends a missing profile", "extends = [\"bsae\"]", `w.toml:1: extends[0]: no built-in profile of this name: "bsae"`},
		{"extends a missing file", "extends = [\"a.toml\"]", `w.toml:1: extends[0]: no such file: "a.toml"`},
	}
	l := Loader{
		Builtin:  fstest.MapFS{"base.toml": {}},
		ReadFile: func(string) ([]byte, error) { return nil, os.ErrNotExist },
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, problems := load("w.toml", test.source, l)
			if got := strings.TrimSpace(lines(problems)); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
			for _, p := range problems {
				if p.Hint == "" {
					t.Errorf("no hint for: %s", p)
				}
			}
		})
	}
}

func TestSyntax(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"duplicate key", "about = \"a\"\nabout = \"b\"", "w.toml:2: not valid TOML: "},
		{"duplicate table", "[project]\n[tmp]\n[project]\n", "w.toml:3: not valid TOML: "},
		{"no value", "\nabout =\n", "w.toml:2: not valid TOML: "},
		{"open text", "about = \"a\n", "w.toml:1: not valid TOML: "},
		{"raw NUL", "about = \"\x00\"", "w.toml:1: not valid TOML: "},
		{"invalid UTF-8", "about = \"\xff\"", "w.toml:1: not valid TOML: "},
		{"too large", strings.Repeat(" ", source.MaxBytes+1), "w.toml: larger than "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("w.toml", []byte(test.source), Loader{})
			var problems problem.List
			if !errors.As(err, &problems) || len(problems) != 1 {
				t.Fatalf("got %v, want one problem", err)
			}
			if got := problems[0].Error(); !strings.HasPrefix(got, test.want) || strings.ContainsAny(got, "\n\x00") {
				t.Errorf("got %q, want %q...", got, test.want)
			}
			if problems[0].Hint == "" {
				t.Errorf("no hint for %s", test.name)
			}
		})
	}
}

func TestHints(t *testing.T) {
	tests := []struct{ source, want string }{
		{"[environment]\nrequires = []", "did you mean environment.require?"},
		{"[filesystem]\nprotect = []", "did you mean project.protect?"},
		{"[limits]\nkill_after = 1", "did you mean limits.kill-after?"},
		{"[filesytem]\n", "did you mean [filesystem]?"},
		{"extend = []", "did you mean extends?"},
		{"[tmp]\nsize = 1", "[tmp] knows mode"},
		{"[caches.go]\nkeep = true", "[caches.go] knows mode"},
		{"[caches]\nstore = \"memory\"", `removed in 0.1: leave it out; caches.mode = "ephemeral" is memory, "keep" and "session" are on disk`},
		{"[kernel]\nrequire = \"best\"", "removed in 0.1: leave it out; a launcher refuses to start where it cannot keep a promise"},
		{"[caches.go]\nfallback = \"read\"", "removed in 0.1: leave it out; a cache that cannot be overlaid is empty and kept in the store"},
		{"[project]\naccess = \"raed\"", `did you mean "read"?`},
		{"[limits]\nkill-after = \"0s\"", "write 1s or more"},
		{"[limits]\ntimeout = \"0s\"", `for no limit, write ""`},
	}
	for _, test := range tests {
		_, problems := load("w.toml", test.source, Loader{})
		if len(problems) != 1 || problems[0].Hint != test.want {
			t.Errorf("%q: got %q, want %q", test.source, problems, test.want)
		}
	}
}
