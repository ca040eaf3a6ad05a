package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// engine is one bwrap.
type engine struct {
	path, version string
}

// findEngines finds the bwrap of PATH, and those of other releases that
// .ci/bwraps has made; each version once, the oldest first.
func findEngines() ([]engine, error) {
	first, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, fmt.Errorf("bwrap is not installed; .ci/setup installs it")
	}
	paths := []string{first}
	if dir := os.Getenv("BWRAPGEN_BWRAPS"); dir != "" {
		more, err := filepath.Glob(filepath.Join(dir, "*", "bwrap"))
		if err != nil {
			return nil, err
		}
		paths = append(paths, more...)
	}
	var all []engine
	for _, path := range paths {
		out, err := exec.Command(path, "--version").Output()
		if err != nil {
			return nil, fmt.Errorf("%s --version: %v", path, err)
		}
		version := strings.TrimPrefix(strings.TrimSpace(string(out)), "bubblewrap ")
		if !slices.ContainsFunc(all, func(e engine) bool { return e.version == version }) {
			all = append(all, engine{path, version})
		}
	}
	slices.SortFunc(all, func(a, b engine) int { return slices.Compare(a.numbers(), b.numbers()) })
	return all, nil
}

// numbers are those of the version.
func (e engine) numbers() []int {
	var all []int
	for part := range strings.SplitSeq(e.version, ".") {
		n, _ := strconv.Atoi(part)
		all = append(all, n)
	}
	return all
}

// search is the PATH under which the engine is found first.
func (e engine) search() string {
	return filepath.Dir(e.path) + ":/usr/local/bin:/usr/bin:/bin"
}

// newAndOld are the newest and Debian 12's, which makes no overlays itself; or
// the only one that is here.
func newAndOld(all []engine) []engine {
	newest := all[len(all)-1]
	for _, e := range all[:len(all)-1] {
		if e.version == "0.8.0" {
			return []engine{newest, e}
		}
	}
	return []engine{newest}
}
