package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
)

// place says how the paths of a command line are written in a script. The
// command in its header has to work for everyone who has the files, so it names
// no home directory, and it is the same from wherever it was given.
type place struct {
	home string // absolute; empty: unknown
	base string // what relative paths are relative to
	all  bool   // absolute paths, too
}

// placeFor finds where the command will be run: at the root of the work tree
// that holds all the files; else, if one was named by an absolute path below
// the home directory, where the output is; else where we are.
func placeFor(home, output string, others []string) place {
	p := place{home: home, base: absolute(".")}
	if output == "" {
		return p
	}
	dir := filepath.Dir(absolute(output))
	root, isTree := workTree(dir)
	isOutside := func(name string) bool { return !expr.Within(absolute(name), root) }
	if isTree && !slices.ContainsFunc(others, isOutside) {
		return place{home: home, base: root, all: true}
	}
	for _, name := range append([]string{output}, others...) {
		if filepath.IsAbs(name) && expr.Within(name, home) {
			return place{home: home, base: dir, all: true}
		}
	}
	return p
}

// pathWord quotes a path that text has given.
func pathWord(text string) string {
	if rest, ok := strings.CutPrefix(text, "~/"); ok {
		return "~/" + shell(rest)
	}
	return shell(text)
}

// text is a path as it will be named. One that begins with ~/ is for the shell
// to expand.
func (p place) text(name string) string {
	abs := absolute(name)
	text := abs
	if p.all || !filepath.IsAbs(name) {
		text = relative(p.base, abs)
	}
	switch {
	case expr.Within(abs, p.home) && (filepath.IsAbs(text) || !expr.Within(p.base, p.home)):
		return "~/" + relative(p.home, abs)
	case strings.HasPrefix(text, "-"), strings.HasPrefix(text, "~"):
		return "./" + text
	}
	return text
}

func relative(base, abs string) string {
	rel, err := filepath.Rel(base, abs)
	if err != nil {
		return abs
	}
	return rel
}

// upward lists a directory and those above it.
func upward(dir string) []string {
	all := []string{dir}
	for parent := filepath.Dir(dir); parent != dir; parent = filepath.Dir(dir) {
		dir = parent
		all = append(all, dir)
	}
	return all
}

// workTree finds the root of the git work tree around dir.
func workTree(dir string) (string, bool) {
	for _, at := range upward(dir) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, true
		}
	}
	return "", false
}

// absolute is the name from the root on. Where the working directory is gone
// it stays as it is.
func absolute(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	return abs
}

// shell quotes a text for bash. The text cannot hold a NUL: it was an argument
// or the name of a file.
func shell(text string) string {
	word, err := bash.Quote(text)
	if err != nil {
		return "''"
	}
	return word.String()
}
