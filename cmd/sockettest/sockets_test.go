package sockettest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

const everySocket = `extends = ["default"]
[sockets]
pass = ["ssh-agent", "gpg-agent", "wayland", "x11", "pipewire", "pulse", "dbus"]
`

// display is a screen that no X server of this machine has.
const display = 9573

// sessionOf lets a whole session answer, but for its bus.
func sessionOf(p *place) {
	x11 := fmt.Sprintf("/tmp/.X11-unix/X%d", display)
	os.Remove(x11)
	listen(p.t, p.dir+"/agent", "ssh-agent")
	listen(p.t, p.home+"/.gnupg/S.gpg-agent", "the whole gpg-agent")
	listen(p.t, p.home+"/.gnupg/S.gpg-agent.extra", "gpg-agent")
	listen(p.t, p.session+"/wayland-7", "wayland")
	listen(p.t, p.session+"/pipewire-0", "pipewire")
	listen(p.t, p.session+"/pulse/native", "pulse")
	listen(p.t, x11, "x11")
	p.write(p.dir+"/key", "the key to the screen")
	for name, value := range map[string]string{
		"SSH_AUTH_SOCK": p.dir + "/agent", "WAYLAND_DISPLAY": "wayland-7",
		"DISPLAY": fmt.Sprintf(":%d.0", display), "XAUTHORITY": p.dir + "/key",
		"PULSE_SERVER": "{0123456789abcdef}unix:" + p.session + "/pulse/native",
	} {
		p.environment[name] = value
	}
}

func TestPassed(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		sessionOf(p)
		l := p.launcher(everySocket)
		for socket, where := range map[string]string{
			"ssh-agent": `"$SSH_AUTH_SOCK"`, "gpg-agent": `"$XDG_RUNTIME_DIR/gnupg/S.gpg-agent"`,
			"wayland": `"$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY"`, "pipewire": `"$XDG_RUNTIME_DIR/pipewire-0"`,
			"pulse": `"${PULSE_SERVER#unix:}"`, "x11": fmt.Sprintf("/tmp/.X11-unix/X%d", display),
		} {
			p.says(socket, l, "sh", "-c", "./client dial "+where)
		}
		p.says("the key to the screen", l, "sh", "-c", `cat "$XAUTHORITY"`)
		p.says(fmt.Sprintf(":%d.0", display), l, "sh", "-c", `printf %s "$DISPLAY"`)
		p.says("700 700", l, "sh", "-c", `touch "$XDG_RUNTIME_DIR/x" && echo $(stat -c %a "$XDG_RUNTIME_DIR" "$XDG_RUNTIME_DIR/gnupg")`)
	})
}

// TestNotPassed asks for nothing: the sockets answer outside, and are out of
// reach inside at their own places, their variables too.
func TestNotPassed(t *testing.T) {
	for _, text := range []string{
		`extends = ["default"]`,
		"extends = [\"default\"]\n[filesystem]\nbase = \"host\"\n",
	} {
		everywhere(t, func(t *testing.T, p *place) {
			sessionOf(p)
			p.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + p.session + "/bus"
			l := p.launcher(text)
			for _, at := range []string{
				p.dir + "/agent", p.home + "/.gnupg/S.gpg-agent.extra", p.session + "/wayland-7",
				p.session + "/pulse/native", fmt.Sprintf("/tmp/.X11-unix/X%d", display),
			} {
				if got, err := p.run(p.project+"/client", "dial", at); err != nil {
					t.Fatalf("outside, %s says %q", at, got)
				}
				if got, _ := p.run(l, "./client", "dial", at); !strings.HasSuffix(got, "no answer") {
					t.Errorf("inside, %s says %q", at, got)
				}
			}
			noVariables(p, l)
		})
	}
}

// noVariables fails the test if some variable of a socket is set inside.
func noVariables(p *place, launcher string) {
	p.t.Helper()
	text, err := p.run(launcher, "env")
	if err != nil {
		p.t.Fatal(text, err)
	}
	for _, socket := range profile.SocketNames() {
		for _, name := range plan.SocketVariables(socket) {
			if strings.Contains("\n"+text, "\n"+name+"=") {
				p.t.Errorf("%s is set inside", name)
			}
		}
	}
}

// TestAbsent passes all, where there is nothing.
func TestAbsent(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		l := p.launcher(everySocket)
		noVariables(p, l)
		p.says("700", l, "sh", "-c", `touch "$XDG_RUNTIME_DIR/x" && stat -c %a "$XDG_RUNTIME_DIR"`)
		delete(p.environment, "XDG_RUNTIME_DIR")
		p.says("", l, "sh", "-c", `touch "$XDG_RUNTIME_DIR/x"`)
	})
}

// TestOddValues gives every variable values that name no socket: none of them
// makes another path appear inside, and none stops the launcher.
func TestOddValues(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		listen(t, p.project+"/decoy", "decoy")
		listen(t, p.session+"/sub/decoy", "decoy")
		p.own()
		l := p.launcher(everySocket)
		names := []string{"SSH_AUTH_SOCK", "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "PIPEWIRE_REMOTE", "PULSE_SERVER", "DBUS_SESSION_BUS_ADDRESS"}
		for _, value := range []string{"", "decoy", "./decoy", "sub/decoy", "/", "..", "$(id)", "a\nb", "/nonexistent", "unix:", ":", ":x", "unix:path=decoy"} {
			for _, name := range names {
				p.environment[name] = value
			}
			noVariables(p, l)
		}
		for _, value := range []string{"", ".", "sub", "/", "/nonexistent", p.project} {
			p.environment["XDG_RUNTIME_DIR"] = value
			p.says(fmt.Sprintf("/run/user/%d 0", p.uid), l, "sh", "-c", `echo "$XDG_RUNTIME_DIR" $(ls "$XDG_RUNTIME_DIR" | wc -l)`)
		}
		if left, _ := filepath.Glob(p.project + "/bwrapgen-*"); left != nil {
			t.Errorf("left in the project: %q", left)
		}
	})
}
