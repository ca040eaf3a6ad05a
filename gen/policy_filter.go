package gen

import (
	"slices"
	"strings"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/seccomp"
)

// filterKind says what the system call filter is for: default or strict, the
// terminal alone, or none.
func filterKind(p plan.Plan) string {
	level := string(p.Kernel.Seccomp)
	if level == "none" && p.Terminal == profile.TerminalJobControl {
		return "terminal"
	}
	return level
}

// filter is the program for each machine, in the escapes of printf(1).
func (w *policy) filter(p plan.Plan) {
	kind := filterKind(p)
	if kind == "none" {
		return
	}
	var machines, texts []string
	for _, arch := range p.Arches {
		program, err := seccomp.Program(arch, seccomp.Level(p.Kernel.Seccomp), FilterOptions(p))
		if err != nil {
			continue // the launcher says so on such a machine
		}
		machines = append(machines, arch)
		var b strings.Builder
		for i, row := range slices.Collect(slices.Chunk(seccomp.Escape(program), 3)) {
			if i > 0 {
				b.WriteString("\\\n")
			}
			text := strings.ReplaceAll(strings.Join(row, ""), "%%", "%")
			b.WriteString("'" + strings.ReplaceAll(text, "'", `\47`) + "'")
		}
		texts = append(texts, "filter_"+arch+"="+"\\\n"+b.String())
	}
	w.setText("filter", kind)
	w.list("filter_machines", machines)
	w.lines = append(w.lines, texts...)
	about := "The system call filter (bwrapgen explain --seccomp lists what it refuses)."
	if kind == "terminal" {
		about = "The system call filter keeps the command from typing into this terminal."
	}
	w.group(about)
}

// FilterOptions are what a plan asks of the system call filter, besides its level.
func FilterOptions(p plan.Plan) seccomp.Options {
	return seccomp.Options{
		NestedUserns: p.Kernel.NestedUserns, ForeignArch: p.Kernel.ForeignArch,
		Terminal: p.Terminal == profile.TerminalJobControl,
	}
}
