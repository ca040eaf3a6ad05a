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

// engine is one bwrap. The zero value is the one of the usual places.
type engine struct {
	path, version string
}

// findEngines gives the newest bwrap among that of PATH and those of other releases that
// .ci/bwraps has made, and Debian 12's, which makes no overlays itself, where it is here.
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
	var all, old []engine
	for _, path := range paths {
		out, err := exec.Command(path, "--version").Output()
		if err != nil {
			return nil, fmt.Errorf("%s --version: %v", path, err)
		}
		e := engine{path, strings.TrimPrefix(strings.TrimSpace(string(out)), "bubblewrap ")}
		if e.version == "0.8.0" {
			old = []engine{e}
		}
		all = append(all, e)
	}
	newest := slices.MaxFunc(all, func(a, b engine) int { return a.minor() - b.minor() })
	if newest.version == "0.8.0" {
		return old, nil
	}
	return append([]engine{newest}, old...), nil
}

// minor is the second number of the version: all begin with 0.
func (e engine) minor() int {
	numbers := strings.Split(e.version, ".")
	minor, _ := strconv.Atoi(numbers[min(1, len(numbers)-1)])
	return minor
}

// search is the PATH under which the engine is found first.
func (e engine) search() string {
	usual := "/usr/local/bin:/usr/bin:/bin"
	if e.path == "" {
		return usual
	}
	return filepath.Dir(e.path) + ":" + usual
}
