package seccomp

import (
	"cmp"
	_ "embed"
	"slices"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// rule is one refusal of a call.
type rule struct {
	Rule
	tests []test // all must hold; none: the call is refused always
	asks  string // which level or option asks for the rule
}

// test compares the low half of an argument with constants. One of the lists has values.
type test struct {
	Argument uint32   // counted from 0
	Equal    []uint32 // the argument is one of the values
	Unequal  []uint32 // the argument is none of the values
	Bits     []uint32 // the argument has a bit of the values
}

//go:embed rules.toml
var rulesText []byte

// rulesFile is what rules.toml holds.
type rulesFile struct {
	Rule []struct {
		Calls                 []string
		When, Why, Errno, For string
		Tests                 []test
	}
}

// rules are all, in the order of rules.toml, one for each call.
var rules = sync.OnceValue(func() (all []rule) {
	var file rulesFile
	decode(rulesText, &file)
	for _, row := range file.Rule {
		for _, call := range row.Calls {
			all = append(all, rule{Rule{call, cmp.Or(row.Errno, "EPERM"), row.When, row.Why}, row.Tests, row.For})
		}
	}
	return all
})

//go:embed numbers.toml
var numbersText []byte

// numbers are those of each call, by the columns of an abi; 0: there is none.
var numbers = sync.OnceValue(func() (all map[string][columns]uint32) {
	decode(numbersText, &all)
	return all
})

// decode reads a file of this package.
func decode(text []byte, to any) {
	if err := toml.Unmarshal(text, to); err != nil {
		panic(err)
	}
}

// selected returns the rules of a filter, in the order of the table.
func selected(level Level, o Options) []rule {
	asked := map[string]bool{
		"always":   level != None,
		"userns":   level != None && !o.NestedUserns,
		"nested":   level != None && o.NestedUserns,
		"terminal": o.Terminal,
		"relaxed":  level == Default,
		"strict":   level == Strict,
	}
	return slices.DeleteFunc(slices.Clone(rules()), func(r rule) bool {
		isNative := slices.ContainsFunc(Arches(), func(arch string) bool { return Number(arch, r.Syscall) != 0 })
		return !asked[r.asks] || !o.ForeignArch && !isNative
	})
}

// machine is what a kernel of one architecture runs.
type machine struct{ native, foreign abi }

// abi is one way into the kernel.
type abi struct {
	audit  uint32 // AUDIT_ARCH_*, include/uapi/linux/audit.h
	column int    // of numbers
	x32    bool   // it also takes the numbers of x32
}

// columns is how many numbers a call has. The last is that of x32.
const columns = 5

var machines = map[string]machine{
	"x86_64":  {abi{0xc000003e, 0, true}, abi{0x40000003, 2, false}},
	"aarch64": {abi{0xc00000b7, 1, false}, abi{0x40000028, 3, false}},
}

// x32Bit marks the calls of x32, which share their AUDIT_ARCH with x86_64.
const x32Bit = 0x40000000

// numbers returns those of a call: none, one, or with x32 two.
func (e abi) numbers(call string, x32 bool) []uint32 {
	all := numbers()[call]
	switch n := all[e.column]; {
	case n == 0:
		return nil
	case x32 && e.x32:
		return []uint32{n, x32Bit + all[columns-1]}
	default:
		return []uint32{n}
	}
}

// Number returns the number of a call that some rule names, on one of Arches; 0
// where there is none.
func Number(arch, call string) uint32 { return numbers()[call][machines[arch].native.column] }
