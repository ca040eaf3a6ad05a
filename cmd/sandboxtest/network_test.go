package sandboxtest

import "testing"

// TestNoNetwork: without a network, nothing of the host's can be reached, and
// one's own loopback works.
func TestNoNetwork(t *testing.T) {
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
	attack(t, `extends = ["default"]`, []row{
		{name: "the host's loopback", do: `"$inside" connect tcp 127.0.0.1:$PORT`},
		{name: "F5 a socket outside", do: `"$inside" connect unix "$O/sock"`, denied: `ENOENT`},
		{name: "F5 usual sockets", do: `ls /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/systemd/private /tmp/.X11-unix 2>/dev/null | grep .`, denied: `^$`, control: none},
		{name: "58 names", do: `cat /etc/resolv.conf /etc/nsswitch.conf >/dev/null`},
	})
}
