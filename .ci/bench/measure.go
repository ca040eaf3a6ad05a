package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"
)

// start is something that can be started again and again.
type start struct {
	name   string
	files  map[int]string // to be opened at these descriptors
	make   func() *exec.Cmd
	before func() // what is done before each time, and not measured
	begun  bool   // the command says when it began, in nanoseconds since 1970: the time is until then
	times  []time.Duration
	err    error // why it is left out
}

// once starts it and waits. Opening the files is not part of the time.
func (s *start) once() (time.Duration, error) {
	c := s.make()
	for number, path := range s.files {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
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
	if s.begun {
		c.Stdout = said
	}
	begin := time.Now()
	err = c.Run()
	took := time.Since(begin)
	text, _ := os.ReadFile(said.Name())
	if err != nil {
		return 0, fmt.Errorf("%v: %s", err, bytes.TrimSpace(text))
	}
	if s.begun {
		return since(begin, text)
	}
	return took, nil
}

// since is the time from a begin to the moment that a command told.
func since(begin time.Time, told []byte) (time.Duration, error) {
	moment, err := strconv.ParseInt(strings.TrimSpace(string(told)), 10, 64)
	return time.Duration(moment - begin.UnixNano()), err
}

// interleave runs all in turn, so that what disturbs the machine disturbs all
// of them. The first round only warms up; what fails in it is left out.
func interleave(all []*start, rounds int) {
	for round := range rounds + 1 {
		for _, s := range all {
			if s.err != nil {
				continue
			}
			if s.before != nil {
				s.before()
			}
			took, err := s.once()
			if s.err = err; err == nil && round > 0 {
				s.times = append(s.times, took)
			}
		}
	}
}

// median in milliseconds; 0 for what was left out.
func (s *start) median() float64 {
	return s.against(s, func(a, _ float64) float64 { return a })
}

// against compares the times of each round, and gives the median.
func (s *start) against(other *start, compare func(a, b float64) float64) float64 {
	var all []float64
	for i := range min(len(s.times), len(other.times)) {
		all = append(all, compare(milliseconds(s.times[i]), milliseconds(other.times[i])))
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// missing is the value of what could not be measured.
const missing = "–"

// value prints the median.
func (s *start) value() string {
	if s.err != nil || len(s.times) == 0 {
		return missing
	}
	return inMilliseconds(s.median())
}

func inMilliseconds(m float64) string { return fmt.Sprintf("%.1f ms", m) }

// ofRun are the layers of one run.
var ofRun = regexp.MustCompile(`/run-([0-9-]+)/`)

var temporary = regexp.MustCompile(`/var/tmp/bwrapgen-bench-[0-9]+`)

// why says in one line why it was left out.
func (s *start) why() string {
	text := strings.NewReplacer("|", " ", "\n", " ", "*", " ").Replace(s.err.Error())
	text = "does not run here: " + temporary.ReplaceAllString(strings.Join(strings.Fields(text), " "), "DIR")
	return text[:min(len(text), 200)]
}

func quotient(a, b float64) float64   { return a / b }
func difference(a, b float64) float64 { return a - b }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// launch starts a launcher.
func (s scene) launch(e engine, name, profile, project string) *start {
	path, err := s.launcher(e, profile, project)
	return &start{name: name, err: err, make: func() *exec.Cmd { return s.command(e, project, path, "true") }}
}

// reach starts a launcher, and is over when its command has begun.
func (s scene) reach(e engine, name, profile, project string) *start {
	reached := s.launch(e, name, profile, project)
	path, _ := s.launcher(e, profile, project)
	reached.begun = true
	reached.make = func() *exec.Cmd { return s.command(e, project, path, "date", "+%s%N") }
	return reached
}

// raw starts bwrap as that launcher would, without bash and env.
func (s scene) raw(e engine, name, profile, project string) *start {
	failed := func(err error) *start { return &start{name: name, err: err} }
	path, err := s.launcher(e, profile, project)
	if err != nil {
		return failed(err)
	}
	// Once as it is meant: the launcher makes what is missing. If it cannot, its
	// own start will say so.
	_ = s.command(e, project, path, "true").Run()
	printed, err := s.command(e, project, path, "--sandbox-print", "true").Output()
	if err != nil {
		return failed(fmt.Errorf("--sandbox-print: %v", err))
	}
	dir, err := os.MkdirTemp(s.dir, "descriptors-")
	if err != nil {
		return failed(err)
	}
	r, err := replay(string(printed), dir)
	if err == nil {
		for i, word := range r.words {
			r.words[i] = ofRun.ReplaceAllString(word, "/bench-$1/") // which no launcher sweeps
		}
		err = s.layers(r.words)
	}
	if err != nil || len(r.words) == 0 {
		return failed(fmt.Errorf("--sandbox-print: %v", err))
	}
	return &start{name: name, files: r.descriptors, make: func() *exec.Cmd {
		c := s.command(e, project, r.words...)
		c.Env = r.environment
		return c
	}}
}

// least is a bash script that does nothing but put bwrap in its place, with the
// words of one that is started alone: no launcher in bash can take less.
func (s scene) least(raw *start) *start {
	one := &start{name: raw.name + " by a script", files: raw.files, err: raw.err}
	if raw.err != nil {
		return one
	}
	script := "#!/bin/bash\nexec"
	for _, word := range raw.make().Args {
		quoted, err := syntax.Quote(word, syntax.LangBash)
		if err != nil {
			one.err = err
			return one
		}
		script += " " + quoted
	}
	dir, err := os.MkdirTemp(s.dir, "least-")
	if err == nil {
		err = errors.Join(s.user.own(dir), os.WriteFile(filepath.Join(dir, "script"), []byte(script+"\n"), 0o755))
	}
	one.err = err
	one.make = func() *exec.Cmd {
		c := raw.make()
		c.Path, c.Args, c.Err = filepath.Join(dir, "script"), []string{filepath.Join(dir, "script")}, nil
		return c
	}
	return one
}
