package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"bwrapgen/gen/expr"
)

// app is what the verbs share.
type app struct {
	ui
	in    io.Reader
	input func() ([]byte, error) // all of it, however often it is named
	home  string                 // absolute; empty where HOME is none
}

func newApp(in io.Reader, out, err io.Writer) app {
	home := filepath.Clean(os.Getenv("HOME"))
	if !filepath.IsAbs(home) || home == "/" {
		home = ""
	}
	input := sync.OnceValues(func() ([]byte, error) { return readAll(in) })
	return app{ui: newUI(out, err), in: in, input: input, home: home}
}

// config is where the user's own profiles and tools are; empty without a home.
func (a app) config() string { return a.own("XDG_CONFIG_HOME", ".config") }

// own is the directory of bwrapgen's own where a variable says, or else below home; empty
// without one.
func (a app) own(variable, usual string) string {
	dir := os.Getenv(variable)
	switch {
	case filepath.IsAbs(dir):
		return filepath.Join(dir, "bwrapgen")
	case a.home == "":
		return ""
	}
	return filepath.Join(a.home, usual, "bwrapgen")
}

// expand replaces ~/ at the beginning of a path.
func (a app) expand(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && a.home != "" {
		return filepath.Join(a.home, rest)
	}
	return name
}

// shorten is the opposite of expand. A name that is shown, in a message or in
// a script, does not tell whose home it lies in.
func (a app) shorten(name string) string {
	if a.home != "" && name != a.home && expr.Within(name, a.home) {
		return "~/" + relative(a.home, name)
	}
	return name
}

// readDir lists the names in a directory, sorted; none where it does not exist.
func readDir(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}
