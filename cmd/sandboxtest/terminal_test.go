package sandboxtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func itoa(n int) string { return strconv.Itoa(n) }

// shell is an interactive bash with job control on a terminal, where L is the
// launcher.
func (l launcher) terminal(t *testing.T) *terminal {
	t.Helper()
	x := newTerminal(t, l.account)
	c := exec.Command("/bin/bash", "--norc", "--noprofile", "--noediting", "-i")
	c.Dir, c.Env = l.dir, append(with(l.environment, "PS1=prompt> ", "HISTFILE=/dev/null"), l.names()...)
	c.Env = append(c.Env, "L="+l.file)
	l.become(c)
	x.start(t, c)
	x.expect(t, "prompt> $")
	return x
}

// TestTerminal: G1, G2 and 16 to 18, job control as without a sandbox.
//
// The shell says that a job is stopped as soon as its own child is, of a
// script as of a launcher: the command below it may still be about to stop,
// and would take what is typed by then. Whoever types waits for both.
func TestTerminal(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		x := l.terminal(t)
		before := x.settings(t)
		ended := func(want string) {
			t.Helper()
			x.expect(t, "prompt> $")
			x.types(t, "echo status=$?\n")
			x.expect(t, `\nstatus=`+want+`\r`)
			x.expect(t, "prompt> $")
		}

		x.types(t, "\"$L\" \"$inside\" signals\n")
		x.expect(t, `ready\r\n`)
		x.types(t, "\x03")
		x.expect(t, `came SIGINT\r\n`)
		x.resize(t, 100, 30)
		x.expect(t, `came SIGWINCH\r\n`)
		x.types(t, "\x1c")
		x.expect(t, `came SIGQUIT\r\n`)
		x.types(t, "end\n")
		x.expect(t, `ended\r\n`)
		ended("9")
		if n := x.count("came SIGINT"); n != 1 {
			t.Errorf("16: SIGINT came %d times", n)
		}

		x.types(t, "\"$L\" bash -c 'trap \"exit 9\" INT; echo rea\"\"dy; while :; do read -r -t 1; done'\n")
		x.expect(t, `ready\r\n`)
		x.types(t, "\x03")
		ended("9")

		x.types(t, "\"$L\" sh -c 'echo rea\"\"dy; exec sleep 50'\n")
		x.expect(t, `ready\r\n`)
		x.types(t, "\x03")
		ended("130")

		word, script := l.word("reads"), `echo rea""dy; read -r line; echo "got:$line"; exit 4`
		x.types(t, `"$L" sh -c '`+script+"' "+word+"\n")
		x.expect(t, `ready\r\n`)
		x.types(t, "\x1a")
		x.expect(t, `Stopped`)
		x.expect(t, "prompt> $")
		eventually(t, patience, "Ctrl-Z does not stop the command", func() bool { return stopped("sh", "-c", script, word) })
		x.types(t, "jobs\n")
		x.expect(t, `Stopped`)
		x.types(t, "fg\n")
		x.types(t, "line\n")
		x.expect(t, `got:line\r\n`)
		ended("4")

		x.types(t, "\"$L\" sh -c 'sleep 0.3; exit 5' &\n")
		x.types(t, "wait %1; echo background=$?\n")
		x.expect(t, `background=5\r`)

		if after := x.settings(t); after != before {
			t.Errorf("18: the terminal's settings are %v, were %v", after, before)
		}
	})
}

// stopped says whether a command with just these words is there, and stopped.
func stopped(words ...string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if data, _ := os.ReadFile(file); string(data) != strings.Join(words, "\x00")+"\x00" {
			continue
		}
		status, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "stat"))
		return strings.Contains(string(status), ") T ")
	}
	return false
}

// TestTerminalDevices: G2, what is a terminal inside.
func TestTerminalDevices(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
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
			x.types(t, `"$L" bash -c '`+c.do+"'\n")
			x.expect(t, c.want)
			x.expect(t, "prompt> $")
		}
	})
}

// TestInjection: E7 and 19, nothing can be typed into the caller's terminal.
func TestInjection(t *testing.T) {
	for name, profile := range map[string]string{
		"job control": `extends = ["default"]`,
		"new session": "extends = [\"default\"]\n[terminal]\nmode = \"new-session\"",
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, s setting) {
				l := newWorld(t, s).launch(t, profile)
				x := l.terminal(t)
				for _, deed := range []string{"tiocsti", "tiocsti-tty", "tiocsti-high", "tioclinux", "tioclinux-high"} {
					x.types(t, `"$L" "$inside" try `+deed+"; echo ended\n")
					x.expect(t, `\n(EPERM|ENXIO|EIO|ENOTTY)\r\n`)
					x.expect(t, `ended\r\nprompt> $`)
				}
				x.types(t, `"$L" "$inside" try winsize; echo ended`+"\n")
				x.expect(t, `\nok\r\nended`)
			})
		})
	}
}

// TestInjectionOutside is the control: here the kernel lets characters be
// typed, or refuses it to everybody.
func TestInjectionOutside(t *testing.T) {
	for _, a := range accounts() {
		settings := a.bwraps()
		if len(settings) == 0 {
			unable(t, "bwrap is not in PATH")
		}
		x := newWorld(t, settings[0]).launch(t, `extends = ["look"]`).terminal(t)
		x.types(t, `"$inside" try tiocsti; "$inside" try tiocsti-tty; echo ended`+"\n")
		x.expect(t, `\n ?(ok|EIO)\r\n ?(ok|EIO)\r\n`)
	}
}

// TestNewSession: what a new session costs, and that it ends all the same.
func TestNewSession(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, "extends = [\"default\"]\n[terminal]\nmode = \"new-session\"")
		x := l.terminal(t)
		x.types(t, `"$L" bash -c ': </dev/tty && echo op""en || echo no""-tty; exit 3'; echo status=$?`+"\n")
		x.expect(t, `no-tty\r`)
		x.expect(t, `status=3\r`)
	})
}

// TestHangup: 15, the terminal is closed.
func TestHangup(t *testing.T) {
	everywhere(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		word := l.word("hangup")
		x := newTerminal(t, l.account)
		c := l.command(context.Background(), "bash", "-c", `setsid bash -c 'exec -a "$1" sleep 300' bash "$1" & echo ready; exec -a "$1" sleep 300`, "bash", word)
		x.start(t, c)
		x.expect(t, `ready\r\n`)
		eventually(t, patience, "the processes of the sandbox are not seen", func() bool { return len(running(t, word)) >= 2 })
		_ = x.slave.Close()
		_ = x.master.Close()
		eventually(t, patience, "a closed terminal leaves processes", func() bool { return len(running(t, word)) == 0 })
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
	})
}
