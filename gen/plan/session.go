package plan

import (
	"maps"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
)

// addresses are the variables that hold where a socket of the session is, by itself or
// in an address such as unix:///run/docker.sock, or a ticket. Others, such as SSH_AUTH_SOCK,
// are in the catalogue.
var addresses = []string{
	"BUILDKIT_HOST", "CONTAINERD_ADDRESS", "CONTAINER_HOST", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS",
	"DOCKER_HOST", "EMACS_SOCKET_NAME", "I3SOCK", "KITTY_LISTEN_ON", "KRB5CCNAME", "NVIM", "NVIM_LISTEN_ADDRESS",
	"P11_KIT_SERVER_ADDRESS", "PCSCLITE_CSOCK_NAME", "PIPEWIRE_REMOTE", "PULSE_RUNTIME_PATH",
	"PULSE_SERVER", "SWAYSOCK", "TMUX", "VSCODE_GIT_IPC_HANDLE", "VSCODE_IPC_HOOK", "VSCODE_IPC_HOOK_CLI",
	"WATCHMAN_SOCK", "WAYLAND_DISPLAY", "WEZTERM_UNIX_SOCKET",
}

// addressesWithout are those variables without the ones of sockets that are passed.
func addressesWithout(s Sockets) []string {
	var passed []string
	for _, name := range s.Pass {
		passed = append(passed, catalogue.SocketVariables(name)...)
	}
	return slices.DeleteFunc(slices.Clone(addresses), func(name string) bool { return slices.Contains(passed, name) })
}

// SessionVariables are all by which programs find sockets. What they hold lasts as long
// as a session, and is no fact about a host.
func SessionVariables(c catalogue.Catalogue) []string {
	names := slices.Clone(addresses)
	for _, s := range c.Sockets() {
		if s.Path.Base == expr.Variable && !strings.HasPrefix(s.Path.Name, "XDG_") {
			names = append(names, s.Path.Name)
		}
	}
	return sorted(names)
}

// SessionPlace is the path in what such a variable holds: an address may have one
// after its kind, and options after that.
func SessionPlace(variable, value string) (string, bool) {
	if before, _, found := strings.Cut(value, "/"); before != "" && found && strings.Contains(before, ":") {
		value, _, _ = strings.Cut(strings.TrimPrefix(value, before), ",")
		value, _, _ = strings.Cut(value, ";")
	}
	if variable == "TMUX" {
		value, _, _ = strings.Cut(value, ",")
	}
	return value, strings.HasPrefix(value, "/") && strings.Trim(value, "/") != ""
}

// refuseSession refuses an entry of a user's own in which a socket of this session is:
// one that is not passed, nor hidden, nor named with a reason.
func (b *builder) refuseSession(all Mounts, m Mount, places map[string]string) {
	at, known := m.Source.Eval(b.env)
	here := func(p problem.Problem) bool { return p == p.At(m.Origin.File, m.Origin.Line, m.Origin.Key) }
	refused := slices.ContainsFunc(b.problems, here)
	switch {
	case !known, refused, m.Origin.Builtin(), len(b.session) == 0, len(b.named(m, b.hits(m))) > 0:
		return
	}
	fact, _ := b.facts.Has(m.Source)
	at = fact.Place(at)
	masks := all.In(ScopeMask)
	for _, name := range slices.Sorted(maps.Keys(places)) {
		place := places[name]
		exposed := expr.Within(at, place) && m.Why == ""
		if expr.Below(place, at) {
			exposed = !b.masksPlace(masks, m, place)
		}
		if exposed {
			b.refuse(m.Origin, "unset "+name+", or list what is needed one by one; if the socket is, say what for",
				"%q exposes the socket of %s: %s", m.Source, name, place)
			return
		}
	}
}

// socketsNow are the places of this session's sockets, by variables.
func (b *builder) socketsNow(all Mounts, passed Sockets) map[string]string {
	places := map[string]string{}
	if len(b.session) == 0 {
		return nil
	}
	for _, name := range addressesWithout(passed) {
		if at := b.session[name]; at != "" {
			places[name] = at
		}
	}
	reasons := map[string]bool{} // why the profile shows credentials of a tool
	for _, m := range slices.Concat(all.In(ScopeToolchain), all.ofProfile()) {
		maps.Copy(reasons, b.named(m, b.hits(m)))
	}
	for _, s := range b.secretsOf(catalogue.ControlSocket) {
		at := b.session[s.Path.Name]
		if s.Path.Base != expr.Variable || at == "" || reasons[s.Tool] || passed.Has(s.Pass) {
			continue
		}
		places[s.Path.Name] = at + s.Path.Rest
	}
	return places
}
