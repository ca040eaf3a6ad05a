package sandboxtest

import "testing"

// TestPendingCommonDirectory: git reads its config from where .git/commondir
// says.
func TestPendingCommonDirectory(t *testing.T) {
	attack(t, `extends = ["default"]`, []row{
		{name: "another common directory", do: `cp -a .git made-common && echo ../made-common >.git/commondir`, denied: held},
	})
}

// TestPendingProtectHost: the same where the host is read-only.
func TestPendingProtectHost(t *testing.T) {
	attack(t, protecting+"[filesystem]\nbase = \"host\"", protectedRows())
}

func TestPendingGone(t *testing.T) {
	newest(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		l.from(t, `mkdir made-gone && cd made-gone && rmdir ../made-gone && "$L" echo ran`).refused(t, "a directory that is gone", "working directory")
	})
}

func TestPendingRelocatedSecret(t *testing.T) {
	newest(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		for _, value := range []string{w.home + "/.ssh", w.home + "/.aws", w.home + "/.config", w.project + "/.."} {
			for _, name := range []string{"GOMODCACHE", "GOPATH", "GOCACHE", "GOROOT", "XDG_CACHE_HOME"} {
				r := l.from(t, `"$L" sh -c 'cat "$HOME/.ssh/id_test" "$HOME/.aws/credentials" "$HOME/.config/gh/hosts.yml" "$HOME/work/other/file"; true'`, name+"="+value)
				if r.stdout != "" {
					t.Errorf("%s=%q: a secret is seen: %q", name, value, r.stdout)
				}
			}
		}
		before := w.state(t)
		for _, value := range []string{".", "..", "../..", "made"} {
			l.from(t, `"$L" true`, "XDG_RUNTIME_DIR="+value)
		}
		before.unchanged(t, w)
	})
}

func TestPendingSlashes(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `ln -s "$H" "$O/../link"`)
		for _, home := range []string{w.home + "/", w.dir + "//home", w.home + "/../home", w.dir + "/link/.", w.dir + "/link/"} {
			r := l.from(t, `cd "$HOME/work/p" && "$L" cat "$1/work/p/file"`, "HOME="+home)
			r = l.from(t, `cd "$HOME/work/p" && "$L" bash -c 'cd && test "$PWD" -ef "$1" && cat go/pkg/mod/example.org/m@v1/m.go && cat "$1/work/p/file" && echo x >made-h; ls -A .ssh' bash `+w.home, "HOME="+home)
			if r.stdout != "package m\nproject\n" {
				t.Errorf("HOME=%s: %q, %s", home, r.stdout, r.stderr)
			}
		}
		mod := w.home + "/go/pkg/mod"
		for _, value := range []string{mod + "/", mod + "//", w.home + "//go/pkg/mod", mod + "/.", mod + "/../mod", w.dir + "/link/go/pkg/mod", w.dir + "/link/go/pkg/mod/"} {
			r := l.from(t, `"$L" sh -c 'cat "$GOMODCACHE"/example.org/m@v1/m.go; echo x >"$GOMODCACHE/made-x"'`, "GOMODCACHE="+value)
			r.expect(t, "GOMODCACHE="+value, 0, "package m\n")
		}
	})
}

func TestPendingEUID(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		for _, name := range []string{"EUID=0", "EUID=5", "UID=0", "UID=5"} {
			l.environment = with(l.environment, name)
			r := l.run(t, "id", "-u")
			if r.status != 125 && r.stdout != itoa(s.uid)+"\n" {
				t.Errorf("%s: status %d: %s%s", name, r.status, r.stdout, r.stderr)
			}
		}
	})
}
