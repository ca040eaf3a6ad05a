package sandboxtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/cmd/harness/inside"
)

const allows = "extends = [\"default\"]\n[network]\nmode = \"allow\"\nallow = [\"name.test:7000\", \"*.other.test\", \"*.loop.test\", \"*.link.test\", \"many.test:7000\", \"192.0.2.9:7001\"]\n"

// guarded reports whether networks can be kept to some hosts here. Where they cannot, a
// launcher refuses to run anything.
func guarded(t *testing.T) bool {
	t.Helper()
	if !routes(t) {
		return false
	}
	if exec.Command("env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "unshare", "--user", "--map-root-user", "--net", "nft", "add", "table", "inet", "allowed").Run() == nil {
		return true
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		newWorld(t, s).launch(t, allows).Run(t, "echo", "ran").Refused(t, "no nft", "slirp4netns, nft or dnsmasq")
	})
	return false
}

// reach tries names, addresses and ports. $0 says how often it tries the first name: the
// server may not be there yet. $1 is the program for inside.
const reach = `for ((i = 0; i < $0; i++)); do getent hosts name.test >/dev/null && break; sleep 0.05; done
exec 2>/dev/null
try() { line=$(timeout 1 bash -c 'read -r line </dev/tcp/$0/$1 && echo "$line"' "$1" "$2") && echo "$1 $2 $line" || echo "$1 $2 no"; }
try 192.0.2.8 7000 # its name has not been asked for
for name in name.test a.other.test a.loop.test a.link.test many.test NAME.test b.a.other.test other.test below.name.test evil.test anyname.test; do
  echo "$name $(getent ahostsv4 "$name" | { read -r address rest && echo "$address"; } || echo none)"
done
for port in 7000 7001; do for last in 7 8 9 10; do try "192.0.2.$last" "$port"; done; done
try 10.0.2.3 53; try 10.0.2.2 7000; try 169.254.7.7 7000
"$1" ask tap0 127.0.0.53:53 device.test. >/dev/null
{ exec 3<>/dev/udp/10.0.2.3/53 && printf '\1\2\1\0\0\1\0\0\0\0\0\0\6direct\4test\0\0\1\0\1' >&3 && read -r -t 1 -N 1 -u 3; } && echo asked || echo unasked
echo names; cat </dev/tcp/192.0.2.7/7000`

// TestAllowed: only the hosts of the list can be reached, and only their names are known.
func TestAllowed(t *testing.T) {
	t.Parallel()
	if !guarded(t) {
		return
	}
	const prepare = `"$1" names >/dev/null 2>&1 </dev/null &
		mount -t tmpfs none /etc && echo "nameserver $2" >/etc/resolv.conf`
	open, closed := &strings.Builder{}, &strings.Builder{}
	line := func(host, opened, kept string) {
		fmt.Fprintln(open, host, opened)
		fmt.Fprintln(closed, host, kept)
	}
	line("192.0.2.8 7000", "asked:", "no")
	for _, name := range []string{"name.test", "a.other.test", "a.loop.test", "a.link.test", "NAME.test", "b.a.other.test", "other.test", "below.name.test", "evil.test", "anyname.test"} {
		address, told := inside.Answer, "none"
		switch {
		case strings.HasSuffix(name, ".other.test"):
			address = inside.Other
		case name == "a.loop.test":
			address = inside.Server
		case name == "a.link.test":
			address = inside.Link
		}
		if address != inside.Answer || strings.EqualFold(name, "name.test") {
			told = address
		}
		line(name, address, told)
		if name == "a.link.test" {
			line("many.test", inside.Answer, inside.Answer)
		}
	}
	for _, to := range []string{"7 7000", "8 7000", "9 7000 no", "10 7000 no", "7 7001 no", "8 7001", "9 7001", "10 7001 no"} {
		to, no := strings.CutSuffix(to, " no")
		kept := "asked:"
		if no {
			kept = "no"
		}
		line("192.0.2."+to, "asked:", kept)
	}
	line("10.0.2.3 53", "no", "no")
	line("10.0.2.2 7000", "no", "no")
	line(inside.Link+" 7000", "asked:", "no")
	fmt.Fprintln(open, "asked")
	fmt.Fprintln(closed, "unasked")
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		for text, want := range map[string]string{allows: closed.String(), private: open.String()} {
			for guide, missing := range guides {
				l := w.launch(t, text)
				program := filepath.Join(l.programs, inside.Name)
				l.Start = l.InNamespace(without, missing)
				r := l.InNetwork(prepare, program, inside.Server).Run(t, "bash", "-c", reach, "200", program)
				got, names, _ := strings.Cut(r.Stdout, "names\n")
				if got != want {
					t.Errorf("%s: %d, got\n%s%s\nwant\n%s", guide, r.Status, got, r.Stderr, want)
				}
				for _, name := range []string{"evil.test.", "below.name.test.", "other.test.", "direct.test.", "device.test.", "anyname.test."} {
					asked := text == private && (name != "device.test." || guide == "slirp4netns")
					if told := strings.Contains(names, "\n"+name+"\n"); told != asked {
						t.Errorf("%s: %s was asked for: %t, by\n%s", guide, name, told, text)
					}
				}
			}
		}
	})
}

// TestAllowedNames: a name is known however it is spelled, with its addresses of IPv6, and
// by whatever other names it is told; it opens its own ports and never a loopback.
func TestAllowedNames(t *testing.T) {
	t.Parallel()
	if !guarded(t) || !opening(t, private) {
		return
	}
	const text = "extends = [\"default\"]\n[network]\nmode = \"allow\"\nallow = [\"A.Six.test:7000\", \"*.alias.test:7001\", \"*.loop.six.test\", \"*.lan.test\", \"Name.TEST:7001\"]\n"
	const prepare = abroad + `
		"$1" names >/dev/null 2>&1 </dev/null &
		until "$1" hear tcp "[` + inside.Six + `]:7000" >/dev/null; do sleep 0.05; done
		mount -t tmpfs none /etc && echo "nameserver $2" >/etc/resolv.conf`
	const do = `exec 2>/dev/null
		try() { said=$(timeout 3 "$0" hear tcp "$1") || said=no; echo "$1 ${said%%:*}"; }
		known() { echo "$1 $(getent "ahostsv$2" "$1" | { read -r address rest && echo "$address"; } || echo none)"; }
		try "[` + inside.Six + `]:7000"
		known a.six.test. 6
		try "[` + inside.Six + `]:7000"; try "[` + inside.Six + `]:7001"
		known A.SIX.TEST 6; known a.six.test 4; known b.a.six.test 6; known b.six.test 6; known hidden.test 4
		known x.alias.test 6
		try "[` + inside.Six + `]:7001"
		known x.loop.six.test 6; try "[::1]:7000"
		try ` + inside.LAN + `:7000; known x.LAN.test. 4; try ` + inside.LAN + `:7000
		try ` + inside.Answer + `:7001; known NAME.TEST. 4; try ` + inside.Answer + `:7001; try ` + inside.Answer + `:7000
		known other.test 4
		timeout 3 "$0" serve 127.0.0.1:54 # from which the resolver asks`
	want := strings.NewReplacer("SIX", inside.Six, "LAN", inside.LAN, "ANSWER", inside.Answer).Replace(`[SIX]:7000 no
a.six.test. SIX
[SIX]:7000 asked
[SIX]:7001 no
A.` + "\x00" + `.TEST SIX
a.six.test none
b.a.six.test none
b.six.test none
hidden.test none
x.alias.test SIX
[SIX]:7001 asked
x.loop.six.test ::1
[::1]:7000 no
LAN:7000 no
x.` + "\x01" + `.test. LAN
LAN:7000 asked
ANSWER:7001 no
NAME.TEST. ANSWER
ANSWER:7001 asked
ANSWER:7000 no
other.test none
EACCES
`)
	want = strings.NewReplacer("\x00", "SIX", "\x01", "LAN").Replace(want)
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, text)
		program := filepath.Join(l.programs, inside.Name)
		r := l.InNetwork(prepare, program, inside.Server).Run(t, "bash", "-c", do, program)
		if r.Stdout != want {
			t.Errorf("%d, got\n%s%s\nwant\n%s", r.Status, r.Stdout, r.Stderr, want)
		}
	})
}

// unlisted is what is said at the end of some names and addresses that are not in the list.
func unlisted(all ...string) string {
	text := ""
	for _, name := range all {
		text += "L: the command asked for " + name + ", which is not in network.allow\n"
	}
	return text + "L: hint: to allow these, add to the list network.allow: \"" + strings.Join(all, ":443\", \"") + ":443\" (443, for HTTPS, is a guess)\n"
}

// TestAllowedTold: what was asked for and is not in the list is said once, at the end, and
// so is the line that lists it.
func TestAllowedTold(t *testing.T) {
	t.Parallel()
	if !guarded(t) {
		return
	}
	const ask = `for name in name.test evil.test a.other.test other.test EVIL.test evil.test; do getent ahostsv4 "$name"; done >/dev/null; echo asked; exit 5`
	const prepare = `"$1" names >/dev/null 2>&1 </dev/null & mount -t tmpfs none /etc && echo "nameserver $2" >/etc/resolv.conf`
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, allows)
		want := unlisted("evil.test", "other.test")
		r := l.InNetwork(prepare, filepath.Join(l.programs, inside.Name), inside.Server).Run(t, "sh", "-c", ask)
		if r.Status != 5 || r.Stdout != "asked\n" || r.Stderr != want {
			t.Errorf("%d: %s%q, want %q", r.Status, r.Stdout, r.Stderr, want)
		}
		l.Run(t, "sh", "-c", ask).Ends(t, 5).Says(t, unlisted("evil.test", "other.test")) // without a resolver, too
		r = l.Run(t, "bash", "-c", `for i in {1..400}; do getent ahostsv4 "a-rather-long-name-number-$i.test"; done; exit 6`)
		if lines := strings.Count(r.Stderr, "\n"); r.Status != 6 || lines < 20 || lines > 200 {
			t.Errorf("of 400 names: %d, and %d lines", r.Status, lines)
		}
	})
}

// TestAllowedRefused: so are addresses and ports, in IPv4 and IPv6, by TCP and UDP, as the
// list would have them: by the name for which an address was told, where there is one.
// Nothing is said where nothing was refused.
func TestAllowedRefused(t *testing.T) {
	t.Parallel()
	if !guarded(t) || !opening(t, private) {
		return
	}
	const text = "extends = [\"default\"]\n[network]\nmode = \"allow\"\nallow = [\"name.test:7000\", \"a.six.test:7000\", \"*.alias.test:7000\", \"192.0.2.9:7001\"]\n"
	const prepare = abroad + `
		"$1" names >/dev/null 2>&1 </dev/null &
		until "$1" hear tcp "[` + inside.Six + `]:7000" >/dev/null; do sleep 0.05; done
		mount -t tmpfs none /etc && echo "nameserver $2" >/etc/resolv.conf`
	const listed = `"$0" hear tcp name.test:7000 | head -n 1
		"$0" hear tcp a.six.test:7000 | head -n 1
		"$0" hear tcp 192.0.2.9:7001 | head -n 1
		"$0" hear tcp 127.0.0.1:9 # nobody listens
		exit 3`
	const refused = `exec >/dev/null 2>&1
		for address in name.test:7001 192.0.2.9:7000 192.0.2.9:7000 "[2001:db8::9]:7000" x.alias.test:7001 169.254.7.7:80 224.0.0.251:7000 10.0.2.2:7000; do
			"$0" hear tcp "$address"
		done
		echo x >/dev/udp/192.0.2.10/5353
		echo x >/dev/udp/2001:db8::10/5354
		"$0" hear udp 224.0.0.251:5353 &
		exit 4`
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, text)
		program := filepath.Join(l.programs, inside.Name)
		start := l.InNetwork(prepare, program, inside.Server)
		r := start.Run(t, "bash", "-c", listed, program)
		if want := "asked:\nasked:\nasked:\nECONNREFUSED\n"; r.Status != 3 || r.Stdout != want || r.Stderr != "" {
			t.Errorf("what is listed: %d, %q, it said %q, want %q", r.Status, r.Stdout, r.Stderr, want)
		}
		r = start.Run(t, "bash", "-c", refused, program)
		want := []string{
			"name.test:7001", "192.0.2.9:7000", "[2001:db8::9]:7000", "x.alias.test:7001", "169.254.7.7:80", "192.0.2.10:5353", "[2001:db8::10]:5354",
		}
		said := strings.Split(r.Stderr, "\n")
		for _, name := range want {
			if !slices.Contains(said, "L: the command asked for "+name+", which is not in network.allow") || strings.Count(r.Stderr, `"`+name+`"`) != 1 {
				t.Errorf("%s is not said, with the line that lists it, once: %s", name, r.Stderr)
			}
		}
		if r.Status != 4 || len(said) != len(want)+2 {
			t.Errorf("%d, it said more than that, or less: %s", r.Status, r.Stderr)
		}
	})
}

// TestAllowedNetworkAbsent: 59, without what keeps it to the list nothing runs.
func TestAllowedNetworkAbsent(t *testing.T) {
	t.Parallel()
	if !guarded(t) {
		return
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, allows)
		fails := filepath.Join(l.Top, "fails")
		if err := os.WriteFile(fails, []byte("#!/bin/sh\necho the reason >&2\nexit 3\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		const cover = `mount --bind "$1" "$(PATH=/usr/sbin:/sbin:$PATH; command -v "$2")"`
		for program, reason := range map[string]string{"nft": "the reason", "dnsmasq": "execvp dnsmasq"} { // which sees no sh
			l.InNamespace(cover, "/dev/null", program).Run(t, "echo", "ran").Refused(t, "no "+program, "nft or dnsmasq is not installed", "install the packages")
			r := l.InNamespace(cover, fails, program).Run(t, "echo", "ran")
			r.Refused(t, program+" fails", "network is not connected", "--sandbox-doctor")
			r.Says(t, reason)
		}
		l.Run(t, "echo", "ran").Expect(t, "with all of it", 0, "ran\n")
		for _, status := range []int{1, 7, 125, 127, 143} {
			l.Run(t, "sh", "-c", "exit "+strconv.Itoa(status)).Ends(t, status)
		}
	})
}

// TestAllowedNetworkEnds: the resolver is gone with the launcher, whatever ends that,
// and nobody but the launcher ends it.
func TestAllowedNetworkEnds(t *testing.T) {
	t.Parallel()
	if !guarded(t) {
		return
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		name := strings.ToLower(strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				return r
			}
			return '-'
		}, filepath.Base(filepath.Dir(w.Top))+filepath.Base(w.Top)))
		l := w.launch(t, strings.Replace(allows, "name.test", "a"+name+"a.test", 1))
		resolvers := func() int { return count("dnsmasq", "/a"+name+"a.test/") }
		l.Run(t, "true").Ends(t, 0)
		if resolvers() > 0 {
			t.Error("dnsmasq runs after the end")
		}
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
			c := l.Command(context.Background(), "sh", "-c", "echo started; exec sleep 300")
			harness.Begin(t, c, "started")
			if resolvers() == 0 {
				t.Error("the control: no dnsmasq runs while the command does")
			}
			if err := c.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			harness.Eventually(t, signal.String()+" leaves no dnsmasq", func() bool { return resolvers() == 0 })
		}
		l.Run(t, "sh", "-c", `! ps -A -o comm= | grep -e dnsmasq -e slirp && ! kill -KILL -1 2>/dev/null; ls /proc/self/fd`).Expect(t, "what it sees of it", 0, "0\n1\n2\n3\n")
	})
}

// count counts programs that have a word with some text on their command lines.
func count(program, text string) int {
	n := 0
	all, _ := filepath.Glob("/proc/[0-9]*/comm")
	for _, path := range all {
		name, _ := os.ReadFile(path)
		words, _ := os.ReadFile(filepath.Dir(path) + "/cmdline")
		if string(name) == program+"\n" && strings.Contains(string(words), text) {
			n++
		}
	}
	return n
}
