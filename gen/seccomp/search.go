package seccomp

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/net/bpf"
)

// span is a row of neighbouring numbers with the same answer.
type span struct {
	low, high uint32
	label     string
}

// leaf is how many spans are tried one after the other. More make a program
// shorter and the search longer.
const leaf = 4

// spans returns where the search for a number leads, sorted, without overlaps.
func (a *assembler) spans(entry abi, rules []rule, foreign bool) []span {
	var spans []span
	for _, group := range byCall(rules) {
		label := a.target(group)
		for _, n := range entry.numbers(group[0].Syscall, foreign) {
			spans = append(spans, span{n, n, label})
		}
	}
	if entry.x32 && !foreign {
		spans = append(spans, span{x32Bit, math.MaxUint32, foreignRule.Errno})
	}
	slices.SortFunc(spans, func(s, t span) int { return cmp.Compare(s.low, t.low) })
	return join(spans)
}

// byCall groups rules about the same call, in the order of their first.
func byCall(rules []rule) [][]rule {
	var groups [][]rule
	place := map[string]int{}
	for _, r := range rules {
		i, ok := place[r.Syscall]
		if !ok {
			i = len(groups)
			place[r.Syscall] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// join merges spans that touch and have the same answer.
func join(spans []span) []span {
	var joined []span
	for _, s := range spans {
		if last := len(joined) - 1; last >= 0 && joined[last].high+1 == s.low && joined[last].label == s.label {
			joined[last].high = s.high
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// search emits the way from a loaded number to the answer for it: halving
// while there are many spans, then one after the other.
func (a *assembler) search(spans []span) {
	if len(spans) <= leaf {
		a.chain(spans)
		return
	}
	middle := len(spans) / 2
	left, right := a.label(), a.label()
	a.jump(bpf.JumpGreaterOrEqual, spans[middle].low, right, left)
	a.place(left)
	a.search(spans[:middle])
	a.place(right)
	a.search(spans[middle:])
}

// chain is search for few spans; it begins where a step falls through to.
func (a *assembler) chain(spans []span) {
	a.row(len(spans), allow, func(i int, next string) { a.match(spans[i], next) })
}

// match emits the step or steps that tell whether the number is in a span.
func (a *assembler) match(s span, next string) {
	switch {
	case s.low == s.high:
		a.jump(bpf.JumpEqual, s.low, s.label, next)
	case s.high == math.MaxUint32:
		a.jump(bpf.JumpGreaterOrEqual, s.low, s.label, next)
	default:
		within := a.label()
		a.jump(bpf.JumpGreaterThan, s.high, next, within)
		a.place(within)
		a.jump(bpf.JumpGreaterOrEqual, s.low, s.label, allow)
	}
}
