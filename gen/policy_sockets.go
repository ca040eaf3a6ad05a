package gen

import (
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// sockets are the services of the session that the command can reach.
func (w *policy) sockets(p plan.Plan) {
	if len(p.Sockets.Pass) == 0 {
		return
	}
	w.list("sockets", p.Sockets.Pass)
	var rows [][]bash.Word
	for _, name := range p.Sockets.Pass {
		if s := profile.SocketNamed(name); s.Place != "" {
			rows = append(rows, w.socket(s))
		}
	}
	w.table("named_sockets", rows)
	w.group("Sockets of the session: the path or name of each, the directory where a name lies, and below the " +
		"runtime directory the place inside, with the variable that tells it.")
	var names []bash.Word
	for _, name := range p.Sockets.Talk {
		names = append(names, w.quote("--talk="+name))
	}
	for _, name := range p.Sockets.Own {
		names = append(names, w.quote("--own="+name))
	}
	if p.Sockets.Has("dbus") {
		w.array("bus_names", names)
		w.group("On the session bus, besides the bus itself: names to speak to, and to take.")
	}
}

// socket is the row of one socket.
func (w *policy) socket(s profile.Socket) []bash.Word {
	nowhere := []bash.Part{{Text: "/proc/nonexistent"}}
	directory := nowhere
	usual := nowhere
	if s.Usual != "" {
		directory = []bash.Part{{Var: "XDG_RUNTIME_DIR", Default: []bash.Part{{Var: "runtime"}}}}
		if s.Directory != "" {
			directory = []bash.Part{{Var: s.Directory, Default: directory}}
		}
		usual = append(directory[:1:1], bash.Part{Text: "/" + s.Usual})
	}
	variable := w.quote("")
	if s.Value != "" {
		before, after, found := strings.Cut(s.Value, "%s")
		value := []bash.Part{{Text: before}}
		if found {
			value = append(value, bash.Part{Var: "runtime"}, bash.Part{Text: "/" + s.Place + after})
		}
		variable = w.assign(s.Variable, value...)
	}
	source := bash.Part{Var: s.Variable, Default: usual}
	return []bash.Word{w.keep(bash.Join(source)), w.keep(bash.Join(directory...)), w.quote(s.Place), variable}
}
