package plan

import (
	"slices"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// TestSessionPlace: where the path is in what a variable of a socket holds.
func TestSessionPlace(t *testing.T) {
	for _, test := range []struct{ variable, value, want string }{
		{"SSH_AUTH_SOCK", "/tmp/a,b:c/agent", "/tmp/a,b:c/agent"}, {"SSH_AUTH_SOCK", "agent", ""}, {"SSH_AUTH_SOCK", "", ""}, {"SSH_AUTH_SOCK", "/", ""},
		{"DOCKER_HOST", "unix:///run/docker.sock", "///run/docker.sock"}, {"DOCKER_HOST", "tcp:host", ""}, {"WAYLAND_DISPLAY", "wayland-0", ""}, {"X", "../a:b/c", ""},
		{"DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/bus,guid=1;unix:path=/x", "/run/bus"}, {"DBUS_SESSION_BUS_ADDRESS", "unix:abstract=x", ""},
		{"PULSE_SERVER", "{machine}unix:/run/pulse", "/run/pulse"}, {"KRB5CCNAME", "FILE:/tmp/krb5cc", "/tmp/krb5cc"}, {"TMUX", "/tmp/tmux-0/default,12,0", "/tmp/tmux-0/default"},
	} {
		if at, ok := SessionPlace(test.variable, test.value); ok != (test.want != "") || ok && at != test.want {
			t.Errorf("%s=%s: %q, want %q", test.variable, test.value, at, test.want)
		}
	}
}

// TestRefusesSession: what a user's own profile lists is refused if a socket of this
// session is in it, by whatever variable; but not what is passed, hidden, or named with
// a reason.
func TestRefusesSession(t *testing.T) {
	c := catalogue.BuiltIn()
	session := map[string]string{"SSH_AUTH_SOCK": "/home/u/ch/agent", "DOCKER_HOST": "/home/u/docker/sock", "LXD_DIR": "/home/u/lxd", "TMUX_TMPDIR": "/home/u/mux"}
	for name := range session {
		if !slices.Contains(SessionVariables(c), name) {
			t.Errorf("%s is not asked for", name)
		}
	}
	facts := host.Facts{Home: "/home/u", Paths: map[string]host.PathFact{"~/link": {Kind: host.Dir, Target: "/home/u/ch"}}}
	const agent = `exposes the socket of SSH_AUTH_SOCK: /home/u/ch/agent`
	for text, want := range map[string]string{
		`filesystem.read = ["~/ch"]`:                                       agent,
		`filesystem.read = ["~/ch/agent"]`:                                 agent,
		`filesystem.read = ["~/link"]`:                                     agent,
		`filesystem.read = [{ path = "~/ch", why = "w" }]`:                 agent,
		`filesystem.write = ["~/ch"]`:                                      agent,
		`filesystem.overlay = ["~/ch"]`:                                    agent,
		`filesystem.read = ["~/docker"]`:                                   "exposes the socket of DOCKER_HOST: /home/u/docker/sock",
		`filesystem.read = ["~/lxd/x"]`:                                    "exposes the socket of LXD_DIR: /home/u/lxd",
		`filesystem.read = ["~/mux"]`:                                      "exposes the socket of TMUX_TMPDIR: /home/u/mux/tmux-*",
		`filesystem.read = ["~/mux/x"]`:                                    "",
		`filesystem.read = ["~/chest", "~/ch/x"]`:                          "",
		`filesystem.read = [{ path = "~/ch/agent", why = "w" }]`:           "",
		"filesystem.read = [\"~/ch\"]\nfilesystem.hide = [\"~/ch/agent\"]": "",
		"filesystem.read = [\"~/ch\"]\nsockets.pass = [\"ssh-agent\"]":     "",
		"filesystem.read = [\"~/docker\"]\nsockets.pass = [\"ssh-agent\"]": "exposes the socket of DOCKER_HOST",
	} {
		p, err := profile.Parse("p.toml", []byte(text), profile.Loader{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		t.Run(text, func(t *testing.T) {
			_, err := Build(p, c, facts, Options{Session: session})
			judge(t, err, want)
			_, err = Build(p, c, facts, Options{})
			judge(t, err, "")
		})
	}
}
