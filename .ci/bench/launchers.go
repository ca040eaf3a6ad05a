package main

import (
	"fmt"
	"slices"
	"strings"
)

// The names of the starts.
const (
	bashAlone   = "bash -c :"
	rawEnd      = ": bwrap alone"
	launcherEnd = ": launcher"
)

// boxNames are the launchers that are measured.
var boxNames = []string{
	"look", "default, Go project", "default, kept caches", "claude-code, Go project", "ten kept caches",
}

// box is a launcher that is measured.
type box struct{ name, profile string }

// boxes are the launchers of boxNames. The scene has their profiles.
func (s scene) boxes() []box {
	return []box{
		{boxNames[0], "look"},
		{boxNames[1], s.cachesOf("ephemeral")},
		{boxNames[2], s.cachesOf("keep")},
		// Without its command, so that it can start true.
		{boxNames[3], s.profile("agent", "extends = [\"claude-code\"]\ncommand = []\n")},
		{boxNames[4], s.tenCaches()},
	}
}

// cachesOf is default with another mode of caches.
func (s scene) cachesOf(mode string) string {
	return s.profile("default-"+mode, fmt.Sprintf("extends = [\"default\"]\n[caches]\nmode = %q\n", mode))
}

// tenCaches is look with a tool that has ten of the scene's directories for
// caches. A file that could not be written is missed by generate, which says so.
func (s scene) tenCaches() string {
	if s.folder("home/.config/bwrapgen/tools") == nil {
		_ = s.file("home/.config/bwrapgen/tools/ten.toml",
			fmt.Sprintf("about = \"A tool with caches.\"\nmarkers = [\"ten\"]\ncaches = [%s]\n", s.directories(10)))
	}
	return s.profile("ten", "extends = [\"look\"]\n[toolchains]\nuse = [\"ten\"]\n[caches]\nmode = \"keep\"\n")
}

// directories lists the first n of the scene's directories, for a profile.
func (s scene) directories(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("\"~/many/%d\"", i))
	}
	return strings.Join(all, ", ")
}

// measured are the launchers as they started with one bwrap, in one run.
type measured struct {
	engine engine
	bash   *start // bash -c :
	boxes  []measuredBox
}

// byDefault is the launcher that others are compared with.
func (m measured) byDefault() measuredBox { return m.boxes[1] }

// measuredBox is a launcher beside bwrap alone, with the same arguments, and
// beside the script that starts bwrap so.
type measuredBox struct {
	launcher, raw, least *start
	big                  *start // the launcher, in the big project
	size                 size
	instructions, calls  counted
}

// own is the launcher's own cost, in starts of bash.
func (b measuredBox) own(bash *start) float64 {
	return b.launcher.against(b.raw, difference) / bash.median()
}

// times says how many starts of bwrap alone the whole start takes.
func (b measuredBox) times() float64 { return b.launcher.against(b.raw, quotient) }

// growth says how many starts in the small project one in the big one takes.
func (b measuredBox) growth() float64 { return b.big.against(b.launcher, quotient) }

// launchers starts true in all launchers, in turn with others.
func (s scene) launchers(e engine, rounds int, others []*start) measured {
	m := measured{engine: e, bash: s.program(e, bashAlone, "small", "bash", "-c", ":")}
	all := slices.Clone(others)
	for _, box := range s.boxes() {
		b := s.beside(e, box.name, box.profile)
		b.big = s.launch(e, box.name+", big project", box.profile, "big")
		m.boxes = append(m.boxes, b)
		// bash is the unit, so that it is started more often than all else.
		all = append(all, m.bash, b.launcher, b.raw, b.least, b.big)
	}
	interleave(all, rounds)
	return m
}

// beside prepares a launcher and bwrap alone, in the small project.
func (s scene) beside(e engine, name, profile string) measuredBox {
	raw := s.raw(e, name+rawEnd, profile, "small")
	return measuredBox{
		raw:      raw,
		launcher: s.launch(e, name+launcherEnd, profile, "small"),
		least:    s.least(raw),
	}
}

// inspect reads the launchers, and counts what their processes do. Each has been
// started with this bwrap just before: what it makes only once is there.
func (s scene) inspect(m measured) {
	for i, box := range s.boxes() {
		b := &m.boxes[i]
		path, err := s.launcher(m.engine, box.profile, "small")
		if err != nil {
			b.size = unread(err)
			b.instructions, b.calls = uncounted(err), uncounted(err)
			continue
		}
		b.size = sizeOf(path)
		_ = s.command(m.engine, "small", path, "true").Run()
		b.instructions = s.trace(callgrind, m.engine, path)
		b.calls = s.trace(strace, m.engine, path)
	}
}

// section shows the starts; others are compared with default's launcher.
func (m measured) section(others []*start) section {
	part := section{title: "Start of true"}
	part.add(m.bash.name, m.bash.value(), "1.0 starts of bash")
	for _, b := range m.boxes {
		part.add(b.raw.name, b.raw.value(), "%s", orWhy(b.raw, "%.1f starts of bash", b.raw.median()/m.bash.median()))
		note := b.compared()
		if firstError(b.launcher, b.raw, b.least) == nil {
			note += fmt.Sprintf("; its own cost is %.1f starts of bash", b.own(m.bash))
		}
		part.add(b.launcher.name, b.launcher.value(), "%s", note)
	}
	for _, other := range others {
		note := orWhy(other, "%.1f times the launcher of default", other.against(m.byDefault().launcher, quotient))
		if other.name == firejail && other.err == nil {
			note += "; shows the home and shares the network, unless it is told otherwise"
		}
		part.add(other.name, other.value(), "%s", note)
	}
	return part
}

// compared says how the launcher's time compares with bwrap's alone, and with
// the least that a bash script takes.
func (b measuredBox) compared() string {
	if failed := firstError(b.launcher, b.raw, b.least); failed != nil {
		return failed.why()
	}
	return fmt.Sprintf("%.2f times bwrap alone, a bare script %.2f", b.times(), b.least.against(b.raw, quotient))
}

// orWhy is a note, or why there is none.
func orWhy(s *start, format string, args ...any) string {
	if s.err != nil {
		return s.why()
	}
	return fmt.Sprintf(format, args...)
}
