package harness

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// World is a home directory with a project in it, and what lies outside, all
// fresh.
type World struct {
	Setting
	Top     string // holds all of it
	Home    string
	Project string // Home/code/p
	Outside string // a directory that no profile names
}

// Homes is where worlds are made. A home directory below /home is what users
// have; only root can make one.
func Homes() string {
	if info, err := os.Stat("/home"); err == nil && info.IsDir() && os.Getuid() == 0 {
		return "/home"
	}
	return os.TempDir()
}

// NewWorld makes an empty world in a directory. It vanishes when the test ends.
func NewWorld(t *testing.T, s Setting, in string) World {
	t.Helper()
	top, err := os.MkdirTemp(in, "bwrapgen-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { Remove(t, top) })
	w := World{s, top, filepath.Join(top, "home"), filepath.Join(top, "home/code/p"), filepath.Join(top, "outside")}
	for _, dir := range []string{w.Project, w.Outside} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(top, 0o755); err != nil {
		t.Fatal(err)
	}
	w.Give(t, top)
	return w
}

// Write writes files, named from the top. They belong to whoever runs the
// tests until they are given away.
func (w World) Write(t *testing.T, files map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(w.Top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Put writes a program that belongs to the account. No process may be started
// meanwhile: one that held the file open for writing would make it busy.
func (w World) Put(t *testing.T, path string, program []byte) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, program, 0o755)); err != nil {
		t.Fatal(err)
	}
	w.Give(t, path)
}

// Read gives what a file holds, or "" where there is none.
func Read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

// Exists says whether something is there by a name, be it a dangling link.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Remove removes a tree, also what nobody may write to.
func Remove(t *testing.T, root string) {
	t.Helper()
	_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	if err := os.RemoveAll(root); err != nil {
		t.Error(err)
	}
}
