package sessiontest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// kept is where the launcher of a world keeps what lasts.
func (w world) kept(t *testing.T) string {
	t.Helper()
	all, _ := filepath.Glob(filepath.Join(w.Home, ".local/state/bwrapgen/L-*"))
	if len(all) != 1 {
		t.Fatalf("the stores are %q", all)
	}
	return all[0]
}

// vanishes waits for the end of all stores.
func (w world) vanishes(t *testing.T) {
	t.Helper()
	harness.Eventually(t, "the stores are gone", func() bool {
		all, _ := filepath.Glob(filepath.Join(w.Home, ".local/state/bwrapgen/*"))
		return len(all) == 0
	})
}

// TestPikuriSession has what commands of one session leave for the next: in
// caches, whether the host has them or not, and in /tmp.
func TestPikuriSession(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w.write(t, "home/.m2/repository/a", "host\n")
		w = w.launch(t, `extends = ["pikuri"]`)
		w.bash(t, "cd; echo one >.m2/repository/n; rm .m2/repository/a; mkdir .nuget/packages/x; echo two >/tmp/t; echo gone >x").Ends(t, 0)
		w.bash(t, "cd; cat .m2/repository/n /tmp/t; ls .m2/repository .nuget/packages; [[ ! -e x ]]").Ends(t, 0).Prints(t, "one\ntwo\n.m2/repository:\nn\n\n.nuget/packages:\nx\n")
		w.Run(t, "--sandbox-session", "b", "--", "bash", "-c", "cat ~/.m2/repository/a; ls /tmp ~/.nuget/packages").
			Ends(t, 0).Prints(t, "host\n"+w.Home+"/.nuget/packages:\n\n/tmp:\n")
		status := w.Run(t, "--sandbox-status").Ends(t, 0).Stdout
		for _, want := range []string{w.Home + "/.m2/repository: 1 files, ", w.Home + "/.nuget/packages: 0 files, "} {
			if !strings.Contains(status, want) {
				t.Errorf("the status lacks %q: %s", want, status)
			}
		}
		for _, option := range []string{"--sandbox-apply", "--sandbox-diff"} {
			w.Run(t, option).Refused(t, "changes in caches", "there is no option "+option)
		}
		if harness.Read(t, w.Home+"/.m2/repository/a") != "host\n" || harness.Read(t, w.Home+"/.m2/repository/n") != "" {
			t.Error("the host's cache has changed")
		}
		w.Run(t, "--sandbox-end", "b").Ends(t, 0)
		w.bash(t, "cat /tmp/t").Ends(t, 0).Prints(t, "two\n")
		w.Run(t, "--sandbox-end").Ends(t, 0)
		w.vanishes(t)
		w.bash(t, "cat ~/.m2/repository/a; ls /tmp").Ends(t, 0).Prints(t, "host\n")
		w.Run(t, "--sandbox-discard").Ends(t, 0)
	})
}

// TestPikuriTmp reads and writes the session's /tmp by its own path, outside and
// inside.
func TestPikuriTmp(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w.write(t, "home/.m2/repository/a", "host\n")
		w = w.launch(t, `extends = ["pikuri"]`)
		w.bash(t, "echo inside >/tmp/t; echo x >~/.m2/repository/n").Ends(t, 0)
		own := w.kept(t) + "/session-default/.tmp"
		w.Run(t, "--sandbox-explain", "/tmp").Ends(t, 0).Prints(t, "/tmp: empty at first; kept in '"+own+"'\n")
		if got := harness.Read(t, own+"/t"); got != "inside\n" {
			t.Errorf("outside, it is %q", got)
		}
		for dir := w.kept(t); dir != w.Home+"/.local/state"; dir = filepath.Dir(dir) {
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v, %v", dir, info.Mode(), err)
			}
		}
		if err := os.WriteFile(own+"/u", []byte("outside\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		w.Run(t, "cat", "/tmp/u", own+"/t").Ends(t, 0).Prints(t, "outside\ninside\n")
		w.bash(t, "echo again >"+own+"/t; cat /tmp/t; cd "+w.kept(t)+"; find * -name .tmp -prune -o -print").Ends(t, 0).
			Prints(t, "again\nsession-default\n")
		w.Run(t, "--sandbox-where", own+"/t").Ends(t, 0).Prints(t, own+"/t\n")
		w.Run(t, "--sandbox-where", w.Home+"/.m2/repository/a").Ends(t, 0).Prints(t, w.Home+"/.m2/repository/a\n")
		for _, path := range []string{"/tmp/t", w.kept(t) + "/session-default" + w.Home + "/.m2/repository/upper/n", w.kept(t), w.Home} {
			w.Run(t, "--sandbox-where", path).Ends(t, 1).Prints(t, "not visible\n")
			w.Run(t, "ls", path+"/n").Ends(t, 2) // nothing of that inside, either
		}
		w.Run(t, "--sandbox-end").Ends(t, 0)
	})
}

// TestPikuriAlone has two commands of one session, and of two.
func TestPikuriAlone(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, `extends = ["pikuri"]`)
		done := make(chan harness.Result)
		go func() {
			done <- w.Run(t, "--", "bash", "-c", "echo first >/tmp/t; : >begun; until [[ -e over ]]; do sleep 0.05; done")
		}()
		harness.Eventually(t, "the first has begun", func() bool { return harness.Exists(w.Project + "/begun") })
		w.Run(t, "--sandbox-session", "b", "--", "true").Ends(t, 0)
		w.Run(t, "true").Ends(t, 125).Says(t, "in use by process").Says(t, "until [[ -e over ]]").Says(t, "hint: wait until it ends, or name another --sandbox-session")
		w.Put(t, w.Project+"/over", nil)
		(<-done).Ends(t, 0)
		w.bash(t, "cat /tmp/t; kill -KILL $PPID 2>/dev/null").Prints(t, "first\n")
		w.Run(t, "--sandbox-session", "b", "--sandbox-end").Ends(t, 0)
		w.Run(t, "--sandbox-end").Ends(t, 0)
		w.vanishes(t)
	})
}

// TestPrint runs what --sandbox-print prints: in the same session, with the
// same limits.
func TestPrint(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w.write(t, "home/.m2/repository/a", "host\n")
		w = w.launch(t, "extends = [\"pikuri\"]\n[limits]\nopen-files = 99\n")
		const script = "ulimit -n; ulimit -d; cat ~/.m2/repository/a /tmp/t; echo n >>/tmp/t; [[ $- != *i* ]] && exit 7"
		printed := w.Run(t, "--sandbox-print", "--", "bash", "-c", script).Ends(t, 0).Stdout
		if _, err := os.Stat(w.Home + "/.local"); err == nil {
			t.Error("to print has made a store")
		}
		w.write(t, "printed", printed)
		copied := w
		copied.Program, copied.Words = "/bin/bash", []string{w.Top + "/printed"}
		copied.Run(t).Ends(t, 7).Prints(t, "99\n8388608\nhost\n")
		w.bash(t, script).Ends(t, 7).Prints(t, "99\n8388608\nhost\nn\n")
		copied.Run(t).Ends(t, 7).Prints(t, "99\n8388608\nhost\nn\nn\n")
		w.Run(t, "--sandbox-end").Ends(t, 0)
		w.vanishes(t)
	})
}

// TestPikuriClone clones into a directory of its own, with no settings or keys
// of the user.
func TestPikuriClone(t *testing.T) {
	t.Parallel()
	harness.Need(t, "git")
	once(t, func(t *testing.T, w world) {
		w.write(t, "home/.gitconfig", "[alias]\n\tevil = !echo evil\n")
		r := w.outside(t, `git init -q $O/r && cd $O/r && echo x >file && git add file && git -c user.name=a -c user.email=a@b commit -qm c && git update-server-info && git config alias.evil | grep -q evil && mkdir $H/thrown`)
		r.Ends(t, 0)
		server := httptest.NewServer(http.FileServer(http.Dir(w.Outside)))
		t.Cleanup(server.Close)
		w = w.launch(t, "extends = [\"pikuri\"]\n[project]\nroot = \"cwd\"\n")
		w.Dir = w.Home + "/thrown"
		w.bash(t, "git clone -q "+server.URL+"/r/.git r 2>/dev/null && cat r/file && ! git config alias.evil && [[ ! -e ~/.ssh ]]").Ends(t, 0).Prints(t, "x\n")
		if harness.Read(t, w.Dir+"/r/file") != "x\n" {
			t.Error("the clone is not on the host")
		}
		w.Run(t, "--sandbox-end").Ends(t, 0)
	})
}
