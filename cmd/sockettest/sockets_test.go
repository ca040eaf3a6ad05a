package sockettest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/catalogue"
)

const everySocket = `extends = ["default"]
[sockets]
pass = ["ssh-agent", "gpg-agent", "wayland", "x11", "pipewire", "pulse", "dbus"]
`

// sessionOf lets a whole session answer, but for its bus.
func sessionOf(p *place) {
	p.t.Helper()
	if os.Mkdir(filepath.Dir(p.screen()), 0o777) == nil || os.Getuid() == 0 {
		_ = os.Chmod(filepath.Dir(p.screen()), os.ModeSticky|0o777) // as X has it
	}
	for path, name := range map[string]string{
		p.Top + "/agent": "ssh-agent", p.Home + "/.gnupg/S.gpg-agent": "the whole gpg-agent", p.Home + "/.gnupg/S.gpg-agent.extra": "gpg-agent",
		p.session + "/wayland-7": "wayland", p.session + "/pipewire-0": "pipewire", p.session + "/pulse/native": "pulse",
		p.screen(): "x11",
	} {
		harness.Listen(p.t, "unix", path, name)
	}
	p.write(p.Top+"/key", "the key to the screen")
	p.Set("SSH_AUTH_SOCK="+p.Top+"/agent", "WAYLAND_DISPLAY=wayland-7", fmt.Sprintf("DISPLAY=:%d.0", p.display), "XAUTHORITY="+p.Top+"/key",
		"PULSE_SERVER={0123456789abcdef}unix:"+p.session+"/pulse/native")
}

// screen is the socket of the X server.
func (p *place) screen() string { return fmt.Sprintf("/tmp/.X11-unix/X%d", p.display) }

func TestPassed(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		sessionOf(p)
		l := p.launcher(everySocket)
		for socket, where := range map[string]string{
			"ssh-agent": `"$SSH_AUTH_SOCK"`, "gpg-agent": `"$XDG_RUNTIME_DIR/gnupg/S.gpg-agent"`,
			"wayland": `"$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY"`, "pipewire": `"$XDG_RUNTIME_DIR/pipewire-0"`,
			"pulse": `"${PULSE_SERVER#unix:}"`, "x11": p.screen(),
		} {
			p.says(socket, l, "sh", "-c", p.inside+" hear unix "+where)
		}
		p.says("the key to the screen", l, "sh", "-c", `cat "$XAUTHORITY"`)
		p.says(fmt.Sprintf(":%d.0", p.display), l, "sh", "-c", `printf %s "$DISPLAY"`)
		p.says("700 700", l, "sh", "-c", `touch "$XDG_RUNTIME_DIR/x" && echo $(stat -c %a "$XDG_RUNTIME_DIR" "$XDG_RUNTIME_DIR/gnupg")`)
	})
}

// TestAgent has the agent of ssh itself: it lists its key and signs with it, inside as
// outside; the key is out of sight, and so is the agent where the profile names none.
func TestAgent(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"ssh-agent", "ssh-add", "ssh-keygen"} {
		harness.Need(t, program)
	}
	everywhere(t, func(t *testing.T, p *place) {
		agent := p.command("ssh-agent", "-D", "-a", p.Top+"/agent")
		if err := agent.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = agent.Process.Kill(); _ = agent.Wait() })
		harness.Eventually(t, "the agent starts", func() bool { return harness.Exists(p.Top + "/agent") })
		p.Set("SSH_AUTH_SOCK=" + p.Top + "/agent")
		const list, sign = `ssh-add -l`, `echo x >text && rm -f text.sig && ssh-keygen -q -Y sign -n file -f key.pub text 2>&1 && test -s text.sig`
		if got, err := p.run("sh", "-euc", `umask 077; mkdir ~/.ssh; ssh-keygen -q -t ed25519 -N "" -f ~/.ssh/key -C the-key; cp ~/.ssh/key.pub .; ssh-add -q ~/.ssh/key; mv ~/.ssh/key ~/.ssh/apart; `+list+"; "+sign); err != nil || !strings.Contains(got, "the-key") {
			t.Fatalf("outside: %s, %v", got, err)
		}
		l := p.launcher("extends = [\"default\"]\n[sockets]\npass = [\"ssh-agent\"]\n")
		if got, err := p.run(l, "sh", "-c", list); err != nil || !strings.Contains(got, "the-key") {
			t.Errorf("it does not answer: %s, %v", got, err)
		}
		if got, err := p.run(l, "sh", "-c", sign); err != nil {
			t.Errorf("it does not sign: %s, %v", got, err)
		}
		if got, err := p.run(l, "sh", "-c", `ls ~/.ssh`); err == nil {
			t.Errorf("what is with the key is seen: %s", got)
		}
		l = p.launcher(`extends = ["default"]`)
		for _, do := range []string{list, "SSH_AUTH_SOCK=" + p.Top + "/agent " + list, sign} {
			if got, err := p.run(l, "sh", "-c", do); err == nil {
				t.Errorf("it answers though nobody has named it: %s: %s", do, got)
			}
		}
	})
}

// TestNoKey has a screen that asks for no key, and then one in its usual place.
func TestNoKey(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		sessionOf(p)
		p.Set("XAUTHORITY")
		l := p.launcher("extends = [\"default\"]\n[sockets]\npass = [\"x11\"]\n")
		const look = `echo $(cat "${XAUTHORITY-/dev/null}") $("$0" hear unix "$1") "$DISPLAY"`
		display := fmt.Sprintf("x11 :%d.0", p.display)
		p.says(display, l, "sh", "-c", look, p.inside, p.screen())
		p.write(p.Home+"/.Xauthority", "the usual key")
		p.says("the usual key "+display, l, "sh", "-c", look, p.inside, p.screen())
	})
}

// TestNotPassed asks for nothing: the sockets answer outside, and are out of
// reach inside at their own places, their variables too.
func TestNotPassed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`extends = ["default"]`,
		"extends = [\"default\"]\n[filesystem]\nbase = \"host\"\n",
	} {
		everywhere(t, func(t *testing.T, p *place) {
			sessionOf(p)
			p.Set("DBUS_SESSION_BUS_ADDRESS=unix:path=" + p.session + "/bus")
			l := p.launcher(text)
			for _, at := range []string{
				p.Top + "/agent", p.Home + "/.gnupg/S.gpg-agent.extra", p.session + "/wayland-7",
				p.session + "/pulse/native", p.screen(),
			} {
				if got, err := p.run(p.inside, "hear", "unix", at); err != nil {
					t.Fatalf("outside, %s says %q", at, got)
				}
				if got, _ := p.run(l, p.inside, "hear", "unix", at); !unheard(got) {
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
	for _, socket := range catalogue.SocketNames() {
		for _, name := range catalogue.SocketVariables(socket) {
			if strings.Contains("\n"+text, "\n"+name+"=") {
				p.t.Errorf("%s is set inside", name)
			}
		}
	}
}

// TestAbsent passes all, where there is nothing.
func TestAbsent(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		l := p.launcher(everySocket)
		noVariables(p, l)
		p.says("700", l, "sh", "-c", `touch "$XDG_RUNTIME_DIR/x" && stat -c %a "$XDG_RUNTIME_DIR"`)
		p.Set("XDG_RUNTIME_DIR")
		p.says("", l, "sh", "-c", `touch "$XDG_RUNTIME_DIR/x"`)
	})
}

// TestOddValues gives every variable values that name no socket: none of them
// makes another path appear inside, and none stops the launcher.
func TestOddValues(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		harness.Listen(t, "unix", p.Project+"/decoy", "decoy")
		harness.Listen(t, "unix", p.session+"/sub/decoy", "decoy")
		p.own()
		l := p.launcher(everySocket)
		names := []string{"SSH_AUTH_SOCK", "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "PIPEWIRE_REMOTE", "PULSE_SERVER", "DBUS_SESSION_BUS_ADDRESS"}
		for _, value := range []string{"", "decoy", "./decoy", "sub/decoy", "/", "..", "$(id)", "a\nb", "/nonexistent", "unix:", ":", ":x", "unix:path=decoy"} {
			for _, name := range names {
				p.Set(name + "=" + value)
			}
			noVariables(p, l)
		}
		for _, value := range []string{"", ".", "sub", "/", "/nonexistent", p.Project} {
			p.Set("XDG_RUNTIME_DIR=" + value)
			p.says(fmt.Sprintf("/run/user/%d 0", p.UID), l, "sh", "-c", `echo "$XDG_RUNTIME_DIR" $(ls "$XDG_RUNTIME_DIR" | wc -l)`)
		}
		if left, _ := filepath.Glob(p.Project + "/bwrapgen-*"); left != nil {
			t.Errorf("left in the project: %q", left)
		}
	})
}

// TestReplaced has variables that name what a command can replace: with a link to
// any socket, or to a file that nobody else can read.
func TestReplaced(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		sessionOf(p)
		l := p.launcher(everySocket)
		p.run("sh", "-c", "ln -s "+p.Top+"/agent agent; ln -s "+p.Top+"/key key; ln -s "+p.Top+" up; ln -s "+p.Project+" "+p.Home+"/way")
		for _, variable := range []string{
			"SSH_AUTH_SOCK=" + p.Project + "/agent", "SSH_AUTH_SOCK=" + p.Project + "/up/agent", "SSH_AUTH_SOCK=" + p.Home + "/way/agent",
			"PULSE_SERVER=unix:" + p.Project + "/agent", "XAUTHORITY=" + p.Project + "/key",
		} {
			got := p.of(l)
			got.Set(variable)
			_, path, _ := strings.Cut(variable, "=")
			got.Run(t, "true").Refused(t, variable, "refusing "+strings.TrimPrefix(path, "unix:"), "it is in the project")
		}
		p.says("ssh-agent", l, "sh", "-c", p.inside+` hear unix "$SSH_AUTH_SOCK"`)
	})
}
