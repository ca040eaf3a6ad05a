package gen

import (
	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
)

// socketView is what the templates see of the session's sockets.
type socketView struct {
	Runtime, Sockets, Shares                          bool
	Seated                                            bool // one of them lies in the caller's runtime directory
	SSHAgent, GPGAgent, Wayland, X11, Pipewire, Pulse bool
	Bus                                               []bash.Word // options of xdg-dbus-proxy; none: no bus is passed
}

func (w *viewer) sockets(p plan.Plan) socketView {
	s := p.Sockets
	v := socketView{
		Runtime: s.Runtime, Sockets: len(s.Pass) > 0,
		SSHAgent: s.Has("ssh-agent"), GPGAgent: s.Has("gpg-agent"), Wayland: s.Has("wayland"),
		X11: s.Has("x11"), Pipewire: s.Has("pipewire"), Pulse: s.Has("pulse"),
	}
	v.Shares = v.Sockets
	v.Seated = v.Wayland || v.Pipewire || v.Pulse || s.Has("dbus")
	if s.Has("dbus") {
		v.Shares = len(s.Pass) > 1
		v.Bus = []bash.Word{bash.Flag("--filter")}
		for _, name := range s.Talk {
			v.Bus = append(v.Bus, w.quote("--talk="+name))
		}
		for _, name := range s.Own {
			v.Bus = append(v.Bus, w.quote("--own="+name))
		}
	}
	return v
}

// place is where a mount stands inside: below XDG_RUNTIME_DIR, in the
// sandbox's own.
func (w *viewer) place(m plan.Mount) bash.Word {
	p := m.Target
	if p.Base == expr.Variable && p.Name == "XDG_RUNTIME_DIR" && p.Default == nil && w.runtime {
		return w.keep(bash.Join(bash.Part{Var: "runtime"}, bash.Part{Text: p.Rest}))
	}
	return w.path(p)
}
