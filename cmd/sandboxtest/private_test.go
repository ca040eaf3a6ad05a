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

	"bwrapgen/cmd/harness"
	"bwrapgen/cmd/harness/inside"
)

const private = "extends = [\"default\"]\n[network]\nmode = \"private\""

// routes reports whether all users of this machine may lead out of a network. Where they
// may not, a launcher refuses to run anything, unless it is root's.
func routes(t *testing.T) bool {
	t.Helper()
	info, err := os.Stat("/dev/net/tun")
	if err == nil && info.Mode().Perm()&0o006 == 0o006 {
		return true
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		r := newWorld(t, s).launch(t, private).Run(t, "echo", "ran")
		if s.UID != 0 || err != nil {
			r.Refused(t, "no /dev/net/tun", "cannot open /dev/net/tun")
		}
	})
	return false
}

// without has a launcher find no such programs, where it looks for its own.
const without = `for name in $1; do ! at=$(PATH=/usr/sbin:/usr/bin:/sbin:/bin; command -v "$name") || mount --bind /dev/null "$at"; done`

// guides are what leads out of networks, and what is missing then.
var guides = map[string]string{"pasta": "slirp4netns", "slirp4netns": "pasta"}

// oldPasta reports whether it is older than October 2024.
func oldPasta() bool {
	return exec.Command("pasta", "--host-lo-to-ns-lo", "--version").Run() != nil
}

// TestPrivateNetwork: in a network of its own nothing of this host's loopback can be
// reached, not by the address of the way out either, nor by its device.
func TestPrivateNetwork(t *testing.T) {
	t.Parallel()
	if !routes(t) {
		return
	}
	unreachable := `refused|unreachable|ECONNREFUSED|ENETUNREACH`
	const host = `"$inside" connect tcp 127.0.0.1:$PORT`
	const soon = `timeout 3 "$inside" connect tcp `
	const failing = ` || { echo unreachable; false; }`
	for guide, missing := range guides {
		prepare := func(_ *testing.T, l *launcher) { l.Start = l.InNamespace(without, missing) }
		attack(t, private, []row{
			{name: "F2 the host's loopback", do: host, denied: unreachable},
			{name: "F2 that of IPv6", do: `"$inside" connect tcp [::1]:$PORT`, denied: unreachable, control: host},
			{name: "F2 by the way out", do: soon + `10.0.2.2:$PORT` + failing, denied: unreachable, control: host},
			{name: "F2 by that of IPv6", do: soon + `[fe80::2%tap0]:$PORT` + failing, denied: unreachable, control: host},
			{name: "F2 by its own address", do: `"$inside" connect tcp 10.0.2.100:$PORT`, denied: unreachable, control: host},
			{name: "F3 one's own loopback", do: `"$inside" echo tcp 127.0.0.1:0 && "$inside" echo tcp [::1]:0`},
			{name: "F4 an abstract socket", do: `"$inside" connect unix "@$ABSTRACT"`, denied: unreachable},
			{name: "its own interfaces", do: `tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | sort | tr '\n' ' '`, says: `^lo tap0$`},
			{name: "a way out", do: `grep -c "^tap0.00000000.0202000A" /proc/net/route`, says: `^1$`},
			{name: "no descriptor of the way", do: `cd /proc/self/fd && echo [3-9]* [1-9][0-9]*`, says: `^3 \[1-9\]\[0-9\]\*$|^\[3-9\]\* \[1-9\]\[0-9\]\*$`},
			{name: "the way cannot be changed", do: `ip link set tap0 down || "$inside" connect tcp 127.0.0.1:$PORT`, denied: unreachable + `|not permitted`, control: none},
		}, prepare)
		if t.Failed() {
			t.Fatalf("by %s", guide)
		}
	}
}

// TestPrivateNames: what goes out by that way comes back: names that the host's
// resolver knows are known inside.
func TestPrivateNames(t *testing.T) {
	t.Parallel()
	if !routes(t) {
		return
	}
	const prepare = `"$1" names >/dev/null 2>&1 </dev/null &
		for dir in /etc /run; do mount -t tmpfs none "$dir"; done
		mkdir -p "${2%/*}" && echo "nameserver $3" >"$2"
		[ "$2" = /etc/resolv.conf ] || ln -s "$2" /etc/resolv.conf`
	const resolve = `for ((i = 0; i < $0; i++)); do getent hosts name.test && exit; sleep 0.05; done; exit 1` // it may not be there yet
	for name, text := range map[string]string{"select": private, "host": private + "\n[filesystem]\nbase = \"host\""} {
		harness.Ends(t, func(t *testing.T, s harness.Setting) {
			if name == "host" && filepath.Base(s.Bwrap) == "0.4.1" {
				return // TestSecrets: it refuses
			}
			l := newWorld(t, s).launch(t, text)
			for _, file := range []string{"/etc/resolv.conf", "/run/systemd/resolve/stub-resolv.conf"} {
				r := l.InNetwork(prepare, filepath.Join(l.programs, inside.Name), file, inside.Server).Run(t, "bash", "-c", resolve, "200")
				if r.Status != 0 || !strings.Contains(r.Stdout, inside.Answer) {
					t.Errorf("%s base, %s: %d, %s%s", name, file, r.Status, r.Stdout, r.Stderr)
				}
			}
		})
	}
}

// TestPrivateNetworkAbsent: 59, without a way out nothing runs.
func TestPrivateNetworkAbsent(t *testing.T) {
	t.Parallel()
	if !routes(t) {
		return
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, private)
		fails := filepath.Join(l.Top, "fails")
		if err := os.WriteFile(fails, []byte("#!/bin/sh\necho the reason >&2\nexit 3\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		const cover = `mount --bind "$1" "$(command -v "$2")"; mount --bind /dev/null "$(command -v "$3")"`
		l.InNamespace(without, "pasta slirp4netns").Run(t, "echo", "ran").Refused(t, "neither", "neither pasta nor slirp4netns is installed", "install the package passt")
		l.InNamespace(`mount -t tmpfs none /dev/net`).Run(t, "echo", "ran").Refused(t, "no /dev/net/tun", "cannot open /dev/net/tun")
		for guide, missing := range guides {
			failing := l.InNamespace(cover, fails, guide, missing)
			failing.Run(t, "echo", "ran").Refused(t, guide+" fails", "network is not connected", "--sandbox-doctor")
			failing.Run(t, "--sandbox-doctor").Says(t, "the reason").Ends(t, 125)
			failing.Run(t, "--sandbox-explain", "/etc/resolv.conf").Succeeds(t, "what needs no network")
			alone := l.InNamespace("trap '' PIPE\n"+without, missing) // as systemd has it
			alone.Run(t, "echo", "ran").Expect(t, "with "+guide+" alone", 0, "ran\n")
		}
		if oldPasta() {
			l.InNamespace(without, "nft").Run(t, "echo", "ran").Refused(t, "an old pasta without nft", "also needs nft")
		}
		l.Run(t, "echo", "ran").Expect(t, "with all of it", 0, "ran\n")
		for _, status := range []int{1, 7, 125, 127, 143} {
			l.Run(t, "sh", "-c", "exit "+strconv.Itoa(status)).Ends(t, status)
		}
	})
}

// TestPrivateNetworkEnds: 59, the way out is gone with the launcher, whatever ends
// that, and so are all of its group.
func TestPrivateNetworkEnds(t *testing.T) {
	t.Parallel()
	if !routes(t) {
		return
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, private)
		for guide, missing := range guides {
			l := l
			l.Start = l.InNamespace(without, missing)
			l.Alone = true // it leads a group
			l.Run(t, "true").Ends(t, 0)
			harness.Eventually(t, "the end leaves no "+guide, func() bool { return l.leads() == 0 })
			for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL, -syscall.SIGKILL, -syscall.SIGQUIT} {
				c := l.Command(context.Background(), "sh", "-c", "trap '' QUIT; echo started; exec sleep 300")
				harness.Begin(t, c, "started")
				if l.leads() == 0 {
					t.Errorf("the control: no %s runs while the command does", guide)
				}
				if held := l.heldBeside(); held != "" {
					t.Errorf("what ends %s would hold a lock of the launcher's: %s", guide, held)
				}
				to := c.Process.Pid
				if signal < 0 { // to its group
					to, signal = -to, -signal
				}
				if err := syscall.Kill(to, signal); err != nil {
					t.Fatal(err)
				}
				if signal == syscall.SIGQUIT {
					harness.Eventually(t, "Ctrl-\\ leaves "+guide, func() bool { return l.leads() > 0 })
					_ = c.Process.Kill()
				}
				_ = c.Wait()
				harness.Eventually(t, signal.String()+" leaves no "+guide, func() bool { return l.leads() == 0 })
			}
		}
	})
}

// heldBeside is a lock that what runs beside this world's launchers has open.
func (l launcher) heldBeside() string {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		words, _ := os.ReadFile(path)
		environment, _ := os.ReadFile(filepath.Dir(path) + "/environ")
		if !strings.Contains(string(words), "keep_forwarder") || !strings.Contains(string(environment), l.Home) {
			continue
		}
		open, _ := filepath.Glob(filepath.Dir(path) + "/fd/*")
		for _, fd := range open {
			if to, _ := os.Readlink(fd); strings.HasSuffix(to, ".lock") {
				return to
			}
		}
	}
	return ""
}

// leads counts what leads out of networks of this world's launchers.
func (l launcher) leads() int {
	count := 0
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		words, _ := os.ReadFile(path)
		environment, _ := os.ReadFile(filepath.Dir(path) + "/environ")
		guide, _, _ := strings.Cut(string(words), "\x00")
		if guides[guide] != "" && strings.Contains(string(environment), l.Home) {
			count++
		}
	}
	return count
}

// TestPrivateNetworkAmong: the way out stands beside all else that a launcher opens, and
// what takes away the empty directory that stands for a protected name.
func TestPrivateNetworkAmong(t *testing.T) {
	t.Parallel()
	if !routes(t) {
		return
	}
	const among = `
[project]
hide = [".env"]
protect = ["deploy/own"]
report = true
[limits]
timeout = "60s"
output = "30KiB"
[sockets]
pass = ["ssh-agent", "dbus"]
[terminal]
mode = "new-session"`
	kept := guarded(t)
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		text := private
		if s.UID != 0 && kept {
			text = allows
		}
		l := w.launch(t, text+among)
		l.Run(t, "sh", "-c", `grep -q ^tap0 /proc/net/route && echo led; exit 9`).Expect(t, "a command", 9, "led\n")
		l.Run(t, "--sandbox-timeout", "1", "sleep", "300").Ends(t, 124)
		harness.Eventually(t, "no guide is left", func() bool { return l.leads() == 0 })
		word := l.word("among")
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
			c := l.Command(context.Background(), "sh", "-c", "echo started; exec sleep 300", word)
			harness.Begin(t, c, "started")
			if err := c.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			harness.Eventually(t, signal.String()+" leaves no guide", func() bool { return l.leads() == 0 })
		}
		harness.Eventually(t, "no process is left", func() bool { return len(harness.Running(t, word)) == 0 })
		l.Run(t, "true").Ends(t, 0)
		harness.Eventually(t, "nothing stands for the protected name", func() bool { return !harness.Exists(filepath.Join(w.Project, "deploy")) })
	})
}

// TestPrivateNetworkMounts: where mounts are shared, as systemd has it, those of the
// host stay.
func TestPrivateNetworkMounts(t *testing.T) {
	t.Parallel()
	if !routes(t) {
		return
	}
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, private)
		l.Start = l.InNamespace(`
			at=$1
			shift
			mkdir "$at"
			mount -t tmpfs x "$at"
			mkdir "$at/below"
			mount -t tmpfs y "$at/below"
			mount --make-rshared "$at"
			"$@"
			mountpoint -q "$at" && mountpoint -q "$at/below"
			set -- "$at" "$@"`, w.Top+"/mounted")
		l.Run(t, "grep", "-q", "^tap0", "/proc/net/route").Ends(t, 0)
	})
}
