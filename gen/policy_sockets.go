package gen

import (
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/plan"
)

// sockets writes the services of the session that the command can reach.
func (w *policy) sockets(p plan.Plan) {
	if len(p.Sockets.Pass) == 0 {
		return
	}
	w.list("sockets", p.Sockets.Pass)
	var rows [][]bash.Word
	for _, name := range p.Sockets.Pass {
		for _, s := range catalogue.Passed(name) {
			if !s.Engine {
				rows = append(rows, w.socket(s))
			}
		}
	}
	w.table("named_sockets", rows)
	w.group("Sockets of the session, if they exist: path or name, the directory of a name, the path inside " +
		"(relative to the runtime directory), and the variable that names it.")
	var names []bash.Word
	for _, name := range p.Sockets.Talk {
		names = append(names, w.quote("--talk="+name))
	}
	for _, name := range p.Sockets.Own {
		names = append(names, w.quote("--own="+name))
	}
	if p.Sockets.Has("dbus") {
		w.array("bus_names", names)
		w.group("Names on the session bus that the command may talk to or own.")
	}
}

// socket is the row of one socket.
func (w *policy) socket(s catalogue.Socket) []bash.Word {
	directory := []bash.Part{{Text: "/proc/nonexistent"}}
	source := w.parts(s.Path)
	if s.InRuntime() {
		directory = []bash.Part{{Var: "XDG_RUNTIME_DIR", Default: []bash.Part{{Var: "runtime"}}}}
		if s.Directory != "" {
			directory = []bash.Part{{Var: s.Directory, Default: directory}}
		}
		source = append(directory[:1:1], bash.Part{Text: s.Path.Rest})
	}
	if len(s.Variables) > 0 && s.Variables[0] != s.Path.Name {
		source = []bash.Part{{Var: s.Variables[0], Default: source}}
	}
	return []bash.Word{w.keep(bash.Join(source...)), w.keep(bash.Join(directory...)), w.quote(s.Place()), w.socketVariable(s)}
}

// socketVariable assigns the variable that names the socket inside, or is empty.
func (w *policy) socketVariable(s catalogue.Socket) bash.Word {
	name, value, found := strings.Cut(s.Sets, "=")
	if !found {
		return w.quote("")
	}
	before, after, named := strings.Cut(value, "%s")
	parts := []bash.Part{{Text: before}}
	switch {
	case named && strings.HasPrefix(s.Place(), "/"):
		parts = append(parts, bash.Part{Text: s.Place() + after})
	case named:
		parts = append(parts, bash.Part{Var: "runtime"}, bash.Part{Text: "/" + s.Place() + after})
	}
	return w.assign(name, parts...)
}
