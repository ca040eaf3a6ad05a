package sandboxtest

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bwrapgen/cmd/harness"
)

// shell is an interactive bash with job control on a terminal, where L is the
// launcher.
func (l launcher) terminal(t *testing.T) *harness.Terminal {
	t.Helper()
	x := harness.NewTerminal(t, l.Account)
	c := exec.Command("/bin/bash", "--norc", "--noprofile", "--noediting", "-i")
	c.Dir, c.Env = l.Dir, append(harness.With(l.Environment, "PS1=prompt> ", "SHELL=/bin/bash", "HISTFILE=/dev/null"), l.names()...)
	c.Env = append(c.Env, "L="+l.Program)
	l.Become(c)
	x.Start(t, c)
	x.Expect(t, "prompt> $")
	return x
}

// TestTerminal: G1, G2 and 16 to 18, job control as without a sandbox.
//
// The shell says that a job is stopped as soon as its own child is, of a
// script as of a launcher: the command below it may still be about to stop,
// and would take what is typed by then. Whoever types waits for both.
func TestTerminal(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		x := l.terminal(t)
		before := x.Settings(t)
		ended := func(want string) {
			t.Helper()
			x.Expect(t, "prompt> $")
			x.Types(t, "echo status=$?\n")
			x.Expect(t, `\nstatus=`+want+`\r`)
			x.Expect(t, "prompt> $")
		}

		x.Types(t, "\"$L\" \"$inside\" signals\n")
		x.Expect(t, `ready\r\n`)
		x.Types(t, "\x03")
		x.Expect(t, `came SIGINT\r\n`)
		x.Resize(t, 100, 30)
		x.Expect(t, `came SIGWINCH\r\n`)
		x.Types(t, "\x1c")
		x.Expect(t, `came SIGQUIT\r\n`)
		x.Types(t, "end\n")
		x.Expect(t, `ended\r\n`)
		ended("9")
		if n := x.Count("came SIGINT"); n != 1 {
			t.Errorf("16: SIGINT came %d times", n)
		}

		x.Types(t, "\"$L\" bash -c 'trap \"exit 9\" INT; echo rea\"\"dy; while :; do read -r -t 1; done'\n")
		x.Expect(t, `ready\r\n`)
		x.Types(t, "\x03")
		ended("9")

		x.Types(t, "\"$L\" sh -c 'echo rea\"\"dy; exec sleep 50'\n")
		x.Expect(t, `ready\r\n`)
		x.Types(t, "\x03")
		ended("130")

		word, script := l.word("reads"), `echo rea""dy; read -r line; echo "got:$line"; exit 4`
		x.Types(t, `"$L" sh -c '`+script+"' "+word+"\n")
		x.Expect(t, `ready\r\n`)
		x.Types(t, "\x1a")
		x.Expect(t, `Stopped`)
		x.Expect(t, "prompt> $")
		harness.Eventually(t, "Ctrl-Z stops the command", func() bool { return harness.Stopped(t, "sh", "-c", script, word) })
		x.Types(t, "jobs\n")
		x.Expect(t, `Stopped`)
		x.Types(t, "fg\n")
		x.Types(t, "line\n")
		x.Expect(t, `got:line\r\n`)
		ended("4")

		x.Types(t, "\"$L\" sh -c 'sleep 0.3; exit 5' &\n")
		x.Types(t, "wait %1; echo background=$?\n")
		x.Expect(t, `background=5\r`)

		if after := x.Settings(t); after != before {
			t.Errorf("18: the terminal's settings are %v, were %v", after, before)
		}
	})
}

// TestTerminalDevices: G2, what is a terminal inside.
func TestTerminalDevices(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		x := l.terminal(t)
		for _, c := range []struct{ do, want string }{
			{`test -t 0 && test -t 1 && test -t 2 && echo three""-terminals`, `three-terminals\r`},
			{`: </dev/tty && echo can""-open`, `can-open\r`},
			{`echo through""-tty >/dev/tty`, `through-tty\r`},
			{`stty size`, `\n24 80\r`},
			{`tty && echo is""-named`, `is-named\r`},
			{`stty -echo; stty echo; echo stty""-works`, `stty-works\r`},
			{`script -qec "echo nes""ted" /dev/null`, `nested\r`},
		} {
			x.Types(t, `"$L" bash -c '`+c.do+"'\n")
			x.Expect(t, c.want)
			x.Expect(t, "prompt> $")
		}
	})
}

// TestInjection: E7 and 19, nothing can be typed into the caller's terminal.
func TestInjection(t *testing.T) {
	t.Parallel()
	for name, profile := range map[string]string{
		"job control":       `extends = ["default"]`,
		"new session":       "extends = [\"default\"]\n[terminal]\nmode = \"new-session\"",
		"no other filter":   "extends = [\"default\"]\n[kernel]\nseccomp = \"none\"",
		"new session alone": "extends = [\"default\"]\n[kernel]\nseccomp = \"none\"\n[terminal]\nmode = \"new-session\"",
	} {
		t.Run(name, func(t *testing.T) {
			harness.Ends(t, func(t *testing.T, s harness.Setting) {
				if strings.Contains(profile, "seccomp") && filepath.Base(s.Bwrap) == "0.4.1" {
					return // the launcher refuses: TestPromises
				}
				l := newWorld(t, s).launch(t, profile)
				x := l.terminal(t)
				for _, attempt := range []string{"tiocsti", "tiocsti-tty", "tiocsti-high", "tioclinux", "tioclinux-high"} {
					x.Types(t, `"$L" "$inside" try `+attempt+"; echo ended\n")
					x.Expect(t, `\n(EPERM|ENXIO|EIO|ENOTTY)\r\n`)
					x.Expect(t, `ended\r\nprompt> $`)
				}
				x.Types(t, `"$L" "$inside" try winsize; echo ended`+"\n")
				x.Expect(t, `\nok\r\nended`)
			})
		})
	}
}

// TestInjectionOutside is the control: here the kernel lets characters be
// typed, or refuses it to everybody.
func TestInjectionOutside(t *testing.T) {
	for _, a := range harness.Accounts() {
		settings := a.Settings(t)
		x := newWorld(t, settings[0]).launch(t, `extends = ["look"]`).terminal(t)
		x.Types(t, `"$inside" try tiocsti; "$inside" try tiocsti-tty; echo ended`+"\n")
		x.Expect(t, `\n ?(ok|EIO)\r\n ?(ok|EIO)\r\n`)
	}
}

// TestNewSession: what a new session costs, and that it ends all the same.
func TestNewSession(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, "extends = [\"default\"]\n[terminal]\nmode = \"new-session\"")
		x := l.terminal(t)
		x.Types(t, `"$L" bash -c ': </dev/tty && echo op""en || echo no""-tty; exit 3'; echo status=$?`+"\n")
		x.Expect(t, `no-tty\r`)
		x.Expect(t, `status=3\r`)

		// Ctrl-C does not reach the command, but ends it.
		word := l.word("new-session")
		x.Types(t, `"$L" bash -c 'trap "" INT; echo rea""dy; exec -a "$1" sleep 300' bash `+word+"; echo status=$?\n")
		x.Expect(t, `ready\r`)
		harness.Eventually(t, "the command is seen", func() bool { return len(harness.Running(t, word)) > 0 })
		x.Types(t, "\x03")
		x.Expect(t, `status=130\r`)
		harness.Eventually(t, "Ctrl-C leaves no process", func() bool { return len(harness.Running(t, word)) == 0 })
	})
}

// TestHangup: 15, the terminal is closed.
func TestHangup(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		word := l.word("hangup")
		x := harness.NewTerminal(t, l.Account)
		c := l.Command(context.Background(), "bash", "-c", `setsid bash -c 'exec -a "$1" sleep 300' bash "$1" & echo ready; exec -a "$1" sleep 300`, "bash", word)
		x.Start(t, c)
		x.Expect(t, `ready\r\n`)
		harness.Complete(t, word)
		harness.Eventually(t, "the processes of the sandbox are seen", func() bool { return len(harness.Running(t, word)) >= 2 })
		x.Hangup()
		harness.Eventually(t, "a closed terminal leaves no processes", func() bool { return len(harness.Running(t, word)) == 0 })
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
	})
}
