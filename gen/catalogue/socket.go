package catalogue

import (
	"slices"
	"strings"

	"bwrapgen/gen/expr"
)

// Passing says how a control socket gets into a sandbox whose profile asks for it. One
// without a name never does.
type Passing struct {
	Name      string   // in a profile's sockets.pass
	Allows    string   // what a command can do by it; empty: that depends on more
	Variables []string // by which programs find it; the first holds its path, its address or a name
	Directory string   // the variable of the directory where a name lies, before XDG_RUNTIME_DIR
	Names     []string // the sockets in the entry's directory; none: the entry is the socket
	Inside    string   // where it stands, from the runtime directory; empty: where it is outside
	Sets      string   // NAME=value for inside, where %s is the socket's path
	Engine    bool     // a part of the launcher finds it
}

// Socket is one socket that a profile can pass.
type Socket struct {
	Passing
	Path expr.Path // where it is without a variable
	Top  expr.Path // what of it is hidden from those who do not ask: the socket or its directory
}

// Passable lists the sockets that profiles can pass, in the order in which launchers
// list them: those of the last tool first. A name may stand for several sockets.
func Passable() []Socket {
	var all []Socket
	for _, t := range slices.Backward(BuiltIn().Tools) {
		for _, e := range t.Sockets {
			if e.Pass.Name == "" {
				continue
			}
			paths := e.below(e.Pass.Names)
			if len(paths) == 0 {
				paths = []expr.Path{e.Path}
			}
			for _, p := range paths {
				all = append(all, Socket{e.Pass, p, e.Path})
			}
		}
	}
	return all
}

// Passed lists the sockets for which a name stands.
func Passed(name string) []Socket {
	return slices.DeleteFunc(Passable(), func(s Socket) bool { return s.Name != name })
}

// SocketNames lists what sockets.pass may name.
func SocketNames() []string {
	var names []string
	for _, s := range Passable() {
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// SocketVariables are those by which programs find the sockets of a name.
func SocketVariables(name string) []string {
	var all []string
	for _, s := range Passed(name) {
		all = append(all, s.Variables...)
		if variable, _, found := strings.Cut(s.Sets, "="); found {
			all = append(all, variable)
		}
	}
	return all
}

// SocketMeans says what a command can do by the sockets of a name. What it can by the
// bus depends on the names that are listed.
func SocketMeans(name string) string {
	for _, s := range Passed(name) {
		return s.Allows
	}
	return ""
}

// Place is where the socket stands inside: absolute, or from the runtime directory.
func (s Socket) Place() string {
	switch {
	case s.Inside != "":
		return s.Inside
	case s.InRuntime():
		return s.Path.Rest[1:]
	}
	return s.Path.Rest
}

// InRuntime reports whether the socket lies in the runtime directory.
func (s Socket) InRuntime() bool { return s.Path.Name == "XDG_RUNTIME_DIR" }
