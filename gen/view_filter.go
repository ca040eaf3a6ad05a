package gen

import (
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/seccomp"
)

// filterView is what the templates see of the system call filter.
type filterView struct {
	Filtered     bool // the profile asks for one
	OnlyTerminal bool // it guards nothing but the terminal, which a setting of the kernel may guard as well
	Confines     bool // it refuses nested namespaces as well
	Typing       bool // the terminal is shared: it is one of the filter's tasks
	Best         bool // where there is none for a machine, it is enough to say what is lost
	Spare        bool // one of the two: the filter may be left out at launch
	Bound        bool // it is there, or nothing runs
	Only         bool // so it is, and there is one machine
	Filters      []filter
}

type filter struct {
	Arch  bash.Word
	Lines []bash.Word
}

func (w *viewer) filters(p plan.Plan) filterView {
	level, err := seccomp.ParseLevel(p.Kernel.Seccomp.String())
	w.note(err)
	v := filterView{
		Typing: p.Terminal == profile.TerminalJobControl,
		Best:   p.Kernel.Require == profile.RequireBest,
	}
	v.OnlyTerminal = level == seccomp.None && v.Typing
	v.Filtered = level != seccomp.None || v.OnlyTerminal
	v.Confines = v.Filtered && !v.OnlyTerminal && !p.Kernel.NestedUserns
	v.Spare = v.Best || v.OnlyTerminal
	v.Bound = v.Filtered && !v.Spare
	if !v.Filtered {
		return v
	}
	for _, arch := range p.Arches {
		program, err := seccomp.Program(arch, level, FilterOptions(p))
		if err != nil {
			continue // the launcher says so on such a machine
		}
		f := filter{Arch: w.quote(arch)}
		for pair := range slices.Chunk(seccomp.Escape(program), 6) {
			f.Lines = append(f.Lines, w.quote(strings.ReplaceAll(strings.Join(pair, ""), "%%", "%")))
		}
		v.Filters = append(v.Filters, f)
	}
	v.Only = v.Bound && len(v.Filters) == 1
	return v
}

// FilterOptions are what a plan asks of the system call filter, besides its level.
func FilterOptions(p plan.Plan) seccomp.Options {
	return seccomp.Options{
		NestedUserns: p.Kernel.NestedUserns, ForeignArch: p.Kernel.ForeignArch,
		Terminal: p.Terminal == profile.TerminalJobControl,
	}
}
