package gen

import (
	"crypto/sha256"
	"fmt"
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

// filterSection is the program for each machine, in the escapes of printf(1).
func (w *policy) filterSection(p plan.Plan) string {
	kind := filterKind(p)
	if kind == "none" {
		return ""
	}
	var machines, texts []string
	hash := sha256.New()
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
		text := "filter_" + arch + "=\\\n" + b.String()
		texts = append(texts, text)
		hash.Write([]byte(text + "\n"))
	}
	about := fmt.Sprintf("The rules are those of kernel.seccomp = %q; bwrapgen explain --seccomp lists them, and bwrapgen lint "+
		"compiles them again and compares. Checksum: %x", kind, hash.Sum(nil)[:8])
	if kind == "terminal" {
		about = fmt.Sprintf("It only keeps the command from typing into this terminal. Checksum: %x", hash.Sum(nil)[:8])
	}
	w.setText("filter", kind)
	w.list("filter_machines", machines)
	if len(machines) == 0 {
		w.setText("filter_machines", "")
	}
	w.lines = append(w.lines, texts...)
	w.group(about)
	return "\n" + rule(filterBegins+": system calls, compiled") + "\n" + w.groups[len(w.groups)-1] + "\n"
}

// FilterOptions are what a plan asks of the system call filter, besides its level.
func FilterOptions(p plan.Plan) seccomp.Options {
	return seccomp.Options{
		NestedUserns: p.Kernel.NestedUserns, ForeignArch: p.Kernel.ForeignArch,
		Terminal: p.Terminal == profile.TerminalJobControl,
	}
}
