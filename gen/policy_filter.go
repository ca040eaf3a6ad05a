package gen

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/bash"
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

// filterSection is the section with the compiled system call filter of a plan.
func (w *policy) filterSection(p plan.Plan) string {
	kind := filterKind(p)
	if kind == "none" {
		return ""
	}
	return compiledFilter(kind, p.Arches, FilterOptions(p))
}

// compiledFilter is the section with a system call filter: the program for each machine, in the
// escapes of printf(1). A machine that seccomp does not know has none: the launcher reports that.
func compiledFilter(kind string, arches []string, options seccomp.Options) string {
	level := seccomp.Level(kind)
	if kind == "terminal" {
		level = seccomp.None
	}
	var machines, texts []string
	hash := sha256.New()
	for _, arch := range arches {
		program, err := seccomp.Program(arch, level, options)
		if err != nil {
			continue
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
	rules := fmt.Sprintf("kernel.seccomp = %q", kind)
	if options.ForeignArch {
		rules += " and " + foreignRules
	}
	about := fmt.Sprintf("The rules are those of %s; bwrapgen explain --seccomp lists them, and bwrapgen lint "+
		"compiles them again and compares. Checksum: %x", rules, hash.Sum(nil)[:8])
	if kind == "terminal" {
		about = fmt.Sprintf("It only keeps the command from typing into this terminal. Checksum: %x", hash.Sum(nil)[:8])
	}
	var w policy
	w.setText("filter", kind)
	w.list("filter_machines", machines)
	if len(machines) == 0 {
		w.setText("filter_machines", "")
	}
	w.lines = append(w.lines, texts...)
	w.group(about)
	return "\n" + rule(filterBegins+": system calls, compiled") + "\n" + w.groups[0] + "\n"
}

// foreignRules names the key with which a filter lets programs of the other word size run.
const foreignRules = "kernel.foreign-arch = true"

// FilterChange is the first line of a launcher's system call filter that differs from what the rules
// compile to which its comment and its policy name; the zero value: none differs.
func FilterChange(script []byte) ChangedLine {
	s, ok := read(script)
	at := strings.Index(s.policy, "\n"+filterBegins)
	if !ok || at < 0 {
		return ChangedLine{}
	}
	was := s.policy[at:]
	all := settings(script)
	options := seccomp.Options{
		NestedUserns: slices.Equal(all["nested_userns"], []string{"yes"}),
		ForeignArch:  strings.Contains(was, foreignRules),
		Terminal:     slices.Equal(all["terminal"], []string{string(profile.TerminalJobControl)}),
	}
	is := ""
	if kind := strings.Join(all["filter"], " "); slices.Contains([]string{"default", "strict", "terminal"}, kind) {
		is = compiledFilter(kind, all["filter_machines"], options)
	}
	if bash.SameCode([]byte(was), []byte(is)) {
		return ChangedLine{}
	}
	for _, line := range changed(lines([]byte(was)), lines([]byte(is))) {
		if !IsComment(line.Text) {
			return ChangedLine{s.policyAt + strings.Count(s.policy[:at], "\n") + line.Number, line.Text}
		}
	}
	return ChangedLine{Number: s.policyAt + strings.Count(s.policy[:at], "\n") + 2}
}

// FilterOptions are what a plan asks of the system call filter, besides its level.
func FilterOptions(p plan.Plan) seccomp.Options {
	return seccomp.Options{
		NestedUserns: p.Kernel.NestedUserns, ForeignArch: p.Kernel.ForeignArch,
		Terminal: p.Terminal == profile.TerminalJobControl,
	}
}
