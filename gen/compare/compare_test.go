package compare_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen"
	"bwrapgen/gen/compare"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

const empty = "empty, writable, and gone afterwards"

// TestSides changes small profiles. A change is told as: sign, kind, subject: what
// it is; was what it was.
func TestSides(t *testing.T) {
	for _, test := range []struct {
		name, was, is string
		want          []string
	}{
		{"nothing", "", "", nil},
		{"another order", `filesystem.read = ["/a", "/b"]`, `filesystem.read = ["/b", "/a"]`, nil},
		{"reason", `filesystem.read = ["/a"]`, `filesystem.read = [{ path = "/a", why = "a reason" }]`,
			[]string{`= other /a: the reason is "a reason"; was no reason is given`}},
		{"words", `about = "A."`, `command = ["true"]`,
			[]string{`= other about: nothing; was "A."`, `= other command: "true"; was what the launcher is given, or a shell`}},
		{"confirm", ``, `confirm.mode = "always"`, []string{`= other confirm.mode: each command is asked about; was nothing is asked before a run`}},
		{"readable", ``, `filesystem.read = ["~/a"]`, []string{"+ readable ~/a: the host's, read-only; was " + empty + ", as all of ~"}},
		{"readable, then writable", `filesystem.read = ["~/a"]`, `filesystem.write = ["~/a"]`,
			[]string{"+ writable ~/a: the host's, writable; was the host's, read-only"}},
		{"writable, then a view", `filesystem.write = ["~/a"]`, `filesystem.overlay = ["~/a"]`,
			[]string{"- writable ~/a: the host's is read; changes stay in the store; was the host's, writable"}},
		{"the parent is writable anyway", `filesystem.write = ["~/a", "~/a/b"]`, `filesystem.write = ["~/a"]`,
			[]string{"~ other ~/a/b: the same, without an entry of its own; was the same, with an entry of its own, which cannot be renamed"}},
		{"the parent's entry moves", `filesystem.write = ["~/a/b"]`, `filesystem.write = ["~/a"]`,
			[]string{"+ writable ~/a: the host's, writable; was " + empty + ", as all of ~", "~ other ~/a/b: the same, without an entry of its own; was the same, with an entry of its own, which cannot be renamed"}},
		{"less below", `filesystem.write = ["~/a"]`, "[filesystem]\nwrite = [\"~/a\"]\nread = [\"~/a/b\"]",
			[]string{"- writable ~/a/b: the host's, read-only; was the host's, writable, as all of ~/a"}},
		{"a mask goes", "[filesystem]\nwrite = [\"~/a\"]\nhide = [\"~/a/b\"]", `filesystem.write = ["~/a"]`,
			[]string{"+ writable ~/a/b: the host's, writable, as all of ~/a; was hidden"}},
		{"what stays hidden", ``, "[filesystem]\nread = [\"~/a\"]\nhide = [\"~/a/b\", \"~/a/c\"]",
			[]string{"+ readable ~/a: the host's, read-only; was " + empty + ", as all of ~ (but for 2)"}},
		{"a secret", ``, `filesystem.read = [{ path = "~/.config/gh", why = "w" }]`,
			[]string{"+ secret ~/.config/gh (credential of forges): the host's, read-only; was " + empty + ", as all of ~"}},
		{"another source", `filesystem.read = [{ path = "/a", at = "/x" }]`, `filesystem.read = [{ path = "/b", at = "/x" }]`,
			[]string{"+ readable /x: the host's, read-only, from /b; was the host's, read-only, from /a", "- readable /x: the host's, read-only, from /b; was the host's, read-only, from /a"}},
		{"a variable's place", `filesystem.read = ["~/.x"]`, `filesystem.read = ["${ZIG_GLOBAL_CACHE_DIR:-~/.x}"]`, []string{
			"+ readable ${ZIG_GLOBAL_CACHE_DIR:-~/.x}, moved: the host's, read-only; was nothing of the host, as all of /", "+ variable $ZIG_GLOBAL_CACHE_DIR: passed, where it is set; was dropped",
			"- readable ~/.x, moved: " + empty + ", as all of ~; was the host's, read-only"}},
		{"required", `filesystem.read = ["/a?"]`, `filesystem.read = ["/a"]`,
			[]string{"~ readable /a: the host's, read-only; was the host's, read-only, if there is one"}},
		{"a project of its own", ``, `project.root = "~/work"`, []string{"~ other project.root: ~/work; was the git work tree around the working directory"}},
		{"the project at another place", ``, `project.at = "/w"`, []string{"~ other project.at: at /w; was at its own path"}},
		{"the project read-only", ``, `project.access = "read"`, []string{"- writable .: the host's, read-only; was the host's, writable"}},
		{"protected anyway", "project.access = \"read\"", "project.access = \"read\"\nproject.protect = [\"a\"]",
			[]string{"~ other ./a: the same, with an entry of its own, which cannot be renamed; was the same, without an entry of its own"}},
		{"protected", ``, `project.protect = ["a"]`, []string{"- writable ./a: the host's, read-only; it cannot be made, either; was the host's, writable, as all of ."}},
		{"a home that lasts", ``, `home.mode = "keep"`, []string{"+ lasting ~: the sandbox's own, writable, and kept from run to run; was " + empty}},
		{"network", `network.mode = "none"`, "", append([]string{"+ network network.mode: full access: what the command can read, it can send; was none"}, proxies("+", "%s; was dropped")...)},
		{"a network of fewer", `network.mode = "private"`, "[network]\nmode = \"allow\"\nallow = [\"a.test\"]", append([]string{
			"- network network.mode: only a.test, and whatever shares their addresses: what the command can read, it can send there; was private, connected by pasta or slirp4netns: services on this machine's loopback cannot be reached, those on its other addresses can; what the command can read, it can send"},
			proxies("-", "dropped; was %s")...)},
		{"hosts", "[network]\nmode = \"allow\"\nallow = [\"a.test\", \"b.test\"]", "[network]\nmode = \"allow\"\nallow = [\"B.test\", \"*.c.test:80\"]", []string{
			"+ network *.c.test:80: can be reached; was out of reach", "- network a.test: out of reach; was can be reached"}},
		{"ports", "[network]\nmode = \"private\"\npublish = [3000, 80]\nreach = [\"127.0.0.1:1\"]", "[network]\nmode = \"private\"\npublish = [\"127.0.0.1:3000\", \"80:8080\"]\nproxy = \"http://localhost:2\"\nreach = [\"[::1]:1\"]", append([]string{
			"+ network published port 80:8080: leads into the sandbox; was out of reach", "+ network this host's port 2: can be reached on its loopback; was out of reach", "- network published port 80: out of reach; was leads into the sandbox"},
			proxies("-", `set to "http://localhost:2"; was %s`)...)},
		{"nobody", "[network]\nmode = \"allow\"\nallow = []", `network.mode = "none"`, nil},
		{"sockets", "sockets.pass = [\"dbus\"]\nsockets.talk = [\"org.a.B\"]", `sockets.pass = ["dbus", "ssh-agent"]`, []string{
			"+ socket ssh-agent socket: reachable, where the session has it: the command logs in as you; was out of reach", "- socket org.a.B on the session bus: out of reach; was may be spoken to"}},
		{"a wider pattern", `environment.pass = ["A_B", "C"]`, `environment.pass = ["A_*"]`,
			[]string{"+ variable $A_*: passed, where it is set; was dropped", "- variable $C: dropped; was passed, where it is set"}},
		{"credentials", ``, `environment.pass = ["OPENAI_API_KEY"]`, []string{"+ secret $OPENAI_API_KEY (credentials): passed, where it is set; was dropped"}},
		{"a token", ``, `environment.pass = ["GITHUB_TOKEN"]`, []string{"+ secret $GITHUB_TOKEN (credentials, by its name): passed, where it is set; was dropped"}},
		{"set", `environment.pass = ["A"]`, `environment.set = { A = "1" }`, []string{`- variable $A: set to "1"; was passed, where it is set`}},
		{"set to another", `environment.set = { A = "1" }`, `environment.set = { A = "2" }`, []string{`~ variable $A: set to "2"; was set to "1"`}},
		{"filter", ``, `kernel.seccomp = "none"`, []string{"+ kernel kernel.seccomp: no system call filter; was default system call filter"}},
		{"start-up files after the kernel", "", "filesystem.write = [{ path = \"~/.bashrc\", why = \"a test\" }]\nkernel.seccomp = \"none\"", []string{
			"+ kernel kernel.seccomp: no system call filter; was default system call filter",
			"+ secret ~/.bashrc (persistence file of shells): the host's, writable; was empty, writable, and gone afterwards, as all of ~",
		}},
		{"the weightiest first", "", "environment.pass = [\"NPM_TOKEN\"]\nfilesystem.write = [\"/srv/x\"]\nkernel.seccomp = \"none\"", []string{
			"+ secret $NPM_TOKEN (credentials, by its name): passed, where it is set; was dropped", "+ kernel kernel.seccomp: no system call filter; was default system call filter",
			"+ writable /srv/x: the host's, writable; was nothing of the host, as all of /"}},
		{"limits", `limits.memory = "1GiB"`, `limits.processes = 9`, []string{"+ limit limits.memory: no limit; was 1GiB", "- limit limits.processes: 9; was no limit"}},
		{"a longer timeout", `limits.timeout = "60s"`, `limits.timeout = "2m"`, []string{"+ limit limits.timeout: 120 s; was 60 s"}},
		{"terminal", ``, `terminal.mode = "new-session"`,
			[]string{"- terminal terminal.mode: not the command's: it has no job control, and cannot type into it; was shared, with job control; the filter refuses to type into it"}},
		{"caches", "toolchains.use = [\"maven\"]", "toolchains.use = [\"maven\"]\ncaches.mode = \"write\"",
			[]string{"+ tool ${MAVEN_USER_HOME:-~/.m2}/wrapper/dists: the host's, writable; was the host's is read; changes stay in memory and are thrown away", "+ tool ~/.m2/repository: the host's, writable; was the host's is read; changes stay in memory and are thrown away"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := compared(t, side(t, test.was), side(t, test.is))
			if got := told(r); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestOrigins says where both states come from.
func TestOrigins(t *testing.T) {
	r := compared(t, side(t, "extends = [\"base\"]\nnetwork.mode = \"none\""), side(t, "extends = [\"base\"]\ntoolchains.skip = [\"proxies\"]\nfilesystem.read = [{ path = \"~/a\", why = \"notes\" }]\nenvironment.pass = [\"A\"]"))
	want := []compare.State{
		{What: "the host's, read-only", From: "box.toml:3", Why: "notes"},
		{What: "full access: what the command can read, it can send", From: "by default"},
		{What: "passed, where it is set", From: "box.toml:4"},
	}
	for i, c := range r.Exposes {
		if i >= len(want) || c.Is != want[i] {
			t.Errorf("%s is %+v", c.Subject, c.Is)
		}
	}
	if len(r.Exposes) != len(want) || r.Exposes[1].Was.From != "box.toml:2" {
		t.Errorf("%+v", r.Exposes)
	}
}

// TestKeys changes every key of a profile: whatever changes the digest is told. Where nothing
// else is said here, a key gets the value of its example.
func TestKeys(t *testing.T) {
	docs, err := profile.Reference()
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]string{}
	for _, d := range docs {
		_, changes[d.Key], _ = strings.Cut(d.Example, " = ")
	}
	maps.Copy(changes, map[string]string{
		"filesystem.read": `["$ZIG_GLOBAL_CACHE_DIR"]`, "filesystem.write": `["$ZIG_GLOBAL_CACHE_DIR"]`, "filesystem.overlay": `["$ZIG_GLOBAL_CACHE_DIR"]`, "filesystem.hide": `["$ZIG_GLOBAL_CACHE_DIR"]`,
		"filesystem.credential": `[{ path = "$ZIG_GLOBAL_CACHE_DIR/c", at = "~/c", why = "w" }]`, "filesystem.link": `{ "/x" = "y" }`,
		"toolchains.use": `["go"]`, "toolchains.skip": `["cargo"]`, "sockets.pass": `["dbus"]`, "sockets.talk": `["org.a.B"]`,
	})
	beside := map[string]string{"sockets.talk": "sockets.pass", "sockets.own": "sockets.pass"}
	view := map[string]string{"toolchains.use": `["go", "cargo"]`, "limits.timeout": `"60s"`, "limits.output": `"2KiB"`}
	text := func(keys map[string]string) string {
		var b strings.Builder
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			fmt.Fprintf(&b, "%s = %s\n", key, keys[key])
		}
		return b.String()
	}
	for _, key := range profile.Keys() {
		if key == "toolchains.files" || key == "network.allow" || key == "confirm.allow-yes" {
			continue // a file of its own; see TestSides; like confirm.mode
		}
		keys := maps.Clone(view)
		if other, ok := beside[key]; ok {
			keys[other] = changes[other]
		}
		if strings.HasPrefix(key, "network.") {
			keys["network.mode"] = `"private"`
		}
		was := side(t, text(keys))
		keys[key] = changes[key]
		is := side(t, text(keys))
		r := compared(t, was, is)
		same := digest(t, was) == digest(t, is)
		if changes[key] == "" || same != r.Same() || slices.ContainsFunc(r.Differs, func(c compare.Change) bool { return c.Subject == "digest" }) {
			t.Errorf("%s = %s: the same digest: %v, but %q", key, changes[key], same, told(r))
		}
	}
}

func digest(t *testing.T, s compare.Side) string {
	t.Helper()
	d, err := gen.Digest(s.Plan)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// side is what a profile comes to on a host that has some caches.
func side(t *testing.T, text string) compare.Side {
	t.Helper()
	p, err := profile.Parse("box.toml", []byte(text), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatal(err)
	}
	f := host.Facts{Arch: "x86_64", Home: "/home/u", Paths: map[string]host.PathFact{}}
	for _, name := range []string{"${CARGO_HOME:-~/.cargo}/bin", "/usr"} {
		f.Paths[expr.MustParse(name).String()] = host.PathFact{Kind: host.Dir}
	}
	s, err := planned(p, f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// told are all changes, a line each.
func told(r compare.Report) []string {
	var all []string
	for i, list := range [][]compare.Change{r.Exposes, r.TakesAway, r.Differs, r.Said} {
		for _, c := range list {
			text := fmt.Sprintf("%c %s %s", "+-~="[i], c.Kind, c.Subject)
			if c.Secret != "" {
				text += " (" + c.Secret + ")"
			}
			if c.Moved {
				text += ", moved"
			}
			text += ": " + c.Is.What + "; was " + c.Was.What
			if c.Except > 0 {
				text += fmt.Sprintf(" (but for %d)", c.Except)
			}
			all = append(all, text)
		}
	}
	return all
}

// proxies are the rows of the variables of proxies, if all of them change alike. The last
// names no proxy, but what needs none.
func proxies(sign, change string) []string {
	var all []string
	for _, name := range []string{"ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "all_proxy", "http_proxy", "https_proxy", "no_proxy"} {
		passed, change := "passed, where it is set and holds no login", change
		if strings.EqualFold(name, "no_proxy") {
			passed, change = "passed, where it is set", strings.Replace(change, "http://localhost:2", "localhost,127.0.0.1,::1", 1)
		}
		all = append(all, sign+" variable $"+name+": "+strings.Replace(change, "%s", passed, 1))
	}
	return all
}
