package sandboxtest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// inside gives the environment that the command sees.
func (l launcher) inside(t *testing.T, changes ...string) map[string]string {
	t.Helper()
	l.Environment = harness.With(l.Environment, changes...)
	r := l.Run(t, "env", "-0")
	if r.Status != 0 {
		t.Fatalf("env: status %d: %s", r.Status, r.Stderr)
	}
	seen := map[string]string{}
	for line := range strings.SplitSeq(r.Stdout, "\x00") {
		if name, value, ok := strings.Cut(line, "="); ok {
			seen[name] = value
		}
	}
	return seen
}

// TestEnvironment: 21 and 22, what is passed, and what is not.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, "extends = [\"default\"]\n[environment]\npass = [\"PASSED\", \"EMPTY\", \"UNSET\", \"MY_*\"]\nset = { CONSTANT = \"a b\" }")
		odd := "it's \"x\" = $y\nnew `line` \\ \xff"
		seen := l.inside(t, "PASSED="+odd, "EMPTY=", "MY_ONE=1", "MY_=2", "MYTWO=3", "OTHER=4", "BASH_FUNC_f%%=() { :; }", "_=5", "GIT_DIR=/x", "LD_PRELOAD=", "PS1=x")
		for name, want := range map[string]string{"PASSED": odd, "EMPTY": "", "MY_ONE": "1", "MY_": "2", "CONSTANT": "a b", "HOME": l.Home, "TMPDIR": "/tmp", "TERM": "xterm"} {
			if value, ok := seen[name]; !ok || value != want {
				t.Errorf("%s is %q (%v), want %q", name, value, ok, want)
			}
		}
		moved := newWorld(t, s).launch(t, "extends = [\"default\"]\n[project]\nat = \"/workspace\"\n[home]\nat = \"/home/x\"")
		for name, l := range map[string]launcher{"in its place": l, "moved": moved} {
			here := l.inside(t, "LC_ALL=C.UTF-8")["LC_ALL"]
			if there, ok := l.inside(t, "LC_ALL=")["LC_ALL"]; here != "C.UTF-8" || ok {
				t.Errorf("%s: LC_ALL is %q and %q, want what the caller has", name, here, there)
			}
		}
		for _, start := range []string{`extends = ["default"]`, `filesystem.read = ["/usr", "/bin?", "/lib?", "/lib64?"]`} {
			own := newWorld(t, s).launch(t, start+"\n[environment]\nset = { LC_ALL = \"C.UTF-8\" }")
			if here, there := own.inside(t, "LC_ALL=POSIX")["LC_ALL"], own.inside(t, "LC_ALL=")["LC_ALL"]; here != "C.UTF-8" || there != here {
				t.Errorf("LC_ALL is %q and %q, want what the profile sets", here, there)
			}
		}
		known := []string{"PASSED", "EMPTY", "MY_ONE", "MY_", "CONSTANT", "HOME", "TMPDIR", "TAR_OPTIONS", "TERM", "PATH", "PWD", "USER", "LOGNAME", "LANG", "LC_ALL", "SHELL", "BWRAPGEN",
			"PYTHONPATH", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"}
		for name, value := range seen {
			if !slices.Contains(known, name) && !strings.HasPrefix(name, "GO") {
				t.Errorf("24: %s=%q is seen inside", name, value)
			}
		}
	})
}

// TestRequired: 22, a variable that has to be there.
func TestRequired(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, "extends = [\"default\"]\n[environment]\nrequire = [\"NEEDED\"]")
		l.Run(t, "echo", "ran").Refused(t, "unset", "NEEDED")
		if seen := l.inside(t, "NEEDED=x y"); seen["NEEDED"] != "x y" {
			t.Errorf("NEEDED is %q", seen["NEEDED"])
		}
		if seen := l.inside(t, "NEEDED="); seen["NEEDED"] != "" {
			t.Errorf("NEEDED is %q", seen["NEEDED"])
		}
	})
}

// TestPath: 26, PATH is the caller's. With a home of its own it has only directories that the
// sandbox shows.
func TestPath(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		const profile = "extends = [\"default\"]\ntoolchains.skip = [\"go\"]"
		w := newWorld(t, s)
		l := w.launch(t, profile)
		moved := l
		moved.Program = filepath.Join(w.Top, "moved")
		w.Put(t, moved.Program, w.generate(t, profile+"\nhome.at = \"/home/sandbox\""))
		for _, c := range []struct{ path, want string }{
			{"/usr/bin:/bin", "/usr/bin:/bin"},
			{"/no/where:/usr/bin:" + l.Home + "/bin:/bin:/sbin", "/usr/bin:/bin:/sbin"},
			{":/usr/bin::.:relative:/bin:", "/usr/bin:/bin"},
			{"/usr/bin:/usr/../tmp:/bin", "/usr/bin:/bin"},
			{"/usr/bin:/bin:" + l.Outside, "/usr/bin:/bin"},
		} {
			if seen := l.inside(t, "PATH="+s.Bwrap+":"+c.path); seen["PATH"] != s.Bwrap+":"+c.path {
				t.Errorf("PATH=%s is %s inside", c.path, seen["PATH"])
			}
			if seen := moved.inside(t, "PATH="+s.Bwrap+":"+c.path); strings.TrimPrefix(seen["PATH"], s.Bwrap+":") != c.want {
				t.Errorf("with home moved: PATH=%s is %s inside, want %s", c.path, seen["PATH"], c.want)
			}
		}
	})
}

// TestPathHost: with the host's root and an empty home, PATH is the caller's as well. If home has
// another path inside, PATH has what the sandbox shows: the project, directories of home that are
// listed or belong to toolchains, and what symbolic links lead to.
func TestPathHost(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `mkdir -p "$H/listed" "$H/go/bin" "$H/hidden" bin && ln -s /usr/bin "$H/system" && ln -s "$H/hidden" "$O/way"`)
		w.Give(t, w.Top)
		const text = "extends = [\"default\"]\nfilesystem.base = \"host\"\nhome.mode = \"empty\"\nfilesystem.read = [\"~/listed\"]\n"
		for at, more := range map[string]string{w.Home: "", "/home/sandbox": "home.at = \"/home/sandbox\"\n"} {
			l := w.launch(t, text+more)
			place := strings.NewReplacer("$P", w.Project, "$H", w.Home, "$O", w.Outside, "$B", s.Bwrap)
			given := place.Replace("$H/system:$H/listed:$H/go/bin:$H/hidden:$O/way:$P/bin:/usr/bin:/bin:$B:")
			seen, want := l.inside(t, "PATH="+given)["PATH"], given
			if more != "" {
				want = "/usr/bin:" + at + "/listed:" + at + "/go/bin:" + w.Project + "/bin:/bin:"
			}
			if !strings.HasPrefix(seen+":", want) {
				t.Errorf("home at %s: PATH is %s, want %s", at, seen, want)
			}
			l.Run(t, "ls", "-d", at+"/go/bin", at+"/listed").Succeeds(t, "a toolchain in home")
		}
	})
}

// TestRelocated: 23 and 25, variables that move a cache.
func TestRelocated(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		w.Write(t, map[string]string{"elsewhere/example.org/x@v1/x.go": "package x\n"})
		moved := filepath.Join(w.Top, "elsewhere")
		s.Give(t, moved)
		before := w.state(t)
		l.from(t, `"$L" sh -c 'echo "$GOMODCACHE"; cat "$GOMODCACHE"/example.org/x@v1/x.go && echo x >"$GOMODCACHE/made-x"'`, "GOMODCACHE="+moved).
			Expect(t, "GOMODCACHE elsewhere", 0, moved+"\npackage x\n")
		for _, value := range []string{"", "relative", ".", "../..", "~"} {
			var all []string
			for _, name := range []string{"GOMODCACHE", "GOPATH", "GOCACHE", "XDG_CACHE_HOME", "GOROOT", "CARGO_HOME"} {
				all = append(all, name+"="+value)
			}
			for _, set := range [][]string{all, all[:1], all[1:2]} { // GOMODCACHE counts before GOPATH
				r := l.from(t, `"$L" sh -c 'ls "$HOME/go/pkg/mod/example.org"; ls / | grep -x -e pkg -e go-build'`, set...)
				if r.Stdout != "m@v1\n" {
					t.Errorf("%q: %q, %s", set, r.Stdout, r.Stderr)
				}
			}
		}
		for _, value := range []string{"/", w.Home, w.Top, "/home", w.Project, "/etc", "/proc", "/proc/self/cwd/.."} {
			for _, name := range []string{"GOMODCACHE", "GOPATH", "GOCACHE", "GOROOT", "XDG_CACHE_HOME"} {
				r := l.from(t, `"$L" sh -c 'cat "$1" "$2"; true' sh "$HOME/.ssh/id_test" "$HOME/code/other/file"`, name+"="+value)
				if r.Stdout != "" {
					t.Errorf("%s=%q: a secret is seen: %q", name, value, r.Stdout)
				}
				if r.Status != 0 && r.Status != 125 {
					t.Errorf("%s=%q: status %d: %s", name, value, r.Status, r.Stderr)
				}
			}
		}
		before.Same(t, w.state(t))
	})
}
