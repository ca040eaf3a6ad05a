package main

import (
	"fmt"
	"os/exec"
	"slices"
)

// boxes are the launchers that are measured, by the names of their profiles.
var boxes = []struct{ name, profile string }{
	{"look", "look"},
	{"default, Go project", "ephemeral"},
	{"default, kept caches", "keep"},
	{"claude-code, Go project", "agent"},
	{"ten kept caches", "ten"},
}

// profiles are those of launchers.
var profiles = map[string]string{
	"look":      "extends = [\"look\"]\n",
	"ephemeral": "extends = [\"default\"]\n[caches]\nmode = \"ephemeral\"\n",
	"keep":      "extends = [\"default\"]\n[caches]\nmode = \"keep\"\n",
	// Without its command, so that it can start true.
	"agent": "extends = [\"claude-code\"]\ncommand = []\n",
	"ten":   "extends = [\"look\"]\n[toolchains]\nuse = [\"ten\"]\n[caches]\nmode = \"keep\"\n",
}

// measured are the launchers as they started with one bwrap, in one run.
type measured struct {
	engine  engine
	bash    *start // bash -c :
	boxes   []box
	missing []string // what could not be measured, and why
}

// byDefault is the launcher that others are compared with.
func (m measured) byDefault() box { return m.boxes[1] }

// box is a launcher in the small project, beside bwrap alone with the same arguments.
type box struct {
	launcher, raw       *start
	big                 *start // the launcher, in the big project
	instructions, calls float64
}

// own is the launcher's own cost, in starts of bash.
func (b box) own(bash *start) float64 {
	return b.launcher.against(b.raw, difference) / bash.median()
}

// times says how many starts of bwrap alone the whole start takes.
func (b box) times() float64 { return b.launcher.against(b.raw, quotient) }

// growth says how many starts in the small project one in the big one takes.
func (b box) growth() float64 { return b.big.against(b.launcher, quotient) }

// launchers starts true in all launchers, in turn with others, and counts what their
// processes do: what they make only once is there then.
func (s scene) launchers(e engine, rounds int, others []*start) measured {
	m := measured{engine: e, bash: s.program(e, "bash -c :", "bash", "-c", ":")}
	all := slices.Clone(others)
	var paths []string
	for _, one := range boxes {
		path, err := s.launcher(e, one.profile, "small")
		b := box{launcher: s.program(e, one.name+": launcher", path, "true")}
		b.launcher.err = err
		b.raw = s.raw(e, one.name+": bwrap alone", path)
		big, err := s.launcher(e, one.profile, "big")
		b.big = &start{name: one.name + ", big project", err: err}
		b.big.make = func() *exec.Cmd { return s.command(e, "big", big, "true") }
		m.boxes = append(m.boxes, b)
		paths = append(paths, path)
		// bash is the unit, so that it is started more often than all else.
		all = append(all, m.bash, b.launcher, b.raw, b.big)
	}
	interleave(all, rounds)
	for i := range m.boxes {
		b := &m.boxes[i]
		var wrong [2]error
		b.instructions, wrong[0] = s.trace(callgrind, e, paths[i])
		b.calls, wrong[1] = s.trace(strace, e, paths[i])
		counts := []*start{{name: "its instructions", err: wrong[0]}, {name: "its calls", err: wrong[1]}}
		for _, one := range append(counts, b.launcher, b.raw, b.big) {
			if one.err != nil {
				m.missing = append(m.missing, boxes[i].name+", "+one.name+" "+one.why())
			}
		}
	}
	return m
}

// program starts any program in the small project.
func (s scene) program(e engine, name string, words ...string) *start {
	return &start{name: name, make: func() *exec.Cmd { return s.command(e, "small", words...) }}
}

// section shows the starts; others are compared with default's launcher.
func (m measured) section(others []*start) section {
	part := section{title: "Start of true", rows: []row{m.bash.row("1.0 starts of bash")}}
	for _, b := range m.boxes {
		alone := fmt.Sprintf("%.1f starts of bash", b.raw.median()/m.bash.median())
		note := fmt.Sprintf("%.2f times bwrap alone; its own cost is %.1f starts of bash", b.times(), b.own(m.bash))
		part.rows = append(part.rows, b.raw.row(alone), b.launcher.row(note, b.raw))
	}
	for _, other := range others {
		note := fmt.Sprintf("%.1f times the launcher of default", other.against(m.byDefault().launcher, quotient))
		if other.name == firejail {
			note += "; shows the home and shares the network, unless it is told otherwise"
		}
		part.rows = append(part.rows, other.row(note))
	}
	return part
}

// files compares projects of different sizes.
func (m measured) files(count int) section {
	small, big := *m.byDefault().launcher, *m.byDefault().big
	small.name, big.name = "10 files", fmt.Sprintf("%d files", count)
	note := fmt.Sprintf("%.2f times that", m.byDefault().growth())
	return section{"Files in the project", []row{small.row(""), big.row(note, &small)}}
}
