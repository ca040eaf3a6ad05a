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
	"strings"
)

// tracer counts what the process of a launcher does, and not what is done by
// the processes that it starts.
type tracer struct {
	words string // up to the file that it writes; the first is named as its package
	read  func(written string) (float64, error)
}

// callgrind counts instructions. It goes on in a copy of the process that fork
// makes, but counts it apart and, here, in silence; it does not go on in another
// program. The launcher finds and closes the descriptors that callgrind holds,
// which adds some 0.25 million instructions.
var callgrind = tracer{
	words: "valgrind --tool=callgrind --trace-children=no --child-silent-after-fork=yes --vgdb=no" +
		" --callgrind-out-file=/dev/null --log-file=",
	read: func(written string) (float64, error) {
		found := collected.FindStringSubmatch(written)
		if found == nil {
			return 0, fmt.Errorf("callgrind gives no total: %s", written)
		}
		return strconv.ParseFloat(found[1], 64)
	},
}

var collected = regexp.MustCompile(`(?m)^==\d+== Collected : (\d+)$`)

// strace counts system calls, here of one process only: a line for each.
var strace = tracer{
	words: "strace --output=",
	read:  func(written string) (float64, error) { return float64(len(called.FindAllString(written, -1))), nil },
}

// called is a line that is neither a signal nor the exit.
var called = regexp.MustCompile(`(?m)^\w+\(`)

// rare is how often something is done that takes long.
const rare = 3

// trace starts a launcher under a tracer, in the small project, and gives the middle of
// some counts; not a number where there are none.
func (s scene) trace(t tracer, e engine, launcher string) (float64, error) {
	var all []float64
	for range rare {
		n, err := s.traceOnce(t, e, launcher)
		if err != nil {
			return math.NaN(), err
		}
		all = append(all, n)
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

func (s scene) traceOnce(t tracer, e engine, launcher string) (float64, error) {
	file := filepath.Join(s.dir, "run", "traced")
	words := strings.Fields(t.words + file)
	if _, err := exec.LookPath(words[0]); err != nil {
		return 0, fmt.Errorf("%s is missing: install the package of that name", words[0])
	}
	// A launcher's first line has "bash -p"; without -p it would start itself again.
	words = append(words, "bash", "-p", launcher, "true")
	if out, err := s.command(e, "small", words...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("under %s: %v: %s", words[0], err, bytes.TrimSpace(out))
	}
	written, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return t.read(string(written))
}
