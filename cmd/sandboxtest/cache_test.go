package sandboxtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// thrown is the default profile, where what is written to caches is thrown away.
const thrown = "extends = [\"default\"]\ncaches.mode = \"ephemeral\"\n"

// TestCaches: 41 and 42, a writable view, kept and thrown away, and the host as it was.
func TestCaches(t *testing.T) {
	t.Parallel()
	rows := []row{
		{name: "41 read", do: `cat "$H/go/pkg/mod/example.org/m@v1/m.go"`, says: `^package m$`},
		{name: "41 write", do: `echo y >"$H/go/pkg/mod/example.org/m@v1/m.go" && cat "$H/go/pkg/mod/example.org/m@v1/m.go"`, says: `^y$`},
		{name: "41 new", do: `mkdir -p "$H/go/pkg/mod/example.org/new@v1" && echo x >"$H/go/pkg/mod/example.org/new@v1/x"`},
		{name: "42 delete", do: `rm -r "$H/go/pkg/mod/example.org/m@v1/n" && test ! -e "$H/go/pkg/mod/example.org/m@v1/n"`},
		{name: "42 replace a directory", do: `mkdir "$H/go/pkg/mod/example.org/m@v1/n" && test -z "$(ls "$H/go/pkg/mod/example.org/m@v1/n")"`},
		{name: "42 rename a directory", do: `mv "$H/go/pkg/mod/example.org/m@v1" "$H/go/pkg/mod/example.org/m@v2" && cat "$H/go/pkg/mod/example.org/m@v2/m.go"`},
		{name: "a hard link that changes the host", do: `ln "$H/.cache/go-build/README" "$H/.cache/go-build/R2" && echo x >>"$H/.cache/go-build/R2"`},
		{name: "41 chmod and touch", do: `chmod -R 555 "$H/.cache/go-build" && touch "$H/.cache/go-build/README"`},
		{name: "A17 hard link into the project", do: `"$inside" try link "$H/.cache/go-build/README" made-link`, denied: `EXDEV`},
		{name: "an absent cache is writable", do: `mkdir -p "$H/go/pkg/sumdb" && echo x >"$H/go/pkg/sumdb/x"`},
		{name: "where the layers lie", do: `cat /proc/self/mountinfo | grep -oE '(upperdir|workdir)=[^,]*' | cut -d= -f2 | while read -r d; do ls "$d" 2>/dev/null && echo "$d"; done | grep .`, denied: `^$`, control: none},
		{name: "the layers of an old bwrap", do: `ls -A /sys 2>/dev/null | grep -vx devices`, denied: `^$`, control: none},
	}
	for i, text := range []string{`extends = ["default"]`, thrown} {
		t.Run(map[bool]string{true: "kept", false: "thrown away"}[i == 0], func(t *testing.T) { attackShared(t, i, text, rows) })
	}
}

// TestCacheOnTop: a profile that shows, or lends, what a cache lies in covers
// neither the cache nor its layers.
func TestCacheOnTop(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"read", "write"} {
		t.Run(list, func(t *testing.T) {
			attack(t, "extends = [\"default\"]\n[filesystem]\n"+list+" = [\"~/go\"]", []row{
				{name: "56 what lies beside it is shown", do: `cat "$H/go/beside"`, says: `^beside$`},
				{name: "56 it is written to", do: `echo y >"$H/go/pkg/mod/example.org/m@v1/m.go" && cat "$H/go/pkg/mod/example.org/m@v1/m.go"`, says: `^y$`},
				{name: "56 it is another file system", do: `test "$(stat -c %d "$H/go/pkg/mod")" = "$(stat -c %d "$H/go")"`, denied: `^$`},
			}, func(t *testing.T, l *launcher) {
				l.Write(t, map[string]string{"home/go/beside": "beside\n"})
				l.Give(t, l.Home)
			})
		})
	}
}

// TestCachesTwice: 43, the next run starts from what the host has.
func TestCachesTwice(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, thrown)
		before := w.state(t)
		for range 2 {
			l.Run(t, "bash", "-c", `cd ~/go/pkg/mod/example.org && ls && touch made-x && rm -r m@v1`).Expect(t, "a run", 0, "m@v1\n")
		}
		before.Same(t, w.state(t))
	})
}

// TestCacheLinks: 30 and 49, a cache behind links.
func TestCacheLinks(t *testing.T) {
	t.Parallel()
	const (
		reads = `cat ~/go/pkg/mod/example.org/m@v1/m.go ~/.cache/go-build/README && echo x >~/go/pkg/mod/made-x && cat "$(realpath ~/go/pkg/mod)/made-x"`
		read  = "package m\ncache\nx\n"
	)
	for i, c := range []struct{ name, link, do, want string }{
		{"leaf", `mv "$H/go/pkg/mod" "$O/mod" && ln -s "$O/mod" "$H/go/pkg/mod"`, reads, read},
		{"relative", `mv "$H/go/pkg/mod" "$H/go/pkg/real" && ln -s real "$H/go/pkg/mod"`, reads, read},
		{"parent", `mv "$H/go" "$O/go" && ln -s "$O/go" "$H/go"`, reads, read},
		{"two links", `mv "$H/go" "$O/go" && ln -s "$O/go" "$O/second" && ln -s "$O/second" "$H/go"`, reads, read},
		{"cache", `mv "$H/.cache" "$O/cache" && ln -s "$O/cache" "$H/.cache"`, reads, read},
		{"dangling", `rm -r "$H/go/pkg/mod" && ln -s "$O/absent" "$H/go/pkg/mod"`, `echo ran`, "ran\n"},
		{"absent", `rm -r "$H/go" "$H/.cache"`, `echo ran`, "ran\n"},
		{"a file", `rm -r "$H/go/pkg/mod" && echo x >"$H/go/pkg/mod"`, `echo ran`, "ran\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			harness.Crossed(t, i, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, `extends = ["default"]`)
				l.shell(t, c.link)
				l.Give(t, w.Top)
				before := w.state(t)
				l.Run(t, "bash", "-c", c.do).Expect(t, c.name, 0, c.want)
				before.Same(t, w.state(t))
			})
		})
	}
}

// TestCacheModes: what a profile says of all caches.
func TestCacheModes(t *testing.T) {
	t.Parallel()
	const cache = `"$HOME/go/pkg/mod/example.org"`
	for mode, want := range map[string]string{
		"read":  "m@v1\nread-only\n",
		"none":  "absent\n",
		"write": "m@v1\nwritable\n",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			harness.Ends(t, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\n[caches]\nmode = \""+mode+"\"")
				l.Run(t, "bash", "-c", `ls `+cache+` 2>/dev/null || { echo absent; exit; }; { : >`+cache+`/made-x; } 2>/dev/null && echo writable || echo read-only`).
					Expect(t, mode, 0, want)
				if made := harness.Exists(filepath.Join(w.Home, "go/pkg/mod/example.org/made-x")); made != (mode == "write") {
					t.Errorf("%s: written to the host: %v", mode, made)
				}
			})
		})
	}
}

// TestOptional: 28, 38, 48, A12 and A13, what is not there.
func TestOptional(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[filesystem]\nread = [\"$O/absent?\", \"~/.absent?\", \"$O/later?\"]\nwrite = [\"$O/absent-too?\", \"$O/created!\"]")
		before := w.state(t)
		l.Run(t, "echo", "ran").Expect(t, "optional paths are absent", 0, "ran\n")
		if !harness.Exists(filepath.Join(w.Outside, "created")) {
			t.Error("what the profile creates is not created")
		}
		if err := os.Remove(filepath.Join(w.Outside, "created")); err != nil {
			t.Error(err)
		}
		delete(before, w.Outside)
		after := w.state(t)
		delete(after, w.Outside)
		for path := range after {
			if _, ok := before[path]; !ok {
				t.Errorf("new on the host: %s", path)
			}
		}
		w.Write(t, map[string]string{"outside/later/file": "later\n"})
		l.Run(t, "cat", filepath.Join(w.Outside, "later/file")).Expect(t, "38 what has appeared since", 0, "later\n")
		w.Write(t, map[string]string{"outside/needed/file": "x"})
		l = w.launch(t, "extends = [\"default\"]\n[filesystem]\nread = [\"$O/needed\"]")
		harness.Remove(t, filepath.Join(w.Outside, "needed"))
		l.Run(t, "echo", "ran").Refused(t, "A13 a required path", filepath.Join(w.Outside, "needed"), "filesystem.read")
		w.launch(t, "extends = [\"default\"]\n[filesystem]\nread = [\"./needed?\"]").Run(t, "echo", "ran").Expect(t, "an optional one in the project", 0, "ran\n")
		w.launch(t, "extends = [\"default\"]\n[filesystem]\nread = [\"./needed\"]").Run(t, "echo", "ran").Refused(t, "a required one in the project", w.Project+"/needed", "filesystem.read")
	})
}

// TestHomeLink: C9, HOME is a link, and its parent.
func TestHomeLink(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `ln -s "$H" "$O/../link"; ln -s . "$O/../self"; ln -s ../home "$O/relative"`)
		before := w.state(t)
		for _, home := range []string{w.Top + "/link", w.Top + "/self/home", w.Outside + "/relative"} {
			r := l.from(t, `cd "$HOME/code/p" && "$L" bash -c 'cd && test "$PWD" -ef "$1" && cat go/pkg/mod/example.org/m@v1/m.go && cat "$1/code/p/file" && echo x >made-h; ls -A .ssh' bash `+w.Home, "HOME="+home)
			if r.Stdout != "package m\nproject\n" {
				t.Errorf("HOME=%s: %q, %s", home, r.Stdout, r.Stderr)
			}
		}
		before.Same(t, w.state(t))
	})
}

// TestConcurrent: many at once do not get into each other's way: one keeps what it writes
// to caches, and the others say that they do not.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		before := w.state(t)
		ended := make(chan harness.Result)
		const launches = 8
		for range launches {
			go func() {
				ended <- l.Run(t, "bash", "-c", `touch ~/.cache/go-build/made-x && git status --short file && sleep 0.1; exit 7`)
			}()
		}
		for range launches {
			(<-ended).Expect(t, "one of many", 7, "")
		}
		before.Same(t, w.state(t))
	})
}

// TestSpellings: a home and a cache by whatever spelling.
func TestSpellings(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `ln -s "$H" "$O/../link"`)
		for _, home := range []string{w.Home + "/", w.Top + "//home", w.Home + "/../home", w.Top + "/link/.", w.Top + "/link/"} {
			r := l.from(t, `cd "$HOME/code/p" && "$L" bash -c 'cd && test "$PWD" -ef "$1" && cat go/pkg/mod/example.org/m@v1/m.go && cat "$1/code/p/file" && echo x >made-h; ls -A .ssh' bash `+w.Home, "HOME="+home)
			if r.Stdout != "package m\nproject\n" {
				t.Errorf("HOME=%s: %q, %s", home, r.Stdout, r.Stderr)
			}
		}
		mod := w.Home + "/go/pkg/mod"
		for _, value := range []string{mod + "/", mod + "//", w.Home + "//go/pkg/mod", mod + "/.", mod + "/../mod", w.Top + "/link/go/pkg/mod", w.Top + "/link/go/pkg/mod/"} {
			r := l.from(t, `"$L" sh -c 'cat "$GOMODCACHE"/example.org/m@v1/m.go; echo x >"$GOMODCACHE/made-x"'`, "GOMODCACHE="+value)
			r.Expect(t, "GOMODCACHE="+value, 0, "package m\n")
		}
	})
}

// TestCacheMoved: a variable that is set at launch moves mount and variable
// together; one that is empty or relative moves nothing.
func TestCacheMoved(t *testing.T) {
	t.Parallel()
	const see = `printf '%s ' "${CARGO_HOME-unset}"; cd "${CARGO_HOME:-$HOME/.cargo}" && cat bin/tool registry/crate && echo x >registry/new && ls registry | tr '\n' ' '; cat "$HOME/.cargo/registry/crate" 2>/dev/null || true`
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"home/code/p/Cargo.toml": "", "home/.cargo/bin/tool": "usual ", "home/.cargo/registry/crate": "usual\n",
			"home/data/c/bin/tool": "moved ", "home/data/c/registry/crate": "moved\n", "outside/c/bin/tool": "outside ", "outside/c/registry/crate": "outside\n",
			"home/.cargo/credentials.toml": secret, "home/data/c/credentials.toml": secret,
		})
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		before := w.state(t)
		for value, want := range map[string]string{
			"":                   "unset usual usual\ncrate new usual\n",
			"data/c":             "unset usual usual\ncrate new usual\n",
			w.Home + "/data/c":   w.Home + "/data/c moved moved\ncrate new ",
			w.Home + "/data//c/": w.Home + "/data//c/ moved moved\ncrate new ",
			w.Outside + "/c":     w.Outside + "/c outside outside\ncrate new ",
			w.Home + "/.cargo":   w.Home + "/.cargo usual usual\ncrate new usual\n",
		} {
			l.from(t, `"$L" bash -c '`+strings.ReplaceAll(see, "'", `'\''`)+`'`, "CARGO_HOME="+value).Expect(t, "CARGO_HOME="+value, 0, want)
			l.from(t, `"$L" cat "${CARGO_HOME:-$HOME/.cargo}/credentials.toml" || echo denied`, "CARGO_HOME="+value).Expect(t, "a token, CARGO_HOME="+value, 0, "denied\n")
		}
		l.from(t, `"$L" sh -c 'mkdir -p "$CARGO_HOME/registry" && echo x >"$CARGO_HOME/registry/x" && cat "$CARGO_HOME/registry/x"'`, "CARGO_HOME="+w.Home+"/absent").Expect(t, "an absent place", 0, "x\n")
		before.Same(t, w.state(t))
	})
}

// TestPlaceUnset: what has a place only while a variable is set is left out where
// it is not, or leads nowhere; the launcher was made where it was set.
func TestPlaceUnset(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"outside/cache/c": "cache\n", "outside/root/bin/tool": "root\n", "outside/n/bin/npm": "n\n"})
		w.Give(t, w.Outside)
		set := []string{"CPM_SOURCE_CACHE=" + w.Outside + "/cache", "VCPKG_ROOT=" + w.Outside + "/root", "N_PREFIX=" + w.Outside + "/n"}
		w.variables = set
		for _, text := range []string{
			"", "[caches]\nmode = \"ephemeral\"", "[caches]\nmode = \"read\"", "[caches]\nmode = \"write\"", "[filesystem]\nwrite = [\"$N_PREFIX!\"]",
		} {
			l := w.launch(t, "extends = [\"default\"]\n[toolchains]\nuse = [\"cpp\", \"n\"]\n"+text)
			l.from(t, `"$L" sh -c 'cat "$CPM_SOURCE_CACHE/c" "$VCPKG_ROOT/bin/tool" "$N_PREFIX/bin/npm"'`, set...).Expect(t, text, 0, "cache\nroot\nn\n")
			l.from(t, `"$L" echo starts`).Expect(t, text+": unset", 0, "starts\n")
			l.from(t, `"$L" echo starts`, "CPM_SOURCE_CACHE=", "VCPKG_ROOT=relative", "N_PREFIX=/").Expect(t, text+": nowhere", 0, "starts\n")
		}
	})
}
