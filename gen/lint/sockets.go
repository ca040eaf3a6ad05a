package lint

import (
	"fmt"
	"regexp"
	"slices"
)

// socketRules are about sockets of the host. A read-only bind does not keep anyone
// from connecting, so it makes no difference here.
var socketRules = []Rule{
	{
		Name:     "control-socket",
		Severity: Escape,
		Bad:      "bwrap --bind /run/docker.sock /run/docker.sock -- make",
		Good:     "bwrap --bind /srv/app/app.sock /srv/app/app.sock -- make",
		Looks:    "sockets of container engines, of the session bus and the like, or directories that hold them",
		Why: "a daemon behind them acts outside the sandbox on the command's behalf, and a read-only bind does " +
			"not keep anyone from connecting",
		Source: "unix(7), connect; mount(2), MS_RDONLY; bwrapgen catalogue show NAME: sockets",
		Hint:   "leave them out, or cover the directory by --tmpfs; for a part of the bus, bind the socket of xdg-dbus-proxy",
		call:   controlSockets,
	},
	{
		Name:     "agent-socket",
		Severity: Exposure,
		Bad:      `bwrap --bind "$SSH_AUTH_SOCK" "$SSH_AUTH_SOCK" -- git fetch`,
		Good:     "bwrap --unsetenv SSH_AUTH_SOCK --ro-bind /usr /usr -- git fetch",
		Looks:    "sockets of ssh-agent, gpg-agent and smart cards, by their variable or their path",
		Why:      "while the sandbox runs, the command signs and decrypts with the user's keys",
		Source:   "ssh-agent(1), -A of ssh(1); gpg-agent(1)",
		Hint:     "leave it out, or start an agent of its own with one key, and a confirmation: ssh-add -c",
		call:     socketsOf("agent-socket"),
	},
	{
		Name:     "desktop-socket",
		Severity: Weak,
		Bad:      `bwrap --ro-bind "$XDG_RUNTIME_DIR/pulse" "$XDG_RUNTIME_DIR/pulse" -- player`,
		Good:     "bwrap --ro-bind /usr /usr -- player",
		Looks:    "sockets of Wayland, PulseAudio and PipeWire, by their variable or their path",
		Why: "PulseAudio and PipeWire let the command hear the microphone, PipeWire also see shared screens; " +
			"Wayland lets it read the clipboard",
		Source: "module-native-protocol-unix of PulseAudio; pipewire(1); wayland.freedesktop.org, wl_data_device",
		Hint:   "leave it out, where the command needs neither window nor sound",
		call:   socketsOf("desktop-socket"),
	},
	{
		Name:     "x11-socket",
		Severity: Exposure,
		Bad:      "bwrap --ro-bind /tmp/.X11-unix /tmp/.X11-unix -- xterm",
		Good:     "bwrap --ro-bind /usr /usr -- make",
		Looks:    "X11's socket",
		Why:      "X11 lets each program read the keys typed into the others, and type into them",
		Source:   "Xsecurity(7)",
		Hint:     "leave it out, or start a nested X server",
		call:     x11,
	},
}

// socketKind is a group of sockets of which one rule tells.
type socketKind struct {
	rule      string
	severity  Severity // 0: the rule's
	pass      []string // names in the catalogue
	variables []string // that lead to it
	says      string
}

var socketKinds = []socketKind{
	{"agent-socket", 0, []string{"ssh-agent"}, []string{"SSH_AUTH_SOCK"}, "sign with the keys of the ssh-agent"},
	{"agent-socket", 0, []string{"gpg-agent"}, []string{"GPG_AGENT_INFO"}, "sign and decrypt with the keys of the gpg-agent"},
	{"agent-socket", 0, []string{"smart-card", "p11-kit", "1password", "bitwarden"}, []string{"P11_KIT_SERVER_ADDRESS", "PCSCLITE_CSOCK_NAME"}, "use the keys of smart cards and password managers"},
	{"desktop-socket", 0, []string{"wayland"}, []string{"WAYLAND_DISPLAY", "WAYLAND_SOCKET"}, "read the clipboard of the Wayland session"},
	{"desktop-socket", Exposure, []string{"pulseaudio", "pulse"}, []string{"PULSE_SERVER"}, "hear the microphone, through PulseAudio"},
	{"desktop-socket", Exposure, []string{"pipewire"}, []string{"PIPEWIRE_REMOTE"}, "hear the microphone, and see shared screens, through PipeWire"},
	{"control-socket", 0, []string{"dbus"}, []string{"DBUS_SESSION_BUS_ADDRESS"}, "have the session bus start programs outside the sandbox"},
	{"control-socket", Exposure, []string{"nix-daemon", "guix-daemon"}, nil, "have a daemon build outside the sandbox, which takes a trusted user for root"},
	{"control-socket", 0, nil, []string{"DOCKER_HOST", "CONTAINER_HOST"}, "have the container engine start programs outside the sandbox"},
	{"control-socket", 0, nil, []string{"SWAYSOCK", "I3SOCK", "TMUX", "NIRI_SOCKET"}, "have a program of the session run commands outside the sandbox"},
}

// waylandSocket is the socket of any compositor of the user's.
var waylandSocket = regexp.MustCompile(`/wayland-\d+$`)

// ofKind gives the kind of the socket that a mount shows by itself.
func (c *call) ofKind(i int) (socketKind, bool) {
	m := c.mounts[i]
	if !m.bind || c.hidden(i) {
		return socketKind{}, false
	}
	all := slices.Clone(c.script.sockets)
	src := waylandSocket.ReplaceAllString(m.src, "/wayland-0") // the catalogue has the first
	for _, kind := range socketKinds {
		if slices.ContainsFunc(kind.variables, m.operands[0].Text.MadeOf) {
			return kind, true
		}
		if slices.ContainsFunc(all, func(s sensitive) bool { return slices.Contains(kind.pass, s.pass) && matches(src, s.at) }) {
			return kind, true
		}
	}
	return socketKind{}, false
}

// socketsOf is a rule's function for the sockets of its kinds.
func socketsOf(rule string) func(*call) []remark {
	return func(c *call) []remark {
		var all []remark
		for i, m := range c.mounts {
			if kind, ok := c.ofKind(i); ok && kind.rule == rule {
				all = append(all, remark{at: m.At, severity: kind.severity, what: fmt.Sprintf("through %s the command can %s", shown(m.src), kind.says)})
			}
		}
		return all
	}
}

// lookups are places of services that only answer questions.
var lookups = []string{"/run/systemd/userdb", "/run/systemd/resolve", "/run/nscd", "/run/udev"}

// directories are places that hold sockets of all kinds.
func directories() []string { return []string{"/run", "/run/user", runtime} }

func controlSockets(c *call) []remark {
	remarks := socketsOf("control-socket")(c)
	all := slices.Clone(c.script.sockets)
	all = slices.DeleteFunc(all, func(s sensitive) bool { return within(s.at, "/tmp") }) // another rule's
	for i, m := range c.mounts {
		if _, told := c.ofKind(i); told || slices.Contains(lookups, m.src) {
			continue
		}
		itself, below := c.exposed(i, slices.DeleteFunc(slices.Clone(all), func(s sensitive) bool {
			passed := s.pass != "" && s.pass != "dbus" && matches(m.src, s.at)
			// In home few hosts have one, where a directory is bound that holds other things.
			return passed || !within(s.at, "/run") && !matches(m.src, s.at)
		}))
		switch {
		case itself:
			remarks = append(remarks, remark{at: m.At, what: fmt.Sprintf("the command can ask the daemon behind %s to act outside the sandbox", shown(m.src))})
		case slices.Contains(directories(), m.src) && c.reaches(i, m.src):
			remarks = append(remarks, remark{at: m.At, what: fmt.Sprintf("the command can connect to all sockets in %s", shown(m.src))})
		case len(below) > 0:
			remarks = append(remarks, remark{at: m.At, what: fmt.Sprintf("the command can connect to sockets in %s: %s", shown(m.src), listed(below))})
		}
	}
	return remarks
}

func x11(c *call) []remark {
	var all []remark
	for i, m := range c.mounts {
		if within(m.src, "/tmp/.X11-unix") && c.reaches(i, m.src) {
			all = append(all, remark{at: m.At, what: "the command can read and send keys of all X11 programs"})
		}
	}
	return all
}
