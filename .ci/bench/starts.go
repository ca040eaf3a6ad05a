package main

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// The names of the starts.
const (
	bashAlone   = "bash -c :"
	rawEnd      = ": bwrap alone"
	launcherEnd = ": launcher"
	look        = "look"
	goProject   = "default, Go project"
	agent       = "claude-code, Go project"
)

// sectionTitles are the parts of the page.
var sectionTitles = []string{
	"Start of true", "What the filter and the protected names add", "Files in the project", "Mounts", "Built-in profiles", "Overlays",
	"Work: inside against outside", "Besides",
}

// startNames are the rows of the first part.
func startNames() []string {
	names := []string{bashAlone}
	for _, name := range []string{look, goProject, agent} {
		names = append(names, name+rawEnd, name+launcherEnd)
	}
	return append(names, otherNames...)
}

// heat is what is started in turn.
type heat []*start

func (h *heat) add(s *start) *start {
	*h = append(*h, s)
	return s
}

// between says how a launcher's time compares with bwrap's alone, and with the
// least that a bash script takes.
func between(launcher, least, raw *start) string {
	return fmt.Sprintf("%.2f times bwrap alone, a bare script %.2f", launcher.against(raw, quotient), least.against(raw, quotient))
}

// both adds a launcher and its bwrap alone, in the small project.
func (h *heat) both(s scene, e engine, name, profile string) (raw, launcher *start) {
	return h.add(s.raw(e, name+rawEnd, profile, "small")), h.add(s.launch(e, name+launcherEnd, profile, "small"))
}

// starts compares the starts of true; others are compared with default's.
func (s scene) starts(e engine, rounds int, others []*start) section {
	part := section{title: sectionTitles[0]}
	var h heat
	unit := h.add(s.program(e, bashAlone, "small", "bash", "-c", ":"))
	var reference *start
	leasts := map[*start]*start{}
	for _, of := range [][2]string{{look, "look"}, {goProject, "default"}, {agent, s.agent()}} {
		raw, launcher := h.both(s, e, of[0], of[1])
		if of[0] == goProject {
			reference = launcher
		}
		leasts[launcher] = s.least(raw)
	}
	h = append(h, others...)
	interleave(append(slices.Collect(maps.Values(leasts)), h...), rounds)
	for i, one := range h {
		note := fmt.Sprintf("%.1f starts of bash", one.against(unit, quotient))
		switch {
		case one.err != nil:
			note = one.why()
		case strings.HasSuffix(one.name, launcherEnd) && firstError(h[i-1], leasts[one]) == nil:
			raw := h[i-1]
			note = fmt.Sprintf("%s; its own cost is %.1f starts of bash", between(one, leasts[one], raw), one.against(raw, difference)/unit.median())
		case i >= len(h)-len(others):
			note = fmt.Sprintf("%.1f times the launcher of default", one.against(reference, quotient))
			if one.name == firejail {
				note += "; shows the home and shares the network, unless it is told otherwise"
			}
		}
		part.add(one.name, one.value(), "%s", note)
	}
	return part
}

// program starts something else.
func (s scene) program(e engine, name, project string, words ...string) *start {
	return &start{name: name, make: func() *exec.Cmd { return s.command(e, project, words...) }}
}

// agent is claude-code without its command, so that it can start true.
func (s scene) agent() string {
	return s.profile("agent", "extends = [\"claude-code\"]\ncommand = []\n")
}

// added compares default with the same without filter and protected names.
func (s scene) added(e engine, rounds int) section {
	part := section{title: sectionTitles[1]}
	var h heat
	protected := s.profile("protected", "extends = [\"default\"]\n"+newSession)
	raw, launcher := h.both(s, e, "with", protected)
	plainRaw, plainLauncher := h.both(s, e, "without", s.unprotected())
	reach, plainReach := h.add(s.reach(e, "with", protected, "small")), h.add(s.reach(e, "without", s.unprotected(), "small"))
	interleave(h, rounds)
	for i, pair := range [][2]*start{{reach, plainReach}, {launcher, plainLauncher}, {raw, plainRaw}} {
		name := []string{"until the command begins", "until the launcher has ended", "to bwrap alone"}[i]
		switch err := firstError(pair[0], pair[1]); err {
		case nil:
			part.add(name, inMilliseconds(pair[0].against(pair[1], difference)), "%.1f ms with, %.1f ms without", pair[0].median(), pair[1].median())
		default:
			part.add(name, missing, "%s", err.why())
		}
	}
	return part
}

// firstError is the first that was left out.
func firstError(all ...*start) *start {
	for _, s := range all {
		if s.err != nil {
			return s
		}
	}
	return nil
}

// unprotected is default without filter, pins and masks.
func (s scene) unprotected() string {
	var names []string
	p, err := profile.Loader{Builtin: profiles.FS}.Load("default")
	if err != nil {
		return filepath.Join(s.dir, "no-default.toml") // generate will say it
	}
	for _, e := range p.Project.Protect {
		names = append(names, fmt.Sprintf("%q", e.Path.String()))
	}
	return s.profile("unprotected", "extends = [\"default\"]\n[drop.project]\nprotect = ["+strings.Join(names, ", ")+
		"]\n[kernel]\nseccomp = \"none\"\n"+newSession)
}

// newSession is for both: without a filter there is no job control, and a new
// session is another group for the scheduler.
const newSession = "[terminal]\nmode = \"new-session\"\n"
