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

// fact says what is at an absolute path; false where nothing is.
func (h Host) fact(name string) (host.PathFact, bool) {
	if !path.IsAbs(name) {
		return host.PathFact{}, false
	}
	name = path.Clean(name)
	w := walk{host: h, at: "/", ok: true}
	w.follow(path.Dir(name))
	_, there := h.mode(path.Join(w.at, path.Base(name)))
	there = there && w.ok
	w.follow(path.Base(name))
	switch {
	case !there:
		return host.PathFact{}, false
	case w.count > maxLinks:
		return host.PathFact{Kind: host.Dangling}, true
	case !w.ok:
		return host.PathFact{Kind: host.Dangling, Target: w.at}, true
	}
	mode, _ := h.mode(w.at)
	fact := host.PathFact{Kind: kind(mode)}
	if w.count > 0 {
		fact.Target = w.at
	}
	return fact, true
}

// resolve gives a path without links; one that leads nowhere stays as it is.
func (h Host) resolve(name string) string {
	fact, _ := h.fact(name)
	return fact.Place(name)
}

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
	ok    bool
	count int // of links
}

// follow goes on by a relative path, or anew by an absolute one.
func (w *walk) follow(name string) {
	if path.IsAbs(name) {
		w.at = "/"
	}
	for _, part := range strings.Split(name, "/") {
		switch {
		case part == "", part == ".":
		case part == "..", !w.ok:
			w.at = path.Join(w.at, part)
		default:
			w.step(path.Join(w.at, part))
		}
		if w.count > maxLinks {
			return
		}
	}
}

func (w *walk) step(next string) {
	text, err := os.Readlink(w.host.real(next))
	switch {
	case err != nil, next == "/proc/self": // another one for each process that asks
		_, w.ok = w.host.mode(next)
		w.at = next
		return
	}
	if w.count++; w.count > maxLinks {
		w.ok = false
		return
	}
	w.follow(text)
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
