package seccomp

import (
	"encoding/binary"
	"testing"

	"golang.org/x/net/bpf"
)

// call is what a filter sees of a system call: struct seccomp_data without
// the instruction pointer.
type call struct {
	audit, number uint32
	args          [6]uint64
}

// data is the call as the kernel lays it out. bpf.VM reads big endian, so it
// cannot run these programs.
func (c call) data() []byte {
	data := binary.LittleEndian.AppendUint32(nil, c.number)
	data = binary.LittleEndian.AppendUint32(data, c.audit)
	data = binary.LittleEndian.AppendUint64(data, 0)
	for _, arg := range c.args {
		data = binary.LittleEndian.AppendUint64(data, arg)
	}
	return data
}

// disassemble reads a program back from its bytes.
func disassemble(t *testing.T, program []byte) []bpf.Instruction {
	t.Helper()
	if len(program) == 0 || len(program)%8 != 0 {
		t.Fatalf("program has %d bytes, want a multiple of 8", len(program))
	}
	var raw []bpf.RawInstruction
	for ; len(program) > 0; program = program[8:] {
		raw = append(raw, bpf.RawInstruction{
			Op: binary.LittleEndian.Uint16(program),
			Jt: program[2],
			Jf: program[3],
			K:  binary.LittleEndian.Uint32(program[4:]),
		})
	}
	instructions, ok := bpf.Disassemble(raw)
	if !ok {
		t.Fatal("program has instructions that x/net/bpf does not know")
	}
	return instructions
}

// run returns the action of a program for a call, and how many steps it took.
func run(t *testing.T, program []bpf.Instruction, c call) (action uint32, steps int) {
	t.Helper()
	data := c.data()
	var a uint32
	for pc := 0; pc < len(program); pc++ {
		steps++
		switch i := program[pc].(type) {
		case bpf.LoadAbsolute:
			a = binary.LittleEndian.Uint32(data[i.Off:])
		case bpf.JumpIf:
			if holds(t, i, a) {
				pc += int(i.SkipTrue)
			} else {
				pc += int(i.SkipFalse)
			}
		case bpf.RetConstant:
			return i.Val, steps
		default:
			t.Fatalf("step %d: unexpected %v", pc, i)
		}
	}
	t.Fatal("program runs off its end")
	return 0, steps
}

func holds(t *testing.T, i bpf.JumpIf, a uint32) bool {
	t.Helper()
	switch i.Cond {
	case bpf.JumpEqual:
		return a == i.Val
	case bpf.JumpNotEqual:
		return a != i.Val
	case bpf.JumpGreaterThan:
		return a > i.Val
	case bpf.JumpLessOrEqual:
		return a <= i.Val
	case bpf.JumpGreaterOrEqual:
		return a >= i.Val
	case bpf.JumpLessThan:
		return a < i.Val
	case bpf.JumpBitsSet:
		return a&i.Val != 0
	case bpf.JumpBitsNotSet:
		return a&i.Val == 0
	}
	t.Fatalf("unexpected condition %v", i)
	return false
}
