package seccomp

import (
	"slices"

	"golang.org/x/net/bpf"
)

// test compares the low half of an argument with constants.
type test struct {
	arg    uint32 // counted from 0
	kind   kind
	values []uint32
}

// kind says how a test compares.
type kind uint8

const (
	equal   kind = iota // the argument is one of the values
	unequal             // the argument is none of the values
	bits                // the argument has a bit of the values
)

// condition is what a program asks about the arguments of a call.
type condition struct {
	label string
	rules []rule
}

// target returns the label for a call that has these rules: an action, or the
// condition, which calls with the same one share.
func (a *assembler) target(rules []rule) string {
	if len(rules[0].tests) == 0 {
		return rules[0].Errno
	}
	for _, c := range a.conditions {
		if slices.EqualFunc(c.rules, rules, sameTests) {
			return c.label
		}
	}
	label := a.label()
	a.conditions = append(a.conditions, condition{label, rules})
	return label
}

func sameTests(r, s rule) bool {
	return r.Errno == s.Errno && slices.EqualFunc(r.tests, s.tests, func(t, u test) bool {
		return t.arg == u.arg && t.kind == u.kind && slices.Equal(t.values, u.values)
	})
}

// condition emits the tests of a call's rules, until one rule's hold.
func (a *assembler) condition(c condition) {
	a.place(c.label)
	loaded := noArg
	a.row(len(c.rules), allow, func(i int, next string) { loaded = a.tests(c.rules[i], next, loaded) })
}

// noArg says that it is not known which argument is loaded.
const noArg uint32 = 6

// tests emits those of one rule. It takes and returns which argument is loaded
// before, and after at the label next.
func (a *assembler) tests(r rule, next string, loaded uint32) uint32 {
	a.row(len(r.tests), r.Errno, func(i int, holds string) {
		t := r.tests[i]
		if t.arg != loaded {
			a.load(offsetArgs + 8*t.arg)
		}
		if i > 0 && t.arg != loaded {
			loaded = noArg
		} else {
			loaded = t.arg
		}
		a.test(t, holds, next)
	})
	return loaded
}

// test emits one: where to go if it holds and if not.
func (a *assembler) test(t test, yes, no string) {
	cond, hit, miss := bpf.JumpEqual, yes, no
	switch t.kind {
	case unequal:
		hit, miss = no, yes
	case bits:
		cond = bpf.JumpBitsSet
	}
	a.row(len(t.values), miss, func(i int, other string) { a.jump(cond, t.values[i], hit, other) })
}
