package sandboxtest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// state is what the host looks like, a line for each path: what a sandbox must
// leave as it was.
type state map[string]string

// state reads all but the project; of that, the names at its top, and what git
// would run. Names that begin with "made-" are a row's own.
func (w world) state(t *testing.T) state {
	t.Helper()
	s := state{}
	s.tree(t, w.dir, w.project, w.linked())
	for _, name := range []string{".git/hooks", ".git/config", ".git/commondir", "../linked/.git"} {
		if path := filepath.Join(w.project, name); exists(path) {
			s.tree(t, path)
		}
	}
	entries, err := os.ReadDir(w.project)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "made-") {
			s[filepath.Join(w.project, e.Name())] = "there"
		}
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm", "/run", "/etc", "/usr", "/"} {
		made, err := filepath.Glob(filepath.Join(dir, "made-*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range made {
			s[name] = "there"
		}
	}
	return s
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// tree reads a tree, without what lies at or below skipped.
func (s state) tree(t *testing.T, root string, skipped ...string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains(skipped, path) {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.Name() == "ours" {
			return nil // a profile's own writable file
		}
		s[path] = fmt.Sprint(info.Mode(), " ", info.ModTime().UnixNano(), " ", content(path, info))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func content(path string, info fs.FileInfo) string {
	switch {
	case info.Mode().IsRegular():
		data, err := os.ReadFile(path)
		return fmt.Sprintf("%d %x %v", info.Size(), sha256.Sum256(data), err)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return fmt.Sprint(target, err)
	}
	return ""
}

// unchanged compares what is with what was.
func (s state) unchanged(t *testing.T, w world) {
	t.Helper()
	s.same(t, w.state(t))
}

// same compares two states of the host.
func (s state) same(t *testing.T, now state) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if was, ok := s[path]; !ok {
			t.Errorf("new on the host: %s", path)
		} else if was != now[path] {
			t.Errorf("changed on the host: %s: %s, was %s", path, now[path], was)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(s)) {
		if _, ok := now[path]; !ok {
			t.Errorf("gone from the host: %s", path)
		}
	}
}
