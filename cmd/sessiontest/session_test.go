package sessiontest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// kept is where the launcher of a world keeps what lasts.
func (w world) kept(t *testing.T) string {
	t.Helper()
	all, _ := filepath.Glob(filepath.Join(w.home, ".local/state/bwrapgen/L-*"))
	if len(all) != 1 {
		t.Fatalf("the stores are %q", all)
	}
	return all[0]
}

// vanishes waits for the end of all stores.
func (w world) vanishes(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(2 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		all, _ := filepath.Glob(filepath.Join(w.home, ".local/state/bwrapgen/*"))
		if len(all) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("still there: %q", all)
		}
	}
}

// TestPikuriSession has what commands of one session leave for the next: in
// caches, whether the host has them or not, and in /tmp.
func TestPikuriSession(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w.write(t, "home/.m2/repository/a", "host\n")
		w = w.launch(t, `extends = ["pikuri"]`)
		w.bash(t, "cd; echo one >.m2/repository/n; rm .m2/repository/a; mkdir .nuget/packages/x; echo two >/tmp/t; echo gone >x").ends(t, 0)
		w.bash(t, "cd; cat .m2/repository/n /tmp/t; ls .m2/repository .nuget/packages; [[ ! -e x ]]").ends(t, 0).prints(t, "one\ntwo\n.m2/repository:\nn\n\n.nuget/packages:\nx\n")
		w.run(t, "--sandbox-session", "b", "--", "bash", "-c", "cat ~/.m2/repository/a; ls /tmp ~/.nuget/packages").
			ends(t, 0).prints(t, "host\n"+w.home+"/.nuget/packages:\n\n/tmp:\n")
		status := w.run(t, "--sandbox-status").ends(t, 0).stdout
		for _, want := range []string{"added     " + w.home + "/.m2/repository/n\n", "deleted   " + w.home + "/.m2/repository/a\n"} {
			if !strings.Contains(status, want) {
				t.Errorf("the status lacks %q: %s", want, status)
			}
		}
		if w.read(t, w.home+"/.m2/repository/a") != "host\n" || w.read(t, w.home+"/.m2/repository/n") != "" {
			t.Error("the host's cache has changed")
		}
		w.run(t, "--sandbox-end", "b").ends(t, 0)
		w.bash(t, "cat /tmp/t").ends(t, 0).prints(t, "two\n")
		w.run(t, "--sandbox-end").ends(t, 0)
		w.vanishes(t)
		w.bash(t, "cat ~/.m2/repository/a; ls /tmp").ends(t, 0).prints(t, "host\n")
		w.run(t, "--sandbox-discard").ends(t, 0)
	})
}

// TestPikuriTmp reads and writes the session's /tmp by its own path, outside and
// inside.
func TestPikuriTmp(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w.write(t, "home/.m2/repository/a", "host\n")
		w = w.launch(t, `extends = ["pikuri"]`)
		w.bash(t, "echo inside >/tmp/t; echo x >~/.m2/repository/n").ends(t, 0)
		own := w.kept(t) + "/session-default/.tmp"
		w.run(t, "--sandbox-explain", "/tmp").ends(t, 0).prints(t, "/tmp: empty at first; it is kept in '"+own+"'\n")
		if got := w.read(t, own+"/t"); got != "inside\n" {
			t.Errorf("outside, it is %q", got)
		}
		if err := os.WriteFile(own+"/u", []byte("outside\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		w.run(t, "cat", "/tmp/u", own+"/t").ends(t, 0).prints(t, "outside\ninside\n")
		w.bash(t, "echo again >"+own+"/t; cat /tmp/t; cd "+w.kept(t)+"; find * -name .tmp -prune -o -print").ends(t, 0).
			prints(t, "again\nsession-default\n")
		w.run(t, "--sandbox-where", own+"/t").ends(t, 0).prints(t, own+"/t\n")
		w.run(t, "--sandbox-where", w.home+"/.m2/repository/a").ends(t, 0).prints(t, w.home+"/.m2/repository/a\n")
		for _, path := range []string{"/tmp/t", w.kept(t) + "/session-default" + w.home + "/.m2/repository/upper/n", w.kept(t), w.home} {
			w.run(t, "--sandbox-where", path).ends(t, 1).prints(t, "not visible\n")
			w.run(t, "ls", path+"/n").ends(t, 2) // nothing of that inside, either
		}
		w.run(t, "--sandbox-end").ends(t, 0)
	})
}

// TestPikuriAlone has two commands of one session, and of two.
func TestPikuriAlone(t *testing.T) {
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, `extends = ["pikuri"]`)
		done := make(chan result)
		go func() { done <- w.run(t, "--", "bash", "-c", "echo first >/tmp/t; : >begun; sleep 4") }()
		for w.read(t, w.project+"/begun") == "" {
			if _, err := os.Stat(w.project + "/begun"); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		w.run(t, "--sandbox-session", "b", "--", "true").ends(t, 0)
		w.run(t, "true").ends(t, 125).says(t, "in use by process").says(t, "sleep 4").says(t, "hint: wait for its end, or name another --sandbox-session")
		(<-done).ends(t, 0)
		w.bash(t, "cat /tmp/t; kill -KILL $PPID 2>/dev/null").prints(t, "first\n")
		w.run(t, "--sandbox-end", "b").ends(t, 0)
		w.run(t, "--sandbox-end").ends(t, 0)
		w.vanishes(t)
	})
}

// TestPrint runs what --sandbox-print prints: in the same session, with the
// same limits.
func TestPrint(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w.write(t, "home/.m2/repository/a", "host\n")
		w = w.launch(t, "extends = [\"pikuri\"]\n[limits]\nopen-files = 99\n")
		const script = "ulimit -n; ulimit -d; cat ~/.m2/repository/a /tmp/t; echo n >>/tmp/t; [[ $- != *i* ]] && exit 7"
		printed := w.run(t, "--sandbox-print", "--", "bash", "-c", script).ends(t, 0).stdout
		if _, err := os.Stat(w.home + "/.local"); err == nil {
			t.Error("to print has made a store")
		}
		w.write(t, "printed", printed)
		copied := w
		copied.launcher = w.dir + "/P"
		put(t, copied.launcher, []byte("#!/bin/bash -p\n. "+w.dir+"/printed\n"))
		copied.run(t).ends(t, 7).prints(t, "99\n8388608\nhost\n")
		w.bash(t, script).ends(t, 7).prints(t, "99\n8388608\nhost\nn\n")
		copied.run(t).ends(t, 7).prints(t, "99\n8388608\nhost\nn\nn\n")
		w.run(t, "--sandbox-end").ends(t, 0)
		w.vanishes(t)
	})
}
