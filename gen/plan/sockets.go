package plan

import (
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Sockets are the services of the session that the command can reach.
type Sockets struct {
	Runtime bool     // the sandbox has a runtime directory, named by XDG_RUNTIME_DIR
	Pass    []string // of catalogue.SocketNames, in that order
	Talk    []string // names on the session bus that may be spoken to
	Own     []string // names on the session bus that may be taken
}

// Has reports whether a socket is passed.
func (s Sockets) Has(name string) bool { return slices.Contains(s.Pass, name) }

// sockets takes the variables that belong to sockets out of those that are
// passed: they are set together with the mount, or not at all.
func (b *builder) sockets(e Environ) (Environ, Sockets) {
	asked := profile.Texts(b.profile.Sockets.Pass)
	var s Sockets
	var own []string
	for _, name := range catalogue.SocketNames() {
		if slices.Contains(asked, name) {
			s.Pass = append(s.Pass, name)
			own = append(own, catalogue.SocketVariables(name)...)
		}
	}
	s.Talk, s.Own = profile.Texts(b.profile.Sockets.Talk), profile.Texts(b.profile.Sockets.Own)
	passed := func(name string) bool { return slices.Contains(e.Pass, name) }
	s.Runtime = len(s.Pass) > 0 || slices.ContainsFunc([]string{runtimeVariable, "XDG_*"}, passed)
	if s.Runtime {
		own = append(own, runtimeVariable)
	}
	e.Pass = slices.DeleteFunc(e.Pass, func(name string) bool { return slices.Contains(own, name) })
	return e, s
}

const runtimeVariable = "XDG_RUNTIME_DIR"

// private reports whether a path lies where the sandbox has directories of its
// own, so that nothing of the host's is shown.
func private(p expr.Path) bool {
	if p.Base == expr.Variable {
		return p.Name == runtimeVariable
	}
	return below(p, "/run", "/var/run", "/tmp", "/var/tmp")
}
