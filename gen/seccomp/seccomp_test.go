package seccomp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// variants returns every filter there is.
func variants() []struct {
	level Level
	o     Options
} {
	var list []struct {
		level Level
		o     Options
	}
	for _, level := range []Level{Default, Strict, None} {
		for n := range 8 {
			o := Options{NestedUserns: n&1 > 0, Terminal: n&2 > 0, ForeignArch: n&4 > 0}
			list = append(list, struct {
				level Level
				o     Options
			}{level, o})
		}
	}
	return list
}

func actionName(action uint32) string {
	for _, a := range actions {
		if a.value == action {
			return a.answer
		}
	}
	return fmt.Sprintf("%#x", action)
}

// TestProgramArguments is about calls that are refused for what they ask.
func TestProgramArguments(t *testing.T) {
	terminal := Options{Terminal: true}
	nested := Options{Terminal: true, NestedUserns: true}
	const high = 0xdead_beef_0000_0000
	tests := []struct {
		name  string
		level Level
		o     Options
		call  string
		args  [6]uint64
		want  string
	}{
		{"TIOCSTI", Default, terminal, "ioctl", [6]uint64{0, 0x5412}, "EPERM"},
		{"TIOCSTI with high bits", Default, terminal, "ioctl", [6]uint64{0, high | 0x5412}, "EPERM"},
		{"TIOCLINUX", Default, terminal, "ioctl", [6]uint64{0, 0x541c}, "EPERM"},
		{"TIOCLINUX with high bits", Default, terminal, "ioctl", [6]uint64{0, high | 0x541c}, "EPERM"},
		{"TIOCGWINSZ", Default, terminal, "ioctl", [6]uint64{0, 0x5413}, allow},
		{"TIOCSETD", Default, Options{}, "ioctl", [6]uint64{0, 0x5423, 1}, "EPERM"},
		{"TIOCEXCL", Default, Options{}, "ioctl", [6]uint64{0, high | 0x540c}, "EPERM"},
		{"TCOOFF", Default, Options{}, "ioctl", [6]uint64{0, 0x540a, 0}, "EPERM"},
		{"TCOON", Default, Options{}, "ioctl", [6]uint64{0, 0x540a, 1}, allow},
		{"TIOCSTI as descriptor", Default, terminal, "ioctl", [6]uint64{0x5412, 0x5401, 0x5412}, allow},
		{"TIOCSTI without terminal", Default, Options{}, "ioctl", [6]uint64{0, 0x5412}, allow},
		{"TIOCSTI at none", None, terminal, "ioctl", [6]uint64{0, 0x5412}, "EPERM"},

		{"fork", Default, terminal, "clone", [6]uint64{0x01200011}, allow},
		{"thread", Default, terminal, "clone", [6]uint64{0x3d0f00}, allow},
		{"fork with high bits", Default, terminal, "clone", [6]uint64{high | 0x7e020000<<32 | 17}, allow},
		{"clone NEWUSER", Default, terminal, "clone", [6]uint64{0x10000011}, "EPERM"},
		{"clone NEWUSER with high bits", Default, terminal, "clone", [6]uint64{high | 0x10000011}, "EPERM"},
		{"clone NEWUSER at none", None, terminal, "clone", [6]uint64{0x10000011}, allow},
		{"clone NEWNS", Default, terminal, "clone", [6]uint64{0x00020011}, "EPERM"},
		{"clone NEWUSER nested", Default, nested, "clone", [6]uint64{0x10000011}, allow},
		{"unshare FS", Default, terminal, "unshare", [6]uint64{0x200}, allow},
		{"unshare FILES", Default, terminal, "unshare", [6]uint64{0x400}, allow},
		{"unshare NEWUSER", Default, terminal, "unshare", [6]uint64{0x10000000}, "EPERM"},
		{"unshare NEWTIME", Default, terminal, "unshare", [6]uint64{0x80}, "EPERM"},
		{"unshare NEWUSER nested", Default, nested, "unshare", [6]uint64{0x10000000}, allow},

		{"AF_UNIX", Default, terminal, "socket", [6]uint64{1}, allow},
		{"AF_INET", Default, terminal, "socket", [6]uint64{2}, allow},
		{"AF_VSOCK", Default, terminal, "socket", [6]uint64{40}, "EPERM"},
		{"AF_VSOCK with high bits", Default, terminal, "socket", [6]uint64{high | 40}, "EPERM"},
		{"AF_ALG", Default, terminal, "socket", [6]uint64{38}, "EPERM"},
		{"AF_QIPCRTR", Default, terminal, "socket", [6]uint64{42}, "EPERM"},
		{"AF_TIPC", Default, nested, "socket", [6]uint64{high | 30}, "EPERM"},
		{"AF_PACKET", Default, terminal, "socket", [6]uint64{17}, allow},
		{"AF_BLUETOOTH", Default, terminal, "socket", [6]uint64{high | 31}, allow},
		{"AF_BLUETOOTH at none", None, terminal, "socket", [6]uint64{31}, allow},
		{"a pair of AF_UNIX", Strict, terminal, "socketpair", [6]uint64{high | 1}, allow},
		{"a pair of AF_TIPC", Strict, terminal, "socketpair", [6]uint64{30}, "EPERM"},
		{"a pair of AF_TIPC", Default, terminal, "socketpair", [6]uint64{30}, "EPERM"},
		{"strict AF_UNIX", Strict, terminal, "socket", [6]uint64{1}, allow},
		{"strict AF_INET6", Strict, terminal, "socket", [6]uint64{10, 1, 6}, allow},
		{"strict AF_PACKET", Strict, terminal, "socket", [6]uint64{17}, "EPERM"},
		{"strict AF_VSOCK", Strict, terminal, "socket", [6]uint64{40}, "EPERM"},
		{"strict NETLINK_ROUTE", Strict, terminal, "socket", [6]uint64{16, 3, 0}, allow},
		{"strict NETLINK_ROUTE with high bits", Strict, terminal, "socket", [6]uint64{16, 3, high}, allow},
		{"strict NETLINK_NETFILTER", Strict, terminal, "socket", [6]uint64{16, 3, 12}, "EPERM"},
		{"NETLINK_NETFILTER", Default, terminal, "socket", [6]uint64{16, 3, 12}, allow},

		{"strict personality query", Strict, terminal, "personality", [6]uint64{0xffffffff}, allow},
		{"strict PER_LINUX", Strict, terminal, "personality", [6]uint64{0}, allow},
		{"strict ADDR_NO_RANDOMIZE", Strict, terminal, "personality", [6]uint64{0x40000}, "EPERM"},
		{"ADDR_NO_RANDOMIZE", Default, terminal, "personality", [6]uint64{0x40000}, allow},
	}
	for _, arch := range Arches() {
		for _, test := range tests {
			t.Run(arch+"/"+test.name, func(t *testing.T) {
				program, err := Program(arch, test.level, test.o)
				if err != nil {
					t.Fatal(err)
				}
				entry := machines[arch].native
				c := call{entry.audit, numbers()[test.call][entry.column], test.args}
				action, _ := run(t, disassemble(t, program), c)
				if got := actionName(action); got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		}
	}
}

// TestProgramAgreesWithRules runs every number through every filter and
// compares with what Rules say.
func TestProgramAgreesWithRules(t *testing.T) {
	for _, arch := range Arches() {
		for _, v := range variants() {
			t.Run(fmt.Sprintf("%s/%v%+v", arch, v.level, v.o), func(t *testing.T) {
				checkNumbers(t, arch, v.level, v.o)
			})
		}
	}
}

func checkNumbers(t *testing.T, arch string, level Level, o Options) {
	raw, err := Program(arch, level, o)
	if err != nil {
		t.Fatal(err)
	}
	program := disassemble(t, raw)
	foreign := o.ForeignArch || level == None
	m := machines[arch]
	for _, entry := range []abi{m.native, m.foreign} {
		want := map[uint32]string{}
		for _, r := range Rules(level, o) {
			for _, n := range entry.numbers(r.Syscall, foreign) {
				if r.When == "" {
					want[n] = r.Errno
				}
			}
		}
		for _, n := range candidates() {
			action, steps := run(t, program, call{audit: entry.audit, number: n})
			expected := cmp.Or(want[n], allow)
			switch {
			case entry == m.foreign && !foreign, entry.x32 && !foreign && n >= x32Bit:
				expected = "ENOSYS"
			case level != None && argumentless(entry, n, foreign):
				continue // no argument at all is refused too: family AF_UNSPEC
			}
			if got := actionName(action); got != expected {
				t.Errorf("entry %#x, number %d: got %s, want %s", entry.audit, n, got, expected)
			}
			if steps > 25 {
				t.Errorf("entry %#x, number %d: took %d steps", entry.audit, n, steps)
			}
		}
	}
	expected := "ENOSYS"
	if len(Rules(level, o)) == 0 {
		expected = allow
	}
	if action, _ := run(t, program, call{audit: 0xc0000015}); actionName(action) != expected {
		t.Errorf("entry of another machine: got %s, want %s", actionName(action), expected)
	}
}

// candidates are the numbers that exist or may be confused with one.
func candidates() []uint32 {
	var list []uint32
	for n := range uint32(1024) {
		list = append(list, n, x32Bit+n, 0x80000000+n)
	}
	return append(list, x32Bit-1, 0xf0000, 0xfffffffe, 0xffffffff)
}

func argumentless(entry abi, n uint32, x32 bool) bool {
	return slices.Contains(entry.numbers("socket", x32), n) || slices.Contains(entry.numbers("socketpair", x32), n)
}

func TestProgramIsSmall(t *testing.T) {
	for _, arch := range Arches() {
		for _, test := range []struct {
			level Level
			o     Options
			want  int
		}{
			{None, Options{Terminal: true}, 20},
			{Default, Options{Terminal: true}, 96},
			{Strict, Options{Terminal: true}, 116},
			{Strict, Options{Terminal: true, ForeignArch: true}, 318},
		} {
			program, err := Program(arch, test.level, test.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(program) / 8; got > test.want {
				t.Errorf("%s %v%+v: %d instructions, want at most %d", arch, test.level, test.o, got, test.want)
			}
		}
	}
}

func TestProgramRefusesOtherArches(t *testing.T) {
	for _, arch := range []string{"", "riscv64", "X86_64", "amd64"} {
		_, err := Program(arch, Default, Options{})
		if err == nil || !strings.Contains(err.Error(), "there is one for x86_64 and aarch64") {
			t.Errorf("Program(%q) = %v, want an error that names the architectures", arch, err)
		}
	}
}
