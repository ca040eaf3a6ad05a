package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/cmd/harness/inside"
)

// TestNoNetwork: without a network, nothing of the host's can be reached, and
// one's own loopback works.
func TestNoNetwork(t *testing.T) {
	t.Parallel()
	unreachable := `refused|unreachable|ECONNREFUSED|ENETUNREACH`
	attack(t, `extends = ["offline"]`, []row{
		{name: "F1 curl", do: `curl -sS --max-time 15 "http://127.0.0.1:$PORT"`, denied: `connect`, control: `curl -sS --http0.9 --max-time 15 "http://127.0.0.1:$PORT" | grep hello`},
		{name: "F1 /dev/tcp", do: `read -r line </dev/tcp/127.0.0.1/$PORT`, denied: unreachable},
		{name: "F1 a name", do: `timeout 15 getent ahostsv4 example.org`, denied: `^$`, control: none},
		{name: "F1 an address, at once", do: `"$inside" connect tcp 1.1.1.1:53`, denied: unreachable, control: none},
		{name: "F2 the host's loopback", do: `"$inside" connect tcp 127.0.0.1:$PORT`, denied: unreachable},
		{name: "F3 one's own loopback", do: `"$inside" echo tcp 127.0.0.1:0`},
		{name: "F3 one's own unix socket", do: `"$inside" echo unix /tmp/made-sock`},
		{name: "F4 an abstract socket", do: `"$inside" connect unix "@$ABSTRACT"`, denied: unreachable},
		{name: "F5 a socket outside", do: `"$inside" connect unix "$O/sock"`, denied: `ENOENT`},
		{name: "F5 through the link of a descriptor", do: `"$inside" connect unix "/proc/self/fd/7/sock"`, denied: `ENOENT`},
		{name: "58 only lo", do: `tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '`, says: `^lo$`},
	})
}

// TestNetwork: F5 and 58, with the host's network.
func TestNetwork(t *testing.T) {
	t.Parallel()
	attack(t, `extends = ["default"]`, []row{
		{name: "the host's loopback", do: `"$inside" connect tcp 127.0.0.1:$PORT`},
		{name: "F5 a socket outside", do: `"$inside" connect unix "$O/sock"`, denied: `ENOENT`},
		{name: "F5 usual sockets", do: `ls /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/systemd/private /tmp/.X11-unix 2>/dev/null | grep .`, denied: `^$`, control: none},
		{name: "58 names", do: `cat /etc/resolv.conf /etc/nsswitch.conf >/dev/null`},
	})
}

// TestNames: names resolve wherever /etc/resolv.conf leads, as it does with
// systemd, in WSL, and where /etc is made of links into a store. The network is
// one of the test's own, with one server that knows one name.
func TestNames(t *testing.T) {
	t.Parallel()
	const prepare = `"$1" names >/dev/null 2>&1 </dev/null &
		for dir in /etc /run /mnt /srv; do mount -t tmpfs none "$dir"; done
		[ -z "$2" ] || { mkdir -p "${2%/*}" && echo "nameserver $3" >"$2" && ln -s "$2" /etc/way && ln -s way /etc/resolv.conf; }`
	const resolve = `for ((i = 0; i < $0; i++)); do getent hosts name.test && exit; sleep 0.05; done; exit 1` // it may not be there yet
	for name, text := range map[string]string{"select": `extends = ["default"]`, "host": "extends = [\"default\"]\n[filesystem]\nbase = \"host\""} {
		harness.Ends(t, func(t *testing.T, s harness.Setting) {
			if name == "host" && filepath.Base(s.Bwrap) == "0.4.1" {
				return // TestSecrets: it refuses
			}
			l := newWorld(t, s).launch(t, text)
			try := func(file, server, times string) harness.Result {
				return l.InNetwork(prepare, filepath.Join(l.programs, inside.Name), file, server).Run(t, "bash", "-c", resolve, times)
			}
			for _, file := range []string{"/run/systemd/resolve/stub-resolv.conf", "/mnt/wsl/resolv.conf", "/srv/store/0-etc/resolv.conf"} {
				if r := try(file, inside.Server, "200"); r.Status != 0 || !strings.Contains(r.Stdout, inside.Answer) {
					t.Errorf("C16 %s: %d, %s%s", file, r.Status, r.Stdout, r.Stderr)
				}
			}
			try("/mnt/wsl/resolv.conf", "127.0.0.54", "5").Expect(t, "another server", 1, "")
			try("", "", "5").Expect(t, "no file", 1, "")
		})
	}
}
