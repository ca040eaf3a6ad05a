package seccomp

import (
	"fmt"

	"golang.org/x/net/bpf"
)

// Offsets in struct seccomp_data, include/uapi/linux/seccomp.h. The low half
// of an argument comes first: every machine here is little endian.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArgs   = 16
)

// allow is the label of the action for a call that no rule refuses. The other
// actions have the names of their errors.
const (
	allow    = "allow"
	retAllow = 0x7fff0000 // SECCOMP_RET_ALLOW
)

// actions are the last instructions of a search. Those that refuse are SECCOMP_RET_ERRNO with a number
// of errno.h.
var actions = []struct {
	label string
	value uint32
}{
	{"EPERM", 0x00050000 | 1},
	{"ENOSYS", 0x00050000 | 38},
	{allow, retAllow},
}

// assemble returns a program: which entry into the kernel was used, a search
// for the call's number per entry, each with its conditions and the actions. The
// kernel remembers which numbers are always allowed (since Linux 5.11), so the
// program is made to be short rather than fast.
func assemble(m machine, rules []rule, foreign bool) ([]bpf.RawInstruction, error) {
	if len(rules) == 0 {
		return bpf.Assemble([]bpf.Instruction{bpf.RetConstant{Val: retAllow}})
	}
	a := assembler{places: map[string][]int{}}
	a.load(offsetArch)
	if foreign {
		native := a.label()
		a.jump(bpf.JumpEqual, m.foreign.audit, "foreign", native)
		a.place(native)
	}
	a.jump(bpf.JumpEqual, m.native.audit, "native", "ENOSYS")
	a.place("native")
	a.load(offsetNumber)
	a.search(a.spans(m.native, rules, foreign))
	a.close()
	if foreign {
		a.place("foreign")
		a.load(offsetNumber)
		a.search(a.spans(m.foreign, rules, foreign))
		a.close()
	}
	return a.link()
}

// close emits the conditions and the actions of a search: those of another one would
// be too far.
func (a *assembler) close() {
	for _, c := range a.conditions {
		a.condition(c)
	}
	a.conditions = nil
	a.actions()
}

// assembler collects the steps of a program whose jumps are still labels.
type assembler struct {
	steps      []step
	places     map[string][]int // of a label: the steps that follow it
	labels     int              // how many are in use without a name
	conditions []condition      // in the order of their use
}

// step is an instruction; for a jump, with the labels it goes to.
type step struct {
	instruction bpf.Instruction
	yes, no     string
}

func (a *assembler) load(offset uint32) {
	a.steps = append(a.steps, step{instruction: bpf.LoadAbsolute{Off: offset, Size: 4}})
}

func (a *assembler) jump(cond bpf.JumpTest, value uint32, yes, no string) {
	a.steps = append(a.steps, step{bpf.JumpIf{Cond: cond, Val: value}, yes, no})
}

// place puts a label before the next step.
func (a *assembler) place(label string) { a.places[label] = append(a.places[label], len(a.steps)) }

// distance returns how many steps lie between one and the next place of a label; -1
// if there is none behind it.
func (a *assembler) distance(from int, label string) int {
	for _, at := range a.places[label] {
		if at > from {
			return at - from - 1
		}
	}
	return -1
}

// label returns one that is not in use.
func (a *assembler) label() string {
	a.labels++
	return fmt.Sprint("label ", a.labels)
}

// row emits steps of which each may lead to the next, and the last one to a label.
func (a *assembler) row(n int, last string, emit func(i int, next string)) {
	for i := range n {
		if i == n-1 {
			emit(i, last)
			return
		}
		next := a.label()
		emit(i, next)
		a.place(next)
	}
}

// actions emits those actions that something jumps to.
func (a *assembler) actions() {
	used := map[string]bool{}
	for _, s := range a.steps {
		used[s.yes], used[s.no] = true, true
	}
	for _, action := range actions {
		if used[action.label] {
			a.place(action.label)
			a.steps = append(a.steps, step{instruction: bpf.RetConstant{Val: action.value}})
		}
	}
}

// link turns labels into distances.
func (a *assembler) link() ([]bpf.RawInstruction, error) {
	instructions := make([]bpf.Instruction, len(a.steps))
	for i, s := range a.steps {
		instructions[i] = s.instruction
		jump, ok := s.instruction.(bpf.JumpIf)
		if !ok {
			continue
		}
		yes, no := a.distance(i, s.yes), a.distance(i, s.no)
		if min(yes, no) < 0 || max(yes, no) > 255 {
			return nil, fmt.Errorf("step %d jumps too far: to %q or %q", i, s.yes, s.no)
		}
		jump.SkipTrue, jump.SkipFalse = uint8(yes), uint8(no)
		instructions[i] = jump
	}
	return bpf.Assemble(instructions)
}
