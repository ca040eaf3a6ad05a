package harness

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// State is what a part of the host looks like, a line for each path: mode,
// time, size, content or target.
type State map[string]string

// StateOf reads trees.
func StateOf(t *testing.T, roots ...string) State {
	t.Helper()
	s := State{}
	for _, root := range roots {
		s.Tree(t, root)
	}
	return s
}

// Tree adds a tree, without what lies at or below skipped.
func (s State) Tree(t *testing.T, root string, skipped ...string) {
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

// Same fails the test where something is new, has changed or is gone now.
func (s State) Same(t *testing.T, now State) {
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
