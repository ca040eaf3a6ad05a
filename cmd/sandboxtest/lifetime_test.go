package sandboxtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"bwrapgen/cmd/harness"
)

// busy starts a command that lasts, with children that ignore signals, and
// gives the word that its processes have in common.
func (l launcher) busy(t *testing.T) (*exec.Cmd, string) {
	t.Helper()
	word := l.word("busy")
	c := l.Command(context.Background(), "bash", "-c",
		`trap "" TERM HUP; setsid bash -c 'exec -a "$1" sleep 300' bash "$1" & (trap "" INT; exec -a "$1" sleep 300) & echo started; exec -a "$1" sleep 300`, "bash", word)
	c.SysProcAttr.Setpgid = true
	harness.Begin(t, c, "started")
	harness.Complete(t, word)
	harness.Eventually(t, "the processes of the sandbox are seen", func() bool { return len(harness.Running(t, word)) >= 3 })
	return c, word
}

// word is one that no process of another world has among its arguments.
func (w world) word(prefix string) string { return prefix + "-" + filepath.Base(w.Top) }

// TestSignals: 14, 15 and D13, what ends the launcher ends the sandbox.
func TestSignals(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		for signal, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGKILL: 137} {
			c, word := l.busy(t)
			if err := c.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			got := harness.Status(t, c.Wait())
			harness.Eventually(t, signal.String()+" leaves no processes", func() bool { return len(harness.Running(t, word)) == 0 })
			if got != want {
				t.Errorf("%v: status %d, want %d", signal, got, want)
			}
		}
	})
}

// TestGroupSignals: the same for a whole process group, as a terminal or a
// job's owner sends it.
func TestGroupSignals(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
			c, word := l.busy(t)
			if err := syscall.Kill(-c.Process.Pid, signal); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			harness.Eventually(t, signal.String()+" leaves no processes", func() bool { return len(harness.Running(t, word)) == 0 })
		}
	})
}

// TestBackground: D12, what the command leaves behind ends with it.
func TestBackground(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		word := l.word("left")
		leave := `setsid bash -c 'exec -a "$1" sleep 300' bash "$1" </dev/null >/dev/null 2>&1 & disown; exit 4`
		l.Run(t, "bash", "-c", leave, "bash", word).Expect(t, "a background child", 4, "")
		harness.Eventually(t, "no background child is left", func() bool { return len(harness.Running(t, word)) == 0 })

		control := exec.Command("bash", "-c", leave, "bash", word+"-outside")
		_ = control.Run()
		harness.Eventually(t, "the control leaves a child", func() bool { return len(harness.Running(t, word+"-outside")) == 1 })
		for _, pid := range harness.Running(t, word+"-outside") {
			_ = exec.Command("kill", pid).Run()
		}
	})
}

// TestParentDies: the launcher's parent may end as it likes.
func TestParentDies(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		word := l.word("orphan")
		parent := exec.Command("bash", "-c", `cd "$1" && shift && "$@" & exec sleep 300`, "bash", l.Project, l.Program, "bash", "-c", `exec -a "$1" sleep 300`, "bash", word)
		parent.Env = l.Environment
		l.Become(parent)
		parent.SysProcAttr.Setpgid = true
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		inside := func() bool { return len(harness.Running(t, word)) > 0 }
		harness.Complete(t, word)
		if err := syscall.Kill(-parent.Process.Pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = parent.Wait()
		harness.Eventually(t, "a killed parent's group leaves no processes", func() bool { return !inside() })
	})
}

// TestThread: the sandbox outlives the thread that started the launcher.
func TestThread(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s).launch(t, `extends = ["default"]`).ready(t)
		started, end := make(chan error), make(chan bool)
		thread := onThread(func() {
			started <- w.command.Start()
			<-end
		})
		if err := <-started; err != nil {
			t.Fatal(err)
		}
		w.read(t, "ready\n")
		close(end)
		harness.Eventually(t, "the thread ends", func() bool { return !harness.Exists(fmt.Sprint("/proc/self/task/", thread)) })
		w.write(t, "echo tried")
		if got := w.end(t); got != 0 {
			t.Errorf("started from a thread that ends: status %d", got)
		}
	})
}

// onThread does something on a thread that ends with it, and gives its number.
// The first thread of a process never ends, so it waits while another is made.
func onThread(do func()) int {
	number := make(chan int)
	go func() {
		runtime.LockOSThread()
		if own := unix.Gettid(); own != os.Getpid() {
			number <- own
			do()
			return // without unlocking it
		}
		number <- onThread(do)
		runtime.UnlockOSThread()
	}()
	return <-number
}

// TestOwnScript: the launcher in the project cannot be changed from inside,
// and may be rewritten from outside while it runs.
func TestOwnScript(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		script, err := os.ReadFile(l.Program)
		if err != nil {
			t.Fatal(err)
		}
		l.Program = filepath.Join(w.Project, "tools/bin/launch")
		if err := os.MkdirAll(filepath.Dir(l.Program), 0o755); err != nil {
			t.Fatal(err)
		}
		w.Give(t, filepath.Join(w.Project, "tools"))
		w.Put(t, l.Program, script)
		for _, do := range []string{
			`echo evil >>tools/bin/launch`, `rm -f tools/bin/launch`, `mv tools/bin/launch x`, `mv tools/bin x`, `mv tools x`,
			`cp file x && mv -f x tools/bin/launch`, `rm -rf tools`, `chmod 777 tools/bin/launch`, `ln -f file tools/bin/launch`,
		} {
			if r := l.Run(t, "sh", "-c", do); r.Status == 0 {
				t.Errorf("%s: works", do)
			}
		}
		now, err := os.ReadFile(l.Program)
		if err != nil || !bytes.Equal(now, script) {
			t.Errorf("the launcher has changed, or is gone: %v", err)
		}
		runs := l.waits(t)
		runs.write(t, "trap 'exit 6' EXIT; echo tried")
		edited := append([]byte(strings.Repeat("exit 99 # edited\n", len(script)/17)), "exit 98\n"...)
		if err := os.WriteFile(l.Program, edited, 0o755); err != nil {
			t.Fatal(err)
		}
		if got := runs.end(t); got != 6 {
			t.Errorf("edited while it ran: status %d, want 6", got)
		}
	})
}

// TestOwnLink: a link in the project that leads to the launcher cannot be held. That is
// said, and at the end that it leads elsewhere; of one that is outside, nothing is.
func TestOwnLink(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		script := l.Program
		for name, remove := range map[string]string{"box": "box", "chain": "box"} {
			l.shell(t, `rm -rf box chain top; ln -s "`+script+`" box; ln -s box chain; ln -s "`+w.Top+`" top`)
			l.Program = filepath.Join(w.Project, name)
			if r := l.Run(t, "true").Says(t, l.Program+" is, or is below, a symbolic link: only its target is protected"); strings.Contains(r.Stderr, "the command created") {
				t.Errorf("nothing has changed at %s: %s", name, r.Stderr)
			}
			l.Run(t, "sh", "-c", "rm "+remove+" && mkdir -p ./"+filepath.Dir(name)+" && cp --remove-destination file "+name).Says(t, "the command created "+l.Program+", which").Ends(t, 0)
		}
		l.Program = filepath.Join(w.Home, "box")
		l.shell(t, `rm -rf box chain top; ln -s "`+script+`" "`+l.Program+`"`)
		if r := l.Run(t, "true").Ends(t, 0); r.Stderr != "" {
			t.Errorf("a link outside: %s", r.Stderr)
		}
	})
}

// TestBwrapInProject: G5 and 6, a bwrap that must not be used, and none.
func TestBwrapInProject(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		fake := []byte("#!/bin/sh\ntouch " + w.Outside + "/made-fake\necho ran\n")
		w.Put(t, filepath.Join(w.Project, "a", "bwrap"), fake)
		l.from(t, `"$L" echo ran`, "PATH="+w.Project+"/a:"+s.Path()).Refused(t, "bwrap in the project", "bwrap")
		l.from(t, `cd "$HOME/code/p/b" && "$L" echo ran`, "PATH=../a:"+s.Path()).Expect(t, "a relative PATH", 0, "ran\n")
		none := l.from(t, `ln -s /bin/bash /bin/env "$HOME/code/other/"; PATH="$HOME/code/other"; "$L" echo ran`)
		none.Refused(t, "no bwrap", "bwrap is not installed")
		if harness.Exists(filepath.Join(w.Outside, "made-fake")) {
			t.Error("the bwrap of the project has run")
		}
	})
}

// TestBroken: G3 and 8, a bwrap that cannot.
func TestBroken(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		for _, words := range []string{
			"setting up uid map: Permission denied", "No permissions to create a new namespace, likely because the kernel does not allow non-privileged user namespaces.",
			"Creating new namespace failed: Operation not permitted", "Unknown option --overlay-src",
		} {
			w.Put(t, filepath.Join(w.Home, "code/bwrap"), []byte("#!/bin/sh\necho 'bwrap: "+words+"' >&2\nexit 1\n"))
			r := l.from(t, `"$L" echo ran`, "PATH="+w.Home+"/code:"+s.Path())
			r.Refused(t, words, words)
		}
		kept := w.launch(t, "extends = [\"default\"]\nfilesystem.overlay = [\"~/notes!\"]")
		kept.from(t, `"$L" echo ran`, "PATH="+w.Home+"/code:"+s.Path()).Refused(t, "too old, with a store", "this version of bwrap is too old")
	})
}

// TestBwrapLink: G5, a bwrap of the project that is reached by a link.
func TestBwrapLink(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		w.Put(t, filepath.Join(w.Project, "a", "bwrap"), []byte("#!/bin/sh\ntouch "+w.Outside+"/made-fake\necho ran\n"))
		l.shell(t, `ln -s "$P/a" "$H/linked" && ln -s "$P/a/bwrap" "$H/.cache/bwrap"`)
		l.from(t, `"$L" echo ran`, "PATH="+w.Home+"/linked:"+s.Path()).Refused(t, "bwrap in the project by a link to the directory", "bwrap")
		l.from(t, `"$L" echo ran`, "PATH="+w.Home+"/.cache:"+s.Path()).Refused(t, "bwrap in the project by a link to the file", "bwrap")
	})
}
