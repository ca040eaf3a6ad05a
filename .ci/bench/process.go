package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// tracer counts what the process of a launcher does, and not what is done by
// the processes that it starts.
type tracer struct {
	program string // named as its package
	words   func(file string) []string
	read    func(written []byte) (float64, error)
}

// callgrind counts instructions. It goes on in a copy of the process that fork
// makes, but counts it apart and, here, in silence; it does not go on in another
// program. The launcher finds and closes the descriptors that callgrind holds,
// which adds some 0.25 million instructions.
var callgrind = tracer{
	program: "valgrind",
	words: func(file string) []string {
		return []string{"valgrind", "--tool=callgrind", "--trace-children=no", "--child-silent-after-fork=yes",
			"--vgdb=no", "--callgrind-out-file=/dev/null", "--log-file=" + file}
	},
	read: collected,
}

var collectedLine = regexp.MustCompile(`(?m)^==\d+== Collected : (\d+)$`)

// collected is callgrind's total.
func collected(written []byte) (float64, error) {
	found := collectedLine.FindSubmatch(written)
	if found == nil {
		return 0, fmt.Errorf("callgrind gives no total: %s", written)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// strace counts system calls, here of one process only: a line for each.
var strace = tracer{
	program: "strace",
	words:   func(file string) []string { return []string{"strace", "-o", file} },
	read:    called,
}

// A line that is neither a signal nor the exit.
var callLine = regexp.MustCompile(`(?m)^\w+\(`)

// called is the number of calls that strace has written.
func called(written []byte) (float64, error) {
	return float64(len(callLine.FindAll(written, -1))), nil
}

// counted is the middle of some counts, not a number where there are none, and
// how far they are apart.
type counted struct {
	middle, apart float64
	err           error
}

func uncounted(err error) counted { return counted{middle: math.NaN(), err: err} }

// trace starts a launcher under a tracer, in the small project.
func (s scene) trace(t tracer, e engine, launcher string) counted {
	var all []float64
	for range rare {
		n, err := s.traceOnce(t, e, launcher)
		if err != nil {
			return uncounted(err)
		}
		all = append(all, n)
	}
	slices.Sort(all)
	return counted{middle: all[len(all)/2], apart: all[len(all)-1] - all[0]}
}

func (s scene) traceOnce(t tracer, e engine, launcher string) (float64, error) {
	if _, err := exec.LookPath(t.program); err != nil {
		return 0, fmt.Errorf("%s is missing: install the package of that name", t.program)
	}
	file := filepath.Join(s.dir, t.program+".out")
	// A launcher's first line has "bash -p"; without -p it would start itself again.
	words := append(t.words(file), "bash", "-p", launcher, "true")
	if out, err := s.command(e, "small", words...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("under %s: %v: %s", t.program, err, bytes.TrimSpace(out))
	}
	written, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return t.read(written)
}
