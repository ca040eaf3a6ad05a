// Package seccomp knows which system calls a sandbox refuses, and assembles
// the filter that says so to the kernel.
//
// It is pure: it installs nothing, and reads neither the host nor the profile.
// The filter lists what is refused and allows the rest, so a system call that
// is newer than this package is allowed.
//
// Conditions look only at the low 32 bits of an argument, as the kernel does:
// bits set above them do not get a call past the filter.
package seccomp

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Level says how much a filter refuses, as kernel.seccomp of a profile does.
type Level string

// The levels of a filter.
const (
	Default Level = "default" // what development work does without
	Strict  Level = "strict"  // also what only debuggers, tracers and emulators do
	None    Level = "none"    // only what Options.Terminal asks for, with ForeignArch
)

// Options adapt a filter to a profile.
type Options struct {
	// NestedUserns leaves namespaces and mounts alone, for Chromium, rootless
	// podman or a sandbox inside.
	NestedUserns bool

	// Terminal refuses the requests that type into the caller's terminal, at
	// every level.
	Terminal bool

	// ForeignArch lets programs of the other word size run (i386 and x32 on
	// x86_64, arm on aarch64), under the same rules. One gap remains: i386 can
	// open sockets by socketcall, whose arguments a filter cannot see.
	ForeignArch bool
}

// Rule is one refusal of a filter, told for people.
type Rule struct {
	Syscall string // "any" where the rule is not about one call
	Errno   string // what the caller gets: "EPERM" or "ENOSYS"
	When    string // the condition; empty: always
	Why     string // a clause that completes "refused, because it"
}

// foreignRule is in the head of a program, not in the table.
var foreignRule = Rule{
	Syscall: "any",
	Errno:   "ENOSYS",
	When:    "a call of another word size (i386, x32, arm)",
	Why:     "has other numbers, which would evade every rule below",
}

// Rules returns what a filter refuses, in order. It holds for every
// architecture; a call that one of them lacks is left out of its program.
func Rules(level Level, o Options) []Rule {
	var rules []Rule
	if !o.ForeignArch && level != None {
		rules = append(rules, foreignRule)
	}
	for _, r := range selected(level, o) {
		rules = append(rules, r.Rule)
	}
	return rules
}

// Arches returns the machines, as uname -m calls them, that Program knows.
func Arches() []string { return []string{"x86_64", "aarch64"} }

// Program returns a filter for one of Arches: an array of struct sock_filter,
// little endian, as bwrap reads it from the descriptor of --seccomp.
func Program(arch string, level Level, o Options) ([]byte, error) {
	m, ok := machines[arch]
	if !ok {
		return nil, fmt.Errorf("no seccomp filter for the architecture %q; there is one for %s",
			arch, strings.Join(Arches(), " and "))
	}
	raw, err := assemble(m, selected(level, o), o.ForeignArch || level == None)
	if err != nil {
		return nil, fmt.Errorf("seccomp filter for %s: %w", arch, err)
	}
	var program []byte
	for _, r := range raw {
		program = binary.LittleEndian.AppendUint16(program, r.Op)
		program = append(program, r.Jt, r.Jf)
		program = binary.LittleEndian.AppendUint32(program, r.K)
	}
	return program, nil
}
