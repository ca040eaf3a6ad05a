package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	begin := time.Now()
	err = c.Run()
	took := time.Since(begin)
	if err != nil {
		text, _ := os.ReadFile(said.Name())
		return 0, fmt.Errorf("%v: %s", err, bytes.TrimSpace(text))
	}
	return took, nil
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

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// result is all starts of one user with one bwrap.
type result struct {
	user   account
	engine engine
	files  int
	starts map[string]*start
	order  []string
}

// The names of the starts.
const (
	bashAlone     = "bash -c :"
	lookRaw       = "look: bwrap alone"
	lookLauncher  = "look: launcher"
	goRaw         = "default, Go project: bwrap alone"
	goLauncher    = "default, Go project: launcher"
	bigLauncher   = "default, big project: launcher"
	generateAll   = "generate, all tools"
	generateBig   = "generate, all tools, big project"
	generateSmall = "generate default"
)

// measure starts everything with one bwrap.
func (s scene) measure(e engine, rounds int) result {
	r := result{user: s.user, engine: e, files: s.files, starts: map[string]*start{}}
	program := func(name, project string, words ...string) {
		r.add(&start{name: name, make: func() *exec.Cmd { return s.command(e, project, words...) }})
	}
	program(bashAlone, "small", "bash", "-c", ":")
	r.add(s.raw(e, lookRaw, "look", "small"))
	r.add(s.launch(e, lookLauncher, "look", "small"))
	r.add(s.raw(e, goRaw, "default", "small"))
	r.add(s.launch(e, goLauncher, "default", "small"))
	r.add(s.launch(e, bigLauncher, "default", "big"))
	program(generateSmall, "small", s.program, "generate", "default")
	program(generateAll, "small", s.program, "generate", filepath.Join(s.dir, "all.toml"))
	program(generateBig, "big", s.program, "generate", filepath.Join(s.dir, "all.toml"))
	var all []*start
	for _, name := range r.order {
		all = append(all, r.starts[name])
	}
	interleave(all, rounds)
	return r
}

func (r *result) add(s *start) {
	r.starts[s.name] = s
	r.order = append(r.order, s.name)
}

// launch starts a launcher.
func (s scene) launch(e engine, name, profile, project string) *start {
	path, err := s.launcher(e, profile, project)
	return &start{name: name, err: err, make: func() *exec.Cmd { return s.command(e, project, path, "true") }}
}

// raw starts bwrap as that launcher would, without bash and env.
func (s scene) raw(e engine, name, profile, project string) *start {
	failed := func(err error) *start { return &start{name: name, err: err} }
	path, err := s.launcher(e, profile, project)
	if err != nil {
		return failed(err)
	}
	printed, err := s.command(e, project, path, "--sandbox-print", "true").Output()
	if err != nil {
		return failed(fmt.Errorf("--sandbox-print: %v", err))
	}
	dir, err := os.MkdirTemp(s.dir, "descriptors-")
	if err != nil {
		return failed(err)
	}
	r, err := replay(string(printed), dir)
	if err != nil || len(r.words) == 0 {
		return failed(fmt.Errorf("--sandbox-print: %v", err))
	}
	return &start{name: name, files: r.descriptors, make: func() *exec.Cmd {
		c := s.command(e, project, r.words...)
		c.Env = r.environment
		return c
	}}
}
