package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// start is something that can be started again and again.
type start struct {
	name  string
	files map[int]string // to be opened at these descriptors
	make  func() *exec.Cmd
	times []time.Duration
	err   error // why it is left out
}

// once starts it and waits. Opening the files is not part of the time.
func (s *start) once() (time.Duration, error) {
	c := s.make()
	for number, path := range s.files {
		f, err := openAny(path)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		for len(c.ExtraFiles) <= number-3 {
			c.ExtraFiles = append(c.ExtraFiles, nil)
		}
		c.ExtraFiles[number-3] = f
	}
	// A file rather than a buffer: no copying goroutine, and nothing to wait for.
	said, err := os.CreateTemp("", "bench-")
	if err != nil {
		return 0, err
	}
	defer os.Remove(said.Name())
	defer said.Close()
	c.Stderr = said
	begin := time.Now()
	err = c.Run()
	took := time.Since(begin)
	if err != nil {
		text, _ := os.ReadFile(said.Name())
		return 0, fmt.Errorf("%v: %s", err, bytes.TrimSpace(text))
	}
	return took, nil
}

// openAny opens a file for writing, too, where that is allowed.
func openAny(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if os.IsPermission(err) {
		return os.Open(path)
	}
	return f, err
}

// interleave runs all in turn, so that what disturbs the machine disturbs all
// of them. The first round only warms up; what fails in it is left out.
func interleave(all []*start, rounds int) {
	for round := range rounds + 1 {
		for _, s := range all {
			if s.err != nil {
				continue
			}
			took, err := s.once()
			s.err = err
			if err == nil && round > 0 {
				s.times = append(s.times, took)
			}
		}
	}
}

// median in milliseconds; not a number for what was left out.
func (s *start) median() float64 {
	return s.against(s, func(a, _ float64) float64 { return a })
}

// against compares the times of each round, and gives the median; not a number
// where there are none.
func (s *start) against(other *start, compare func(a, b float64) float64) float64 {
	var all []float64
	for i := range min(len(s.times), len(other.times)) {
		all = append(all, compare(milliseconds(s.times[i]), milliseconds(other.times[i])))
	}
	if len(all) == 0 {
		return math.NaN()
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func quotient(a, b float64) float64   { return a / b }
func difference(a, b float64) float64 { return a - b }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// missing is the value of what could not be measured.
const missing = "–"

// row shows the median and a note; of what was left out, or is compared with what was, why.
func (s *start) row(note string, compared ...*start) row {
	value := missing
	if s.err == nil {
		value = fmt.Sprintf("%.1f ms", s.median())
	}
	for _, one := range append([]*start{s}, compared...) {
		if one.err != nil {
			note = one.why()
		}
	}
	return row{s.name, value, note}
}

var temporary = regexp.MustCompile(`/var/tmp/bwrapgen-bench-[0-9]+`)

// why says in one line, for a cell of a table, why it was left out.
func (s *start) why() string {
	text := strings.NewReplacer("|", " ", "\n", " ", "*", " ").Replace(s.err.Error())
	text = "does not run here: " + temporary.ReplaceAllString(strings.Join(strings.Fields(text), " "), "DIR")
	return text[:min(len(text), 200)]
}
