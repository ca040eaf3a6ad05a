package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
)

// The modes of new files. A launcher is for everyone who can reach it; other
// files are as the umask wants them.
const (
	modeLauncher = 0o755
	modeData     = 0o644
)

// toFile is the file that an option --output names; empty: standard output.
func toFile(output string) string {
	if output == "-" {
		return ""
	}
	return output
}

// target is a file that is going to be written, once all that can fail has
// been done.
type target struct {
	name   string // as the user wrote it
	path   string // of the file itself, all links followed
	exists bool
	mode   fs.FileMode // of what is there
	old    []byte
}

// openTarget looks at a file that is going to be written and refuses what
// cannot be replaced. It changes nothing.
func openTarget(name string) (target, error) {
	path, err := follow(name)
	if err != nil {
		return target{}, err
	}
	t := target{name: name, path: path}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(name); err == nil { // a pipe's link in /proc leads to no name
			return target{}, irregular(name)
		}
		return t, nil
	case err != nil:
		return target{}, failed(err, "cannot look at %q", name)
	case info.IsDir():
		return target{}, cannot("name a file in it", "is a directory: %q", name)
	case !info.Mode().IsRegular():
		return target{}, irregular(name)
	}
	t.exists, t.mode = true, info.Mode().Perm()
	if t.old, err = readFile(path); err != nil {
		return target{}, failed(err, "cannot read %q", name)
	}
	return t, nil
}

func irregular(name string) error {
	return cannot("for standard output write -o -", "refusing to replace what is not a regular file: %q", name)
}

// write replaces the file as a whole: a reader sees the old text or the new,
// and a failure leaves the old. An existing file keeps its mode.
func (t target) write(data []byte) error {
	return t.replace(data, renameio.WithPermissions(modeData), renameio.WithExistingPermissions())
}

// writeLauncher is write for what is going to be run: by all who may read it.
func (t target) writeLauncher(data []byte) error {
	return t.replace(data, renameio.WithStaticPermissions(t.launcherMode()))
}

func (t target) launcherMode() fs.FileMode {
	if !t.exists {
		return modeLauncher
	}
	return t.mode | t.mode&0o444>>2
}

func (t target) replace(data []byte, mode ...renameio.Option) error {
	f, err := renameio.NewPendingFile(t.path, append(mode, renameio.WithTempDir(filepath.Dir(t.path)))...) // the same file system
	if err != nil {
		return failed(err, "cannot write %q", t.name)
	}
	defer f.Cleanup()
	if _, err = f.Write(data); err == nil {
		err = f.CloseAtomicallyReplace()
	}
	if err != nil {
		return failed(err, "cannot write %q", t.name)
	}
	return nil
}

// is reports whether the target is the file that an input was read from, by
// whatever name.
func (t target) is(input string) bool {
	a, err := os.Stat(t.path)
	if err != nil {
		return false
	}
	b, err := os.Stat(input)
	return err == nil && os.SameFile(a, b)
}

const maxLinks = 40 // as the kernel has it

// follow finds the file that a name stands for. Unlike filepath.EvalSymlinks
// it allows the file itself to be absent, also behind a link.
func follow(name string) (string, error) {
	at := name
	for range maxLinks {
		dir, base := filepath.Split(at)
		real, err := filepath.EvalSymlinks(cmp.Or(dir, ".")) // with a slash behind it, no file
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil {
			return "", noDirectory(name, dir, err)
		}
		if base == "" || base == "." || base == ".." {
			return "", cannot("name a file in it", "is a directory: %q", name)
		}
		at = filepath.Join(real, base)
		link, err := os.Readlink(at)
		if err != nil {
			return at, nil // not a link, or not there
		}
		if !filepath.IsAbs(link) {
			link = real + "/" + link // not Join: "a/.." is not "." where a is a link
		}
		at = link
	}
	return "", cannot("name the file that is meant, not a link to it", "too many links: %q", name)
}

func noDirectory(name, dir string, err error) error {
	dir = strings.TrimSuffix(dir, "/")
	if errors.Is(err, fs.ErrNotExist) {
		return cannot("make it: mkdir -p "+shell(dir), "there is no directory %q to write %q into", dir, name)
	}
	return failed(err, "cannot write %q", name)
}
