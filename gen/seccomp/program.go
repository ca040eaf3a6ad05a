package seccomp

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/net/bpf"
)

// Offsets in struct seccomp_data, include/uapi/linux/seccomp.h. The low half
// of an argument comes first: every machine here is little endian.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArgs   = 16
)

// allow is the answer to a call that no rule refuses. The others are called as their errors.
const allow = "allow"

// actions are the last instructions of a search. Those that refuse are SECCOMP_RET_ERRNO with a
// number of errno.h.
var actions = []struct {
	answer string
	value  uint32
}{
	{"EPERM", 0x00050000 | 1},
	{"ENOSYS", 0x00050000 | 38},
	{allow, 0x7fff0000}, // SECCOMP_RET_ALLOW
}

// program is a filter that is put together from its end on, so that the steps are there
// which a jump leads to. A place is how many steps there are from it to the end.
type program struct{ backward []bpf.Instruction }

// put puts a step before all others, and gives its place.
func (p *program) put(step bpf.Instruction) int {
	p.backward = append(p.backward, step)
	return len(p.backward)
}

func (p *program) load(offset uint32) int { return p.put(bpf.LoadAbsolute{Off: offset, Size: 4}) }

// jump compares what is loaded, and leads to one of two places.
func (p *program) jump(cond bpf.JumpTest, value uint32, yes, no int) int {
	here := len(p.backward)
	if far := here - min(yes, no); far > math.MaxUint8 {
		panic(fmt.Sprintf("seccomp: a jump over %d steps", far))
	}
	return p.put(bpf.JumpIf{Cond: cond, Val: value, SkipTrue: uint8(here - yes), SkipFalse: uint8(here - no)})
}

// assemble returns a program: which entry into the kernel was used, a search
// for the call's number per entry, each with its conditions and the actions. The
// kernel remembers which numbers are always allowed (since Linux 5.11), so the
// program is made to be short rather than fast.
func assemble(m machine, rules []rule, foreign bool) ([]bpf.RawInstruction, error) {
	var p program
	if len(rules) == 0 {
		p.put(bpf.RetConstant{Val: actions[len(actions)-1].value})
		return bpf.Assemble(p.backward)
	}
	other := 0
	if foreign {
		other, _ = p.entry(m.foreign, rules, foreign)
	}
	native, answers := p.entry(m.native, rules, foreign)
	start := p.jump(bpf.JumpEqual, m.native.audit, native, answers["ENOSYS"])
	if foreign {
		p.jump(bpf.JumpEqual, m.foreign.audit, other, start)
	}
	p.load(offsetArch)
	slices.Reverse(p.backward)
	return bpf.Assemble(p.backward)
}

// entry puts what answers the calls of one entry into the kernel. It gives the place where
// that begins, and those of the answers.
func (p *program) entry(e abi, rules []rule, foreign bool) (start int, answers map[string]int) {
	answers = map[string]int{}
	for _, action := range slices.Backward(actions) {
		answers[action.answer] = p.put(bpf.RetConstant{Val: action.value})
	}
	calls := byCall(rules)
	first := map[string]int{}
	for i, of := range slices.Backward(calls) {
		first[answer(of)] = i
	}
	for i, of := range slices.Backward(calls) {
		if a := answer(of); i == first[a] && answers[a] == 0 {
			answers[a] = p.condition(of, answers)
		}
	}
	p.search(e.spans(calls, foreign, answers), answers[allow])
	return p.load(offsetNumber), answers
}

// byCall groups rules about the same call, in the order of their first.
func byCall(rules []rule) [][]rule {
	var calls [][]rule
	for _, r := range rules {
		i := slices.IndexFunc(calls, func(of []rule) bool { return of[0].Syscall == r.Syscall })
		if i < 0 {
			calls = append(calls, []rule{r})
		} else {
			calls[i] = append(calls[i], r)
		}
	}
	return calls
}

// answer names what a call with these rules gets: an action, or the condition that decides,
// which calls with the same one share.
func answer(rules []rule) string {
	if len(rules[0].tests) == 0 {
		return rules[0].Errno
	}
	var conditions []string
	for _, r := range rules {
		conditions = append(conditions, fmt.Sprint(r.Errno, r.tests))
	}
	return strings.Join(conditions, ", ")
}

// condition puts the tests of a call's rules, until those of one rule hold.
func (p *program) condition(rules []rule, answers map[string]int) int {
	next := answers[allow]
	for i, r := range slices.Backward(rules) {
		holds := answers[r.Errno]
		for j, t := range slices.Backward(r.tests) {
			holds = p.test(t, holds, next)
			if !isLoaded(rules, i, j) {
				holds = p.load(offsetArgs + 8*t.Argument)
			}
		}
		next = holds
	}
	return next
}

// isLoaded reports whether the steps before a test leave its argument loaded, whichever of
// them led there.
func isLoaded(rules []rule, i, j int) bool {
	isOther := func(t test) bool { return t.Argument != rules[i].tests[j].Argument }
	switch {
	case j > 0:
		return !isOther(rules[i].tests[j-1])
	case i > 0:
		return !slices.ContainsFunc(rules[i-1].tests, isOther)
	}
	return false
}

// test puts one: where to go if it holds and if not.
func (p *program) test(t test, yes, no int) int {
	cond, hit, next := bpf.JumpEqual, yes, no
	switch {
	case t.Unequal != nil:
		hit, next = no, yes
	case t.Bits != nil:
		cond = bpf.JumpBitsSet
	}
	for _, value := range slices.Backward(slices.Concat(t.Equal, t.Unequal, t.Bits)) {
		next = p.jump(cond, value, hit, next)
	}
	return next
}

// span is a row of neighbouring numbers with the same answer, at a place.
type span struct {
	low, high uint32
	answer    int
}

// spans returns where the search for a number leads, sorted, without overlaps.
func (e abi) spans(calls [][]rule, foreign bool, answers map[string]int) []span {
	var all []span
	for _, of := range calls {
		for _, n := range e.numbers(of[0].Syscall, foreign) {
			all = append(all, span{n, n, answers[answer(of)]})
		}
	}
	if e.x32 && !foreign {
		all = append(all, span{x32Bit, math.MaxUint32, answers[foreignRule.Errno]})
	}
	slices.SortFunc(all, func(s, t span) int { return cmp.Compare(s.low, t.low) })
	var joined []span
	for _, s := range all {
		last := len(joined) - 1
		if last >= 0 && joined[last].high+1 == s.low && joined[last].answer == s.answer {
			joined[last].high = s.high
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}

// leaf is how many spans are tried one after the other. More make a program
// shorter and the search longer.
const leaf = 4

// search puts the way from a loaded number to the answer for it: halving while there are
// many spans, then one after the other.
func (p *program) search(spans []span, next int) int {
	if len(spans) > leaf {
		middle := len(spans) / 2
		right := p.search(spans[middle:], next)
		left := p.search(spans[:middle], next)
		return p.jump(bpf.JumpGreaterOrEqual, spans[middle].low, right, left)
	}
	none := next
	for _, s := range slices.Backward(spans) {
		switch {
		case s.low == s.high:
			next = p.jump(bpf.JumpEqual, s.low, s.answer, next)
		case s.high == math.MaxUint32:
			next = p.jump(bpf.JumpGreaterOrEqual, s.low, s.answer, next)
		default:
			within := p.jump(bpf.JumpGreaterOrEqual, s.low, s.answer, none)
			next = p.jump(bpf.JumpGreaterThan, s.high, next, within)
		}
	}
	return next
}
