package sandboxtest

import (
	"context"
	"math/rand/v2"
	"net"
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

// abroad makes of a new network one from which routes lead out, in IPv4 and IPv6. There
// are addresses of elsewhere: those of inside.Six and 198.51.100.7.
const abroad = `
	ip link set lo up
	ip link add way type veth peer name end
	ip address add 203.0.113.2/24 dev way
	ip address add 2001:db8:1::2/64 dev way nodad
	ip link set way up
	ip link set end up
	ip route add default via 203.0.113.1
	ip -6 route add default via 2001:db8:1::1
	ip address add 198.51.100.7/32 dev lo
	ip address add ` + inside.Six + `/128 dev lo nodad
`

// opening reports whether single ports can be opened here, by pasta. Where they cannot, a
// launcher refuses to run anything.
func opening(t *testing.T, text string) bool {
	t.Helper()
	if !routes(t) {
		return false
	}
	if _, err := exec.LookPath("pasta"); err == nil {
		return true
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		newWorld(t, s).launch(t, text).Run(t, "echo", "ran").Refused(t, "no pasta", "pasta is not installed", "install the package passt")
	})
	return false
}

// both are profiles with a network of its own, each with some lines more.
func both(lines string) []string {
	return []string{private + "\n" + lines, "extends = [\"default\"]\n[network]\nmode = \"allow\"\nallow = [\"198.51.100.7:7000\", \"[" + inside.Six + "]:7000\"]\n" + lines}
}

const reaches = "reach = [\"127.0.0.1:5432\", \"localhost:11434\"]\nproxy = \"http://127.0.0.1:3128\"\n"

// TestReached: of this host's loopback the listed ports are reached and no others, in
// IPv4 and IPv6, and what is elsewhere as the mode has it.
func TestReached(t *testing.T) {
	t.Parallel()
	if !opening(t, private+"\n"+reaches) {
		return
	}
	const prepare = abroad + `
		addresses=''
		for address in 127.0.0.1 "[::1]" 198.51.100.7 "[` + inside.Six + `]"; do
			for port in 5432 5433 11434 3128 7000; do addresses="$addresses $address:$port"; done
		done
		"$1" serve $addresses >/dev/null 2>&1 </dev/null &
		until "$1" connect tcp "[` + inside.Six + `]:7000" >/dev/null; do sleep 0.05; done`
	const do = `for address in "${@:2}"; do
			said=$(timeout 3 "$1" connect tcp "$address") || said=no
			echo "$address $said"
		done
		printf '%s\n' "$http_proxy $HTTPS_PROXY $ALL_PROXY" "$no_proxy"`
	rows := []struct{ address, private, allow string }{
		{"127.0.0.1:5432", "ok", "ok"}, {"[::1]:5432", "ok", "ok"}, {"localhost:11434", "ok", "ok"}, {"[::1]:11434", "ok", "ok"}, {"127.0.0.1:3128", "ok", "ok"},
		{"127.0.0.1:5433", "no", "no"}, {"[::1]:5433", "no", "no"}, {"127.0.0.1:7000", "no", "no"}, {"[::1]:7000", "no", "no"},
		{"198.51.100.7:7000", "ok", "ok"}, {"[" + inside.Six + "]:7000", "ok", "ok"},
		{"198.51.100.7:5432", "ok", "no"}, {"[" + inside.Six + "]:5432", "ok", "no"},
	}
	kept := guarded(t)
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		for i, text := range both(reaches) {
			if i == 1 && !kept {
				continue
			}
			l := w.launch(t, text)
			program := filepath.Join(l.programs, inside.Name)
			words, want := []string{"-c", do, "bash", program}, ""
			for _, r := range rows {
				words = append(words, r.address)
				want += r.address + " " + []string{r.private, r.allow}[i] + "\n"
			}
			want += "http://127.0.0.1:3128 http://127.0.0.1:3128 http://127.0.0.1:3128\nlocalhost,127.0.0.1,::1\n"
			l.InNetwork(prepare, program).Run(t, append([]string{"bash"}, words...)...).Expect(t, text, 0, want)
		}
	})
}

const publishes = "publish = [3000, \"8080:80\", \"[::1]:5000-5001\", \"0.0.0.0:6000\"]\n"

// TestPublished: by the listed ports others come in, and by no others.
func TestPublished(t *testing.T) {
	t.Parallel()
	if !opening(t, private+"\n"+publishes) {
		return
	}
	// What listens inside does so on the loopback, as most do, but for the last. Whether
	// Debian 12's pasta takes in what comes from elsewhere, is not asked: it does not.
	const prepare = abroad + `
		unshare --net sleep 60 >/dev/null &
		other=$!
		while [ "$(readlink "/proc/$other/ns/net")" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
		ip link set end netns "$other"
		elsewhere() { nsenter --net="/proc/$other/ns/net" "$@"; }
		elsewhere ip address add 203.0.113.1/24 dev end
		elsewhere ip link set end up
		( for address in 127.0.0.1:3000 127.0.0.1:8080 "[::1]:5000" "[::1]:5001" 127.0.0.1:6000; do
			for i in $(seq 200); do "$1" connect tcp "$address" >/dev/null && echo "$address" && break; sleep 0.05; done
		done
		if [ "$3" = true ] || elsewhere "$1" connect tcp 203.0.113.2:6000 >/dev/null; then echo 203.0.113.2:6000; fi
		elsewhere "$1" connect tcp 203.0.113.2:3000 >/dev/null && echo 203.0.113.2:3000
		for address in 127.0.0.1:3001 203.0.113.2:3000 203.0.113.2:8080 "[2001:db8:1::2]:5000" "[::1]:3000" 127.0.0.1:80; do
			"$1" connect tcp "$address" >/dev/null && echo "$address"
		done
		kill "$other"
		echo done
		: >"$2/done" ) &`
	const do = `"$0" serve 127.0.0.1:3000 127.0.0.1:3001 127.0.0.1:80 [::1]:5000 [::1]:5001 0.0.0.0:6000 &
		until [[ -e done ]]; do sleep 0.05; done`
	const want = "127.0.0.1:3000\n127.0.0.1:8080\n[::1]:5000\n[::1]:5001\n127.0.0.1:6000\n203.0.113.2:6000\ndone\n"
	kept := guarded(t)
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		for i, text := range both(publishes) {
			if i == 1 && !kept {
				continue
			}
			w := newWorld(t, s)
			l := w.launch(t, text)
			program := filepath.Join(l.programs, inside.Name)
			l.InNetwork(prepare, program, w.Project, strconv.FormatBool(oldPasta())).Run(t, "bash", "-c", do, program).Expect(t, text, 0, want)
		}
	})
}

// TestPublishedRefused: where a port is taken, or what opens it is missing, nothing runs.
func TestPublishedRefused(t *testing.T) {
	t.Parallel()
	const one = private + "\npublish = [3000, \"[::1]:4000-4009\"]\n"
	if !opening(t, one) {
		return
	}
	const taken = abroad + `
		"$1" serve "$2" >/dev/null 2>&1 </dev/null &
		until "$1" connect tcp "$2" >/dev/null; do sleep 0.05; done`
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, one)
		program := filepath.Join(l.programs, inside.Name)
		l.InNetwork(abroad).Run(t, "echo", "ran").Expect(t, "none is taken", 0, "ran\n")
		l.InNetwork(taken, program, "127.0.0.1:3000").Run(t, "echo", "ran").Refused(t, "one is taken", "cannot publish port 3000 of 127.0.0.1", "network.publish")
		l.InNetwork(taken, program, "[::1]:4007").Run(t, "echo", "ran").Refused(t, "one of a range is taken", "cannot publish port 4007 of ::1")
		l.InNamespace(without, "pasta").Run(t, "echo", "ran").Refused(t, "no pasta", "pasta is not installed", "install the package passt")
	})
}

// TestPublishedTwice: a second run of a launcher starts next to the first, without the first's port and with a
// message. A run right after a killed one publishes it again.
func TestPublishedTwice(t *testing.T) {
	t.Parallel()
	if !opening(t, private+"\npublish = [3000]\n") {
		return
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		port := free(t)
		l := newWorld(t, s).launch(t, private+"\npublish = ["+port+"]\n")
		first := func() *exec.Cmd {
			c := l.Command(context.Background(), "sh", "-c", "echo started; exec sleep 300")
			harness.Begin(t, c, "started")
			return c
		}
		c := first()
		r := l.Run(t, "echo", "ran")
		r.Expect(t, "next to the first", 0, "ran\n")
		if want := "already publishes " + port + ", so this run does not\n"; !strings.HasSuffix(r.Stderr, want) {
			t.Errorf("next to the first: %q, want %q", r.Stderr, want)
		}
		if isFree(port) {
			t.Error("the second run took the port from the first")
		}
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL, syscall.SIGTERM} {
			if err := c.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			r := l.Run(t, "echo", "ran")
			r.Expect(t, "right after "+signal.String(), 0, "ran\n")
			if strings.Contains(r.Stderr, "publish") {
				t.Errorf("right after %s: %s", signal, r.Stderr)
			}
			c = first()
		}
		_ = c.Process.Kill()
		_ = c.Wait()
	})
}

// TestPublishedEnds: 20 launchers that are killed leave no process, no interface and no
// port.
func TestPublishedEnds(t *testing.T) {
	t.Parallel()
	if !opening(t, private+"\npublish = [3000]\n") {
		return
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		port := free(t)
		l := w.launch(t, private+"\npublish = ["+port+"]\nreach = [\"127.0.0.1:5432\"]\n")
		for range 5 {
			l.Run(t, "echo", "ran").Expect(t, "one after the other", 0, "ran\n")
		}
		word := l.word("published")
		before := interfaces(t)
		for range 20 {
			c := l.Command(context.Background(), "sh", "-c", "echo started; exec sleep 300", word)
			harness.Begin(t, c, "started")
			if err := c.Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			harness.Eventually(t, "no guide is left", func() bool { return l.leads() == 0 })
			harness.Eventually(t, "the port is free", func() bool { return isFree(port) })
		}
		harness.Eventually(t, "no process is left", func() bool { return len(harness.Running(t, word)) == 0 })
		if after := interfaces(t); after != before {
			t.Errorf("interfaces were %s, and are %s", before, after)
		}
		l.Run(t, "echo", "ran").Expect(t, "the port is free", 0, "ran\n")
	})
}

// free is a port on which nothing listens, and that no connection is given by chance.
func free(t *testing.T) string {
	t.Helper()
	for range 100 {
		if port := strconv.Itoa(10000 + rand.IntN(20000)); isFree(port) {
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}

func isFree(port string) bool {
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err == nil {
		_ = l.Close()
	}
	return err == nil
}

func interfaces(t *testing.T) string {
	t.Helper()
	all, err := os.ReadDir("/sys/class/net")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
