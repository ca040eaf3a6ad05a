package sandboxtest

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// running are the processes of the host whose arguments hold a word.
func running(t *testing.T, word string) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(word)) {
			found = append(found, filepath.Base(filepath.Dir(file)))
		}
	}
	return found
}

// eventually waits for something to hold.
func eventually(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("after %v: %s", limit, what)
			return
		}
	}
}

// patience is how long the tests wait for what has to come: the machine may
// be busy, and nothing is said about how fast it is.
const patience = time.Minute

// busy starts a command that lasts, with children that ignore signals, and
// gives the word that its processes have in common.
func (l launcher) busy(t *testing.T) (*exec.Cmd, string) {
	t.Helper()
	word := l.word("busy")
	c := l.command(context.Background(), "bash", "-c",
		`trap "" TERM HUP; setsid bash -c 'exec -a "$1" sleep 300' bash "$1" & (trap "" INT; exec -a "$1" sleep 300) & echo started; exec -a "$1" sleep 300`, "bash", word)
	c.SysProcAttr.Setpgid = true
	started, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	if _, err := io.ReadFull(started, make([]byte, len("started\n"))); err != nil {
		t.Fatal(err)
	}
	return c, word
}

// word is one that no process of another world has among its arguments.
func (w world) word(prefix string) string { return prefix + "-" + filepath.Base(w.dir) }

// TestSignals: 14, 15 and D13, what ends the launcher ends the sandbox.
func TestSignals(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		for signal, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGKILL: 137} {
			c, word := l.busy(t)
			eventually(t, patience, "the processes of the sandbox are not seen", func() bool { return len(running(t, word)) >= 3 })
			if err := c.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			got := status(t, c.Wait())
			eventually(t, patience, signal.String()+" leaves processes", func() bool { return len(running(t, word)) == 0 })
			if got != want {
				t.Errorf("%v: status %d, want %d", signal, got, want)
			}
		}
	})
}

// TestGroupSignals: the same for a whole process group, as a terminal or a
// job's owner sends it.
func TestGroupSignals(t *testing.T) {
	newest(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
			c, word := l.busy(t)
			if err := syscall.Kill(-c.Process.Pid, signal); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			eventually(t, patience, signal.String()+" leaves processes", func() bool { return len(running(t, word)) == 0 })
		}
	})
}

// TestBackground: D12, what the command leaves behind ends with it.
func TestBackground(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		word := l.word("left")
		leave := `setsid bash -c 'exec -a "$1" sleep 300' bash "$1" </dev/null >/dev/null 2>&1 & disown; exit 4`
		l.run(t, "bash", "-c", leave, "bash", word).expect(t, "a background child", 4, "")
		eventually(t, patience, "a background child is left", func() bool { return len(running(t, word)) == 0 })

		control := exec.Command("bash", "-c", leave, "bash", word+"-outside")
		_ = control.Run()
		eventually(t, patience, "the control leaves no child", func() bool { return len(running(t, word+"-outside")) == 1 })
		for _, pid := range running(t, word+"-outside") {
			_ = exec.Command("kill", pid).Run()
		}
	})
}

// TestParentDies: the launcher's parent may end as it likes.
func TestParentDies(t *testing.T) {
	newest(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		word := l.word("orphan")
		parent := exec.Command("bash", "-c", `cd "$1" && shift && "$@" & exec sleep 300`, "bash", l.project, l.file, "bash", "-c", `exec -a "$1" sleep 300`, "bash", word)
		parent.Env = l.environment
		l.become(parent)
		parent.SysProcAttr.Setpgid = true
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		inside := func() bool { return len(running(t, word)) > 0 }
		eventually(t, patience, "the sandbox does not start", inside)
		if err := syscall.Kill(-parent.Process.Pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = parent.Wait()
		eventually(t, patience, "a killed parent's group leaves processes", func() bool { return !inside() })
	})
}

// TestThread: the sandbox outlives the thread that started the launcher.
func TestThread(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		var stdout bytes.Buffer
		c := l.command(context.Background(), "sh", "-c", "sleep 0.4; echo alive; exit 5")
		c.Stdout = &stdout
		started := make(chan error)
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			started <- c.Start()
		}()
		if err := <-started; err != nil {
			t.Fatal(err)
		}
		result{status(t, c.Wait()), stdout.String(), ""}.expect(t, "started from a thread that ends", 5, "alive\n")
	})
}

// TestOwnScript: the launcher in the project cannot be changed from inside,
// and may be rewritten from outside while it runs.
func TestOwnScript(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		script, err := os.ReadFile(l.file)
		if err != nil {
			t.Fatal(err)
		}
		l.file = filepath.Join(w.project, "tools/bin/launch")
		if err := os.MkdirAll(filepath.Dir(l.file), 0o755); err != nil {
			t.Fatal(err)
		}
		w.give(t, filepath.Join(w.project, "tools"))
		w.put(t, l.file, script)
		for _, do := range []string{
			`echo evil >>tools/bin/launch`, `rm -f tools/bin/launch`, `mv tools/bin/launch x`, `mv tools/bin x`, `mv tools x`,
			`cp file x && mv -f x tools/bin/launch`, `rm -rf tools`, `chmod 777 tools/bin/launch`, `ln -f file tools/bin/launch`,
		} {
			if r := l.run(t, "sh", "-c", do); r.status == 0 {
				t.Errorf("%s: works", do)
			}
		}
		now, err := os.ReadFile(l.file)
		if err != nil || !bytes.Equal(now, script) {
			t.Errorf("the launcher has changed, or is gone: %v", err)
		}
		c := l.command(context.Background(), "sh", "-c", "sleep 0.4; exit 6")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(150 * time.Millisecond)
		edited := append([]byte(strings.Repeat("exit 99 # edited\n", len(script)/17)), "exit 98\n"...)
		if err := os.WriteFile(l.file, edited, 0o755); err != nil {
			t.Fatal(err)
		}
		if got := status(t, c.Wait()); got != 6 {
			t.Errorf("edited while it ran: status %d, want 6", got)
		}
	})
}

// TestBwrapInProject: G5 and 6, a bwrap that must not be used, and none.
func TestBwrapInProject(t *testing.T) {
	newest(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		fake := []byte("#!/bin/sh\ntouch " + w.outside + "/made-fake\necho ran\n")
		for _, dir := range []string{filepath.Join(w.project, "a"), filepath.Join(w.home, "loose")} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			w.put(t, filepath.Join(dir, "bwrap"), fake)
		}
		if err := os.Chmod(filepath.Join(w.home, "loose"), 0o777); err != nil {
			t.Fatal(err)
		}
		l.from(t, `"$L" echo ran`, "PATH="+w.project+"/a:"+s.path()).refused(t, "bwrap in the project", "bwrap")
		l.from(t, `cd "$HOME/code/p/b" && "$L" echo ran`, "PATH=../a:"+s.path()).expect(t, "a relative PATH", 0, "ran\n")
		none := l.from(t, `ln -s /bin/bash /bin/env "$HOME/code/other/"; PATH="$HOME/code/other"; "$L" echo ran`)
		none.refused(t, "no bwrap", "bwrap is not installed")
		if exists(filepath.Join(w.outside, "made-fake")) {
			t.Error("the bwrap of the project has run")
		}
	})
}

// TestBroken: G3 and 8, a bwrap that cannot.
func TestBroken(t *testing.T) {
	newest(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		for _, words := range []string{
			"setting up uid map: Permission denied", "No permissions to create a new namespace, likely because the kernel does not allow non-privileged user namespaces.",
			"Creating new namespace failed: Operation not permitted", "Unknown option --overlay-src",
		} {
			w.put(t, filepath.Join(w.home, "code/bwrap"), []byte("#!/bin/sh\necho 'bwrap: "+words+"' >&2\nexit 1\n"))
			r := l.from(t, `"$L" echo ran`, "PATH="+w.home+"/code:"+s.path())
			r.refused(t, words, words)
		}
	})
}

// TestBwrapLink: G5, a bwrap of the project that is reached by a link.
func TestBwrapLink(t *testing.T) {
	newest(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		w.put(t, filepath.Join(w.project, "a", "bwrap"), []byte("#!/bin/sh\ntouch "+w.outside+"/made-fake\necho ran\n"))
		l.shell(t, `ln -s "$P/a" "$H/linked" && ln -s "$P/a/bwrap" "$H/.cache/bwrap"`)
		l.from(t, `"$L" echo ran`, "PATH="+w.home+"/linked:"+s.path()).refused(t, "bwrap in the project by a link to the directory", "bwrap")
		l.from(t, `"$L" echo ran`, "PATH="+w.home+"/.cache:"+s.path()).refused(t, "bwrap in the project by a link to the file", "bwrap")
	})
}
