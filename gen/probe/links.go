package probe

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"bwrapgen/gen/host"
)

// maxLinks is how many symbolic links Linux follows in one path
// (path_resolution(7)).
const maxLinks = 40

// links follows symbolic links, below its root, as the kernel would. It
// remembers what it has seen, since paths asked about share their beginnings.
type links struct {
	root string
	seen map[string]node // by path without links
	to   map[string]walk // where the walk along a path has ended
}

// node is one name on disk.
type node struct {
	mode fs.FileMode
	text string // of a link
	ok   bool
}

func newLinks(root string) *links {
	return &links{root: root, seen: map[string]node{}, to: map[string]walk{}}
}

// fact says what is at an absolute path; false where nothing is.
func (l *links) fact(name string) (host.PathFact, bool) {
	if !path.IsAbs(name) {
		return host.PathFact{}, false
	}
	name = path.Clean(name)
	w := l.walk(path.Dir(name))
	if !w.ok {
		return host.PathFact{}, false
	}
	last := l.node(inDirectory(w.at, path.Base(name)))
	w.follow(path.Base(name))
	switch {
	case !last.ok:
		return host.PathFact{}, false
	case w.count > maxLinks:
		return host.PathFact{Kind: host.Dangling}, true
	case !w.ok:
		return host.PathFact{Kind: host.Dangling, Target: w.at}, true
	}
	fact := host.PathFact{Kind: kind(l.node(w.at).mode)}
	if w.count > 0 {
		fact.Target = w.at
	}
	return fact, true
}

// walk goes along a clean absolute path.
func (l *links) walk(name string) walk {
	if name == "/" {
		return walk{links: l, at: name, ok: true}
	}
	w, ok := l.to[name]
	if !ok {
		w = l.walk(path.Dir(name))
		w.follow(path.Base(name))
		l.to[name] = w
	}
	return w
}

// resolve gives a path without links; one that leads nowhere stays as it is.
func (l *links) resolve(name string) string {
	fact, _ := l.fact(name)
	return fact.Place(name)
}

// walk is a walk along a path.
type walk struct {
	*links
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
			w.step(part)
		}
		if w.count > maxLinks {
			return
		}
	}
}

func (w *walk) step(part string) {
	next := inDirectory(w.at, part)
	n := w.node(next)
	switch {
	case !n.ok:
		w.ok, w.at = false, next
	case n.mode&fs.ModeSymlink == 0, next == "/proc/self": // another one for each process that asks
		w.at = next
	default:
		if w.count++; w.count > maxLinks {
			w.ok = false
			return
		}
		w.follow(n.text)
	}
}

// inDirectory is the path of a name in a directory.
func inDirectory(directory, name string) string {
	if directory == "/" {
		return path.Join(directory, name)
	}
	return directory + "/" + name
}

// node looks at a name whose parents are free of links.
func (l *links) node(name string) node {
	if n, ok := l.seen[name]; ok {
		return n
	}
	n := l.stat(l.root + name)
	l.seen[name] = n
	return n
}

func (l *links) stat(name string) node {
	info, err := os.Lstat(name)
	if err != nil {
		return node{}
	}
	n := node{mode: info.Mode(), ok: true}
	if n.mode&fs.ModeSymlink != 0 {
		n.text, err = os.Readlink(name)
		n.ok = err == nil
	}
	return n
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
