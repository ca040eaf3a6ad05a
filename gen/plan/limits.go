package plan

import (
	"fmt"
	"strings"

	"bwrapgen/gen/profile"
)

// leastFiles is how many files the launcher itself and bwrap keep open.
const leastFiles = 64

// limits refuses limits under which no sandbox would start.
func (b *builder) limits() {
	l := b.profile.Limits
	if l.OpenFiles > 0 && l.OpenFiles < leastFiles {
		b.refuse(b.profile.Origins["limits.open-files"], "64 or more", "too few open files for a sandbox to start: %d", l.OpenFiles)
	}
}

// Options are the launcher's options that not every launcher has.
func (p Plan) Options() []Line {
	var all []Line
	if l := p.Limits; l.Timeout > 0 {
		all = append(all, Line{"--sandbox-timeout TIME", fmt.Sprintf("90, 90s or 2m instead of %ds; up to %ds", seconds(l.Timeout), seconds(l.MaxTimeout))})
	}
	if p.Displaced() {
		all = append(all, Line{"--sandbox-where PATH", "where a path of the host is inside"})
	}
	if p.Limits.Output > 0 {
		all = append(all,
			Line{"--sandbox-capture", "no input; of long output, beginning and end"},
			Line{"--sandbox-report FILE", "write how it ended, as JSON"})
	}
	all = append(all, p.storeOptions()...)
	if p.asks() && p.Confirm.AllowYes {
		all = append(all, Line{"--sandbox-yes", "do not ask"})
	}
	return all
}

func (p Plan) asks() bool { return p.Confirm.Mode == profile.ConfirmAlways }

func (p Plan) boundWords() string {
	var all []string
	add := func(wanted bool, format string, args ...any) {
		if wanted {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	l := p.Limits
	add(p.asks(), "each command is asked about")
	add(l.Timeout > 0, "%d seconds", seconds(l.Timeout))
	add(l.Memory > 0, "%s of memory", l.Memory)
	add(l.Processes > 0, "%d processes", l.Processes)
	add(l.OpenFiles > 0, "%d open files", l.OpenFiles)
	add(l.CPUTime > 0, "%d seconds of processor time", seconds(l.CPUTime))
	return strings.Join(all, "; ")
}

func seconds(d interface{ Seconds() float64 }) int { return int(d.Seconds()) }
