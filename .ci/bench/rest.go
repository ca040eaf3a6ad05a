package main

import (
	"fmt"
	"slices"
)

// rest is what is compared with nothing inside: generate, and how much the
// starts of a launcher differ.
func (s scene) rest(e engine, box *start, rounds int) section {
	part := section{title: "Besides"}
	one := s.program(e, "bwrapgen generate default", "small", s.generator, "generate", "default")
	all := s.program(e, "bwrapgen generate, with all tools", "small", s.generator, "generate", s.allTools())
	big := s.program(e, fmt.Sprintf("the same, in a project of %d files", s.count), "big", s.generator, "generate", s.allTools())
	interleave([]*start{one, all, big}, rounds)
	part.add(one.name, one.value(), "%s", orWhy(one, "probing included"))
	part.than(all.name, all, one)
	part.than(big.name, big, all)
	part.spread("difference between starts of default's launcher", box)
	return part
}

// spread adds how far apart the middle half of the starts is.
func (p *section) spread(name string, s *start) {
	if s.err != nil {
		p.add(name, missing, "%s", s.why())
		return
	}
	times := slices.Sorted(slices.Values(s.times))
	low, high := milliseconds(times[len(times)/4]), milliseconds(times[len(times)*3/4])
	p.add(name, inMilliseconds(high-low), "half of %d took %.1f to %.1f ms", len(times), low, high)
}
