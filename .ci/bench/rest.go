package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// rest is what is compared with nothing inside: generate, the memory of a
// launcher, and how much its starts differ.
func (s scene) rest(e engine, rounds int) section {
	part := section{title: sectionTitles[7]}
	var h heat
	one := h.add(s.program(e, "bwrapgen generate default", "small", s.generator, "generate", "default"))
	all := h.add(s.program(e, "bwrapgen generate, with all tools", "small", s.generator, "generate", s.allTools()))
	big := h.add(s.program(e, fmt.Sprintf("the same, in a project of %d files", s.count), "big", s.generator, "generate", s.allTools()))
	box := h.add(s.launch(e, "difference between starts of default's launcher", "default", "small"))
	interleave(h, rounds)
	part.add(one.name, one.value(), "probing included")
	part.beside(all, one, "%.2f times that")
	part.beside(big, all, "%.2f times that")
	part.memory(s, e)
	part.spread(box)
	return part
}

// spread adds how far apart the middle half of the starts is.
func (p *section) spread(s *start) {
	if s.err != nil {
		p.add(s.name, missing, "%s", s.why())
		return
	}
	times := slices.Sorted(slices.Values(s.times))
	low, high := milliseconds(times[len(times)/4]), milliseconds(times[len(times)*3/4])
	p.add(s.name, inMilliseconds(high-low), "half of %d took %.1f to %.1f ms", len(times), low, high)
}

// memory adds what a launcher holds while its command runs, beside a bash that
// does nothing but wait.
func (p *section) memory(s scene, e engine) {
	const name = "memory of a launcher that waits"
	launcher, err := s.launcher(e, "default", "small")
	var waits, waiter memory
	if err == nil {
		waits, err = s.waiting(e, launcher, "sleep", "9")
	}
	if err == nil {
		waiter, err = s.waiting(e, "bash", "-c", "sleep 9; :")
	}
	if err != nil {
		failed := start{err: err}
		p.add(name, missing, "%s", failed.why())
		return
	}
	p.add(name, waits.own.String(), "its own, and with its share of bash %s; a bash that does nothing but wait has %s and %s", waits.whole, waiter.own, waiter.whole)
}

// memory is what a process holds: alone, and with its share of what others have
// too.
type memory struct{ own, whole kilobytes }

type kilobytes int

// String gives megabytes.
func (k kilobytes) String() string { return fmt.Sprintf("%.1f MB", float64(k)/1024) }

// waiting starts something, and looks at it when it has come to rest.
func (s scene) waiting(e engine, words ...string) (memory, error) {
	c := s.command(e, "small", words...)
	c.SysProcAttr.Setpgid = true
	if err := c.Start(); err != nil {
		return memory{}, err
	}
	time.Sleep(time.Second)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", c.Process.Pid))
	syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	c.Wait()
	if err != nil {
		return memory{}, fmt.Errorf("it did not wait: %v", err)
	}
	sizes := map[string]kilobytes{}
	for line := range bytes.Lines(text) {
		if fields := strings.Fields(string(line)); len(fields) == 3 && fields[2] == "kB" {
			n, _ := strconv.Atoi(fields[1])
			sizes[fields[0]] = kilobytes(n)
		}
	}
	return memory{sizes["Private_Clean:"] + sizes["Private_Dirty:"], sizes["Pss:"]}, nil
}
