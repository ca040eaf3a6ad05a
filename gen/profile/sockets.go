package profile

// Socket is a service of the session that a profile can pass. A socket with a
// Variable or a Usual place needs no code of its own in a launcher: it stands
// there as one row.
type Socket struct {
	Name      string
	Means     string   // what a command can do by it; empty: that depends on more
	Variables []string // by which programs find it, all of them

	Variable  string // the one that holds its path, its address or a name
	Directory string // the variable of the directory where a name lies, before XDG_RUNTIME_DIR
	Usual     string // where it is without the variable, below the runtime directory
	Place     string // where it stands inside, below the runtime directory; empty: the launcher has code for it
	Value     string // what Variable is inside: text that %s, the socket's path inside, may be a part of; empty: it is not set
}

// AllSockets are all of them, in the order in which launchers list them.
func AllSockets() []Socket {
	return []Socket{
		{
			Name: "ssh-agent", Means: "logs in as you", Variables: []string{"SSH_AUTH_SOCK"},
			Variable: "SSH_AUTH_SOCK", Place: "ssh-agent", Value: "%s",
		},
		{Name: "gpg-agent", Means: "signs and decrypts as you"},
		{
			Name: "wayland", Means: "does what the compositor lets any program do", Variables: []string{"WAYLAND_DISPLAY"},
			Variable: "WAYLAND_DISPLAY", Usual: "wayland-0", Place: "wayland-0", Value: "wayland-0",
		},
		{Name: "x11", Means: "reads every key, types into every window", Variables: []string{"DISPLAY", "XAUTHORITY"}},
		{
			Name: "pipewire", Means: "has camera, screen and microphone", Variables: []string{"PIPEWIRE_REMOTE", "PIPEWIRE_RUNTIME_DIR"},
			Variable: "PIPEWIRE_REMOTE", Directory: "PIPEWIRE_RUNTIME_DIR", Usual: "pipewire-0", Place: "pipewire-0",
		},
		{
			Name: "pulse", Means: "has the microphone, and can have its server load code",
			Variables: []string{"PULSE_SERVER", "PULSE_RUNTIME_PATH"},
			Variable:  "PULSE_SERVER", Usual: "pulse/native", Place: "pulse/native", Value: "unix:%s",
		},
		{Name: "dbus", Variables: []string{"DBUS_SESSION_BUS_ADDRESS"}},
	}
}

// SocketNamed is the socket of a name; one that is not known has nothing.
func SocketNamed(name string) Socket {
	for _, s := range AllSockets() {
		if s.Name == name {
			return s
		}
	}
	return Socket{}
}

// SocketNames lists what sockets.pass may name.
func SocketNames() []string {
	var names []string
	for _, s := range AllSockets() {
		names = append(names, s.Name)
	}
	return names
}
