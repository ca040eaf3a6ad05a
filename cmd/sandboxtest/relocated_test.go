package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestMoved: a variable that is set when the launcher starts, and by which a tool
// keeps its secrets in what the profile lists, is refused, also by links. So is not
// what only lies beside that, what the profile hides, and a file that it names with a
// reason.
func TestMoved(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"home/ch/credentials.toml": secret, "home/ch/bin/tool": "tool\n", "home/ch/hidden/hosts.yml": secret,
			"home/keys/key.json": secret, "home/beside/credentials.toml": secret, "home/beside/bin/tool": "tool\n",
			"home/conf/gh/hosts.yml": secret, "home/conf/editor/rc": "rc\n",
		})
		w.shell(t, `ln -s "$H/ch" "$H/link"; ln -s "$H/keys/key.json" "$O/key"`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["look"]
[filesystem]
read = ["~/ch", "~/beside/bin", "~/conf/gh", "~/conf/editor", { path = "~/keys/key.json", why = "a test" }]
hide = ["~/ch/hidden"]`)
		show := func(variable, value string) harness.Result {
			m := l
			m.Environment = harness.With(l.Environment, variable+"="+value)
			return m.Run(t, "sh", "-c", `cat "$HOME/ch/credentials.toml"; ls "$HOME/ch/hidden"`)
		}
		h := w.Home
		for _, set := range [][]string{
			{"CARGO_HOME", h + "/ch", "~/ch"}, {"CARGO_HOME", h + "/link", "~/ch"}, {"CARGO_HOME", h + "/ch/bin", "~/ch"}, {"GH_CONFIG_DIR", h + "/ch/bin/../bin/", "~/ch"},
			{"NETRC", h + "/ch/netrc", "~/ch"}, {"XDG_DATA_HOME", h + "/ch", "~/ch"}, {"XDG_CONFIG_HOME", h + "/conf", "~/conf/gh"}, {"DOCKER_CONFIG", h + "/conf", "~/conf/"},
			{"GH_CONFIG_DIR", h + "/beside", "~/beside/bin"},
		} {
			show(set[0], set[1]).Refused(t, set[0]+"="+set[1], "refusing "+h+set[2][1:], "by "+set[0]+" a tool keeps secrets or sockets there")
		}
		for _, set := range [][]string{
			{"CARGO_HOME", ""}, {"CARGO_HOME", "../ch"}, {"CARGO_HOME", "/"}, {"CARGO_HOME", h}, {"CARGO_HOME", h + "/beside"}, {"CARGO_HOME", h + "/chest"}, {"UNKNOWN_HOME", h + "/ch"},
			{"GH_CONFIG_DIR", h + "/ch/hidden"}, {"GOOGLE_APPLICATION_CREDENTIALS", h + "/keys/key.json"}, {"GOOGLE_APPLICATION_CREDENTIALS", w.Outside + "/key"}, {"HISTFILE", "/dev/null"},
		} {
			show(set[0], set[1]).Expect(t, set[0]+"="+set[1], 0, secret)
		}
	})
}

// TestMovedToWritable: where the profile has something writable, no variable may
// lead start-up files there, either. A tool of which it names a secret with a reason
// may keep others there.
func TestMovedToWritable(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/out/x": "x\n", "home/state/token": "t\n"})
		w.Give(t, w.Top)
		for text, refused := range map[string]bool{"write = [\"~/out\"]": true, "overlay = [\"~/out\"]": false, "read = [\"~/out\"]": false} {
			l := w.launch(t, "extends = [\"look\"]\n[filesystem]\n"+text)
			l.Environment = harness.With(l.Environment, "ZDOTDIR="+w.Home+"/out")
			if r := l.Run(t, "cat", w.Home+"/out/x"); refused {
				r.Refused(t, text, "refusing "+w.Home+"/out", "by ZDOTDIR a tool keeps secrets, sockets or start-up files there")
			} else {
				r.Expect(t, text, 0, "x\n")
			}
		}
		l := w.launch(t, `extends = ["look"]
[filesystem]
read = ["~/out", { path = "${CARGO_HOME:-~/.cargo}/credentials.toml", optional = true, why = "a test" }]`)
		l.Environment = harness.With(l.Environment, "CARGO_HOME="+w.Home+"/out")
		l.Run(t, "cat", w.Home+"/out/x").Expect(t, "a credential that the profile names", 0, "x\n")
	})
}

// TestMovedSocket: a socket to which a variable of the session leads is refused in what
// the profile lists, in whatever form the variable has it, and as a directory is; but not
// what lies beside it, what is passed or hidden, and one that is named with a reason.
func TestMovedSocket(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/ch/x": "x\n", "home/ch/in/y": "y\n", "home/beside/x": "x\n", "home/one/x": "x\n"})
		for _, name := range []string{"ch/sock", "ch/in/sock", "one/sock"} {
			harness.Listen(t, "unix", filepath.Join(w.Home, name), "hello")
		}
		w.shell(t, `ln -s "$H/ch" "$H/link"; ln -s "$H/ch/sock" "$O/agent"`)
		w.Give(t, w.Top)
		h := w.Home
		show := func(profile, set string) harness.Result {
			l := w.launch(t, "extends = [\"look\"]\n"+profile)
			l.Environment = harness.With(l.Environment, set)
			return l.Run(t, "sh", "-c", `test -S "$1" && cat "${1%/*}/x"`, "-", h+"/ch/sock")
		}
		const own = `filesystem.read = ["~/ch", "~/beside", { path = "~/one/sock", why = "a test" }]`
		for _, set := range []string{
			"SSH_AUTH_SOCK=" + h + "/ch/sock", "SSH_AUTH_SOCK=" + h + "/link/sock", "SSH_AUTH_SOCK=" + w.Outside + "/agent", "SSH_AUTH_SOCK=" + h + "/ch/gone",
			"DOCKER_HOST=unix://" + h + "/ch/sock", "DBUS_SESSION_BUS_ADDRESS=unix:path=" + h + "/ch/sock,guid=1", "WAYLAND_DISPLAY=" + h + "/ch/in/sock",
			"TMUX=" + h + "/ch/sock,1,0", "PULSE_SERVER={machine}unix:" + h + "/ch/sock", "LXD_DIR=" + h + "/ch/in", "LXD_DIR=" + h + "/link", "KRB5CCNAME=FILE:" + h + "/ch/x",
		} {
			variable, _, _ := strings.Cut(set, "=")
			show(own, set).Refused(t, set, "refusing "+h+"/ch: by "+variable+" a tool keeps secrets or sockets there")
		}
		for _, set := range []string{
			"SSH_AUTH_SOCK=", "SSH_AUTH_SOCK=sock", "SSH_AUTH_SOCK=" + h + "/chest/sock", "SSH_AUTH_SOCK=" + h + "/one/sock", "DOCKER_HOST=tcp://127.0.0.1:2375", "DOCKER_HOST=unix:" + h,
			"WAYLAND_DISPLAY=wayland-0", "DBUS_SESSION_BUS_ADDRESS=unix:abstract=" + h[1:] + "/ch/sock", "TMUX=" + h + "/chest,1,0",
		} {
			show(own, set).Expect(t, set, 0, "x\n")
		}
		show(own+"\nfilesystem.hide = [\"~/ch/in\"]", "SSH_AUTH_SOCK="+h+"/ch/in/sock").Expect(t, "a hidden socket", 0, "x\n")
		show(own+"\nsockets.pass = [\"ssh-agent\"]", "SSH_AUTH_SOCK="+h+"/ch/sock").Expect(t, "a socket that is passed", 0, "x\n")
		show(`filesystem.read = ["~/ch/x"]`, "SSH_AUTH_SOCK="+h+"/ch/sock").Expect(t, "what lies beside a socket", 1, "")
		show(`filesystem.read = ["~/ch/sock"]`, "TMUX="+h+"/ch/sock,1,0").Refused(t, "a socket without a reason", "refusing "+h+"/ch/sock: by TMUX")
	})
}
