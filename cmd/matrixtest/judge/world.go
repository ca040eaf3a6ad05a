package main

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The texts that the world has, and that a command inside writes.
const (
	secret  = "the-secret-of-the-host"
	outside = "outside\n"
	written = "written inside\n"
)

// world is the content of a home directory; the project's is below "project".
var world = map[string]string{
	".ssh/id_test":                     secret,
	".netrc":                           secret,
	".gitconfig":                       "[user]\n\tname = Somebody\n",
	"go/bin/tool":                      "#!/bin/sh\necho tool\n",
	"go/pkg/mod/example.org/m@v1/m.go": outside,
	"go/pkg/sumdb/sum.golang.org/file": outside,
	".cache/go-build/README":           outside,
	"other/file":                       outside,
	"project/go.mod":                   "module example.org/p\n\ngo 1.22\n",
	"project/file":                     outside,
	"project/.env":                     secret,
	"project/sub/file":                 outside,
	"project/.git/HEAD":                "ref: refs/heads/main\n",
	"project/.git/config":              "[core]\n\trepositoryformatversion = 0\n",
	"project/.git/objects/info/file":   "",
	"project/.git/refs/heads/file":     "",
	"project/.git/hooks/pre-commit":    outside,
}

// makeWorld fills a home directory and a project, and gives both to a user.
func makeWorld(home, project string, uid, gid int) error {
	for _, name := range slices.Sorted(maps.Keys(world)) {
		path := place(home, project, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(world[name]), 0o644); err != nil {
			return err
		}
	}
	give := func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, uid, gid))
	}
	return errors.Join(filepath.WalkDir(home, give), filepath.WalkDir(project, give))
}

// place is where a file of the world is.
func place(home, project, name string) string {
	if rest, ok := strings.CutPrefix(name, "project/"); ok {
		return filepath.Join(project, rest)
	}
	return filepath.Join(home, name)
}
