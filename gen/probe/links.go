package probe

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
)

// maxLinks is how many symbolic links Linux follows in one path
// (path_resolution(7)).
const maxLinks = 40

// fact says what is at an absolute path; of nothing, nothing.
func (h Host) fact(name string) host.PathFact {
	name = path.Clean(name)
	if h.Root == "" {
		if _, err := os.Lstat(name); err != nil { // most are absent: no need to look at all above
			return host.PathFact{}
		}
	}
	w := walk{host: h, at: "/"}
	if !path.IsAbs(name) || !w.follow(path.Dir(name)) {
		return host.PathFact{}
	}
	base := path.Base(name)
	if _, there := h.mode(path.Join(w.at, base)); !there {
		return host.PathFact{}
	}
	leads := w.follow(base)
	mode, _ := h.mode(w.at)
	switch {
	case w.links > maxLinks:
		return host.PathFact{Kind: host.Dangling}
	case !leads:
		return host.PathFact{Kind: host.Dangling, Target: w.at}
	case w.links > 0:
		return host.PathFact{Kind: kind(mode), Target: w.at}
	}
	return host.PathFact{Kind: kind(mode)}
}

// has reports whether there is something at an absolute path.
func (h Host) has(name string) bool { return h.fact(name).Kind != "" }

// resolve gives a path without links; one that leads nowhere stays as it is.
func (h Host) resolve(name string) string { return h.fact(name).Place(name) }

// inside reports whether a path, or what it leads to, lies in a directory.
func (h Host) inside(dir, name string) bool {
	if dir == "" {
		return false
	}
	for _, d := range []string{path.Clean(dir), h.resolve(dir)} {
		for _, n := range []string{name, h.resolve(name)} {
			if expr.Within(n, d) {
				return true
			}
		}
	}
	return false
}

// mode is that of a name whose parents are free of links; false where it is not there.
func (h Host) mode(name string) (fs.FileMode, bool) {
	info, err := os.Lstat(h.real(name))
	if err != nil {
		return 0, false
	}
	return info.Mode(), true
}

// walk is a walk along a path, below the host's root, as the kernel would go.
type walk struct {
	host  Host
	at    string // so far, without links; where the walk failed: where it would lead
	links int    // that were followed
}

// follow goes on by a path, and reports whether that leads somewhere.
func (w *walk) follow(name string) bool {
	for todo := strings.Split(name, "/"); len(todo) > 0; {
		next := path.Join(w.at, todo[0])
		todo = todo[1:]
		if next == w.at { // nothing between two slashes, or .
			continue
		}
		text, err := os.Readlink(w.host.real(next))
		switch {
		case err != nil, next == "/proc/self": // another one for each process that asks
			w.at = next
			if _, there := w.host.mode(next); !there {
				w.at = path.Join(append([]string{next}, todo...)...)
				return false
			}
		case w.links == maxLinks:
			w.links++
			return false
		default:
			w.links++
			if path.IsAbs(text) {
				w.at = "/"
			}
			todo = append(strings.Split(text, "/"), todo...)
		}
	}
	return true
}

func kind(mode fs.FileMode) host.Kind {
	switch {
	case mode.IsDir():
		return host.Dir
	case mode&fs.ModeSocket != 0:
		return host.Socket
	case mode&fs.ModeNamedPipe != 0:
		return host.Pipe
	case mode&fs.ModeDevice != 0:
		return host.Device
	}
	return host.File
}
