package golden_test

import (
	"context"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"mvdan.cc/sh/v3/interp"

	"bwrapgen/gen/host"
)

// tree is a file system in memory, by clean absolute path.
type tree map[string]node

// node is one file of a tree.
type node struct {
	name    string
	kind    host.Kind
	link    string // of a symbolic link: where it points to
	text    string // of a file
	program bool
	mine    bool // the user's, who alone may write it
}

// usual is a small machine with what the facts list and, as far as they do not
// say otherwise, a merged /usr.
func usual(f host.Facts) tree {
	t := tree{"/": {kind: host.Dir}}
	t.add("/home", node{kind: host.Dir})
	t.home(f)
	for _, name := range slices.Sorted(maps.Keys(f.Paths)) {
		t.fact(f, name)
	}
	for _, name := range []string{"/usr/sbin", "/usr/lib", "/usr/lib64", "/tmp", "/var/tmp", "/run", "/dev/shm"} {
		t.add(name, node{kind: host.Dir})
	}
	t.add("/proc/self/mounts", node{kind: host.File})
	t.add("/proc/self/environ", node{kind: host.File})
	t.add("/proc/self/limits", node{kind: host.File})
	for _, descriptor := range []string{"0", "1", "2"} {
		t.add("/proc/self/fd/"+descriptor, node{kind: host.Pipe})
	}
	t.add("/proc/self/status", node{kind: host.File, text: "Name:\tbash\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\n"})
	for _, name := range []string{"bin", "sbin", "lib", "lib64"} {
		t.add("/"+name, node{link: "usr/" + name})
	}
	for _, name := range []string{"/usr/bin/bash", "/usr/bin/env", "/usr/bin/sh", "/usr/bin/prlimit", "/usr/bin/slirp4netns", "/usr/bin/xdg-dbus-proxy", f.Bwrap.Path} {
		t.add(name, node{kind: host.File, program: true})
	}
	t.add("/dev/null", node{kind: host.Device})
	t.add("/dev/net/tun", node{kind: host.Device, mine: true})
	t.etc(f)
	return t
}

func (t tree) etc(f host.Facts) {
	user := path.Base(f.Home)
	t.add("/etc/passwd", node{kind: host.File, text: "root:x:0:0:root:/root:/bin/bash\n" + user + ":x:1000:1000::" + f.Home + ":/bin/bash\n"})
	t.add("/etc/group", node{kind: host.File, text: "root:x:0:\n" + user + ":x:1000:\n"})
	if f.Timezone != "" {
		t.add("/usr/share/zoneinfo/"+f.Timezone, node{kind: host.File})
		t.add("/etc/localtime", node{link: "/usr/share/zoneinfo/" + f.Timezone})
	}
}

func (t tree) home(f host.Facts) {
	for _, name := range []string{"", "/bin", "/code", "/code/.git", "/code/.git/hooks"} {
		t.add(f.Home+name, node{kind: host.Dir, mine: true})
	}
	for _, name := range []string{"config", "hooks/pre-commit.sample"} {
		t.add(f.Home+"/code/.git/"+name, node{kind: host.File, mine: true})
	}
}

// fact adds a path of host.json. Where it leads through a link, its last part
// is taken for the link.
func (t tree) fact(f host.Facts, name string) {
	at, ok := evaluate(f, name)
	if !ok {
		return
	}
	fact := f.Paths[name]
	mine := strings.HasPrefix(at, f.Home+"/")
	switch {
	case fact.Kind == host.Dangling:
		t.add(at, node{link: "/nowhere"})
	case fact.Target != "" && t.real("/", at) != fact.Target:
		t.add(fact.Target, node{kind: fact.Kind, mine: mine})
		t.add(at, node{link: fact.Target})
	default:
		t.add(at, node{kind: fact.Kind, mine: mine})
	}
}

// add makes a file, with the directories above it, unless it is there.
func (t tree) add(name string, n node) {
	directory, base := path.Split(path.Clean(name))
	if base == "" {
		return
	}
	parent := t.real("/", directory)
	if _, ok := t[parent]; !ok {
		t.add(parent, node{kind: host.Dir, mine: n.mine})
	}
	at := path.Join(parent, base)
	if _, ok := t[at]; !ok {
		n.name = base
		t[at] = n
	}
}

// real is where a path leads, as far as it exists.
func (t tree) real(from, name string) string {
	if !path.IsAbs(name) {
		name = from + "/" + name
	}
	at := "/"
	for links, rest := 0, strings.Split(name, "/"); len(rest) > 0; {
		next := path.Join(at, rest[0])
		rest = rest[1:]
		if n := t[next]; n.link != "" && links < 40 {
			links++
			rest = append(strings.Split(n.link, "/"), rest...)
			if !path.IsAbs(n.link) {
				continue
			}
			next = "/"
		}
		at = next
	}
	return at
}

func (t tree) mkdir(name string) { t.add(name, node{kind: host.Dir, mine: true}) }

func (t tree) hold(descriptor, name string) {
	at := "/proc/self/fd/" + descriptor
	if name == "" {
		t.add(at, node{kind: host.Pipe, mine: true})
		return
	}
	t.add(name, node{kind: host.File, mine: true})
	t.add(at, node{link: name})
}

func (t tree) handlers() []interp.RunnerOption {
	return []interp.RunnerOption{
		interp.StatHandler(func(_ context.Context, name string, follow bool) (fs.FileInfo, error) { return t.stat(name, follow) }),
		interp.AccessHandler(func(_ context.Context, name string, mode interp.AccessMode) error { return t.access(name, mode) }),
		interp.OpenHandler(t.open),
		interp.ReadDirHandler2(func(_ context.Context, name string) ([]fs.DirEntry, error) { return t.list(name), nil }),
	}
}

func (t tree) stat(name string, follow bool) (node, error) {
	at := t.real("/", name)
	if !follow {
		at = path.Join(t.real("/", path.Dir(name)), path.Base(name))
	}
	n, ok := t[at]
	if !ok || name == "" {
		return node{}, fs.ErrNotExist
	}
	return n, nil
}

func (t tree) access(name string, mode interp.AccessMode) error {
	n, err := t.stat(name, true)
	if err != nil {
		return err
	}
	if mode&interp.AccessWrite != 0 && !n.mine || mode&interp.AccessExec != 0 && n.Mode()&0o100 == 0 {
		return fs.ErrPermission
	}
	return nil
}

func (t tree) open(c context.Context, name string, flag int, _ fs.FileMode) (io.ReadWriteCloser, error) {
	if !path.IsAbs(name) {
		name = path.Join(interp.HandlerCtx(c).Dir, name)
	}
	n, err := t.stat(name, true)
	switch {
	case flag != os.O_RDONLY:
		return opened{Writer: io.Discard}, nil
	case err != nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return opened{Reader: strings.NewReader(n.text)}, nil
}

// opened is a file that was opened to read or to write.
type opened struct {
	io.Reader
	io.Writer
}

func (opened) Close() error { return nil }

func (t tree) list(name string) []fs.DirEntry {
	var entries []fs.DirEntry
	for _, at := range slices.Sorted(maps.Keys(t)) {
		if path.Dir(at) == t.real("/", name) && at != "/" {
			entries = append(entries, fs.FileInfoToDirEntry(t[at]))
		}
	}
	return entries
}

// The methods of fs.FileInfo.

func (n node) Name() string       { return n.name }
func (n node) Size() int64        { return int64(len(n.text)) }
func (n node) ModTime() time.Time { return time.Time{} }
func (n node) IsDir() bool        { return n.kind == host.Dir }

func (n node) Mode() fs.FileMode {
	types := map[host.Kind]fs.FileMode{
		host.Dir: fs.ModeDir | 0o755, host.Socket: fs.ModeSocket, host.Pipe: fs.ModeNamedPipe,
		host.Device: fs.ModeDevice | fs.ModeCharDevice,
	}
	switch {
	case n.link != "":
		return fs.ModeSymlink | 0o777
	case n.program:
		return 0o755
	}
	return types[n.kind] | 0o644
}

// Sys tells the interpreter's -O who owns the file: it compares with the user
// who runs the test.
func (n node) Sys() any {
	if n.mine {
		return &syscall.Stat_t{Uid: uint32(os.Getuid()), Gid: uint32(os.Getgid())}
	}
	return &syscall.Stat_t{Uid: uint32(os.Getuid()) + 1}
}
