package sandboxtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/seccomp"
)

// asked is a system call, its arguments, and what must become of it; "" stands
// for anything but a refusal.
type asked struct{ name, arguments, want string }

const bad = " 0xffffffffffffffff" // an argument that no call takes

// conditional are calls of which only some are refused, with those that are not.
var conditional = []asked{
	{"ioctl", bad + " 0x5412 1", "EPERM"}, // TIOCSTI
	{"ioctl", bad + " 0x10000005412 1", "EPERM"},
	{"ioctl", bad + " 0x541c 1", "EPERM"}, // TIOCLINUX
	{"ioctl", bad + " 0x8000541c0000541c 1", "EPERM"},
	{"ioctl", bad + " 0x5413 1", ""},     // TIOCGWINSZ
	{"clone", " 0x10000011", "EPERM"},    // CLONE_NEWUSER
	{"clone", " 0x120000011", "EPERM"},   // CLONE_NEWNS
	{"unshare", " 0x10000000", "EPERM"},  // CLONE_NEWUSER
	{"unshare", " 0x110000000", "EPERM"}, // the same
	{"unshare", " 0x200", ""},            // CLONE_FS
	{"socket", " 40 1 0", "EPERM"},       // AF_VSOCK
	{"socket", " 38 5 0", "EPERM"},       // AF_ALG
	{"socket", " 30 1 0", "EPERM"},       // AF_TIPC
	{"socket", " 9 5 0", "EPERM"},        // AF_X25
	{"socketpair", " 30 1 0 0", "EPERM"}, // AF_TIPC
	{"socketpair", " 1 1 0 0", ""},       // AF_UNIX
	{"socket", " 1 1 0", ""},             // AF_UNIX
	{"socket", " 2 1 0", ""},             // AF_INET
	{"socket", " 16 3 0", ""},            // AF_NETLINK, NETLINK_ROUTE
	{"personality", " 0xffffffff", ""},   // a query
	{"fchmod", bad + " 04755", "EPERM"},
	{"fchmod", bad + " 02755", ""},
	{"fchmodat", bad + " 0 0x1000009ed", "EPERM"},
	{"fchmodat2", bad + " 0 04755", "EPERM"},
	{"openat", bad + " 0 0101 04755", "EPERM"},
	{"openat", bad + " 0 0101 0755", ""},
	{"mknodat", bad + " 0 0104755", "EPERM"},
}

// conditionalStrict are those of the strict filter.
var conditionalStrict = []asked{
	{"socket", " 17 3 0", "EPERM"},           // AF_PACKET
	{"socket", " 16 3 9", "EPERM"},           // AF_NETLINK, NETLINK_AUDIT
	{"personality", " 0x0040000", "EPERM"},   // ADDR_NO_RANDOMIZE
	{"personality", " 0x100040000", "EPERM"}, // the same
}

// TestSystemCalls makes each call that a filter refuses, inside, where its rules
// say what the answer is; and outside, where root gets another one.
func TestSystemCalls(t *testing.T) {
	t.Parallel()
	harness.Need(t, "go")
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	for _, level := range []seccomp.Level{seccomp.Default, seccomp.Strict} {
		t.Run(string(level), func(t *testing.T) {
			list := conditional
			if level == seccomp.Strict {
				list = append(conditionalStrict, list...)
			}
			for _, r := range seccomp.Rules(level, seccomp.Options{Terminal: true}) {
				if r.When == "" && seccomp.Number(arch, r.Syscall) != 0 {
					list = append(list, asked{r.Syscall, strings.Repeat(bad, 6), r.Errno})
				}
			}
			harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\n[kernel]\nseccomp = \""+string(level)+"\"")
				probe := w.probe(t, runtime.GOARCH)
				refused := 0
				for i, got := range answers(t, l.Start, probe, arch, list) {
					if got != list[i].want {
						t.Errorf("%s%s: got %q, want %q", list[i].name, list[i].arguments, got, list[i].want)
					}
					if got != "" {
						refused++
					}
				}
				if refused < 50 {
					t.Errorf("only %d calls were tried that are refused", refused)
				}
				w.control(t, probe, arch, list)
			})
		})
	}
}

// control makes the calls outside, but for one that would end root's session.
func (w world) control(t *testing.T, probe, arch string, list []asked) {
	t.Helper()
	if w.UID != 0 {
		return // whom the kernel refuses most of them itself
	}
	var refused []asked
	for _, a := range list {
		if a.want != "" && a.name != "vhangup" {
			refused = append(refused, a)
		}
	}
	var same []string
	host := harness.Start{As: w.Account, Program: "/usr/bin/env", Dir: w.Project, Environment: w.environment()}
	for i, got := range answers(t, host, probe, arch, refused) {
		if got == refused[i].want {
			same = append(same, refused[i].name)
		}
	}
	if len(same) > 5 { // this kernel may lack some
		t.Errorf("outside, too, %d are refused: %q", len(same), same)
	}
}

// probes are the program that makes calls, for the architectures that are asked for: it
// is built once for all worlds.
var probes = map[string]func() ([]byte, error){
	runtime.GOARCH: sync.OnceValues(func() ([]byte, error) { return buildProbe(runtime.GOARCH) }),
	"386":          sync.OnceValues(func() ([]byte, error) { return buildProbe("386") }),
}

func buildProbe(goarch string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "bwrapgen-probe-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c := exec.Command("go", "build", "-o", dir, "../../gen/seccomp/testdata/probe")
	c.Env = append(c.Environ(), "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if output, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %v\n%s", err, output)
	}
	return os.ReadFile(filepath.Join(dir, "probe"))
}

// probe puts that program into the project.
func (w world) probe(t *testing.T, goarch string) string {
	t.Helper()
	program, err := probes[goarch]()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(w.Project, "made-probe-"+goarch)
	w.Put(t, file, program)
	return file
}

// answers are the refusals that the probe gets, "" where a call was no refusal.
func answers(t *testing.T, s harness.Start, probe, arch string, list []asked) []string {
	t.Helper()
	var input strings.Builder
	for _, a := range list {
		fmt.Fprintf(&input, "%d%s\n", seccomp.Number(arch, a.name), a.arguments)
	}
	r := s.RunWith(t, strings.NewReader(input.String()), probe, "call")
	var got []string
	for word := range strings.FieldsSeq(r.Ends(t, 0).Stdout) {
		switch word {
		case fmt.Sprint(int(syscall.EPERM)):
			got = append(got, "EPERM")
		case fmt.Sprint(int(syscall.ENOSYS)):
			got = append(got, "ENOSYS")
		default:
			got = append(got, "")
		}
	}
	if len(got) != len(list) {
		t.Fatalf("%d answers to %d calls", len(got), len(list))
	}
	return got
}

// TestForeignEntry: a program of i386, whose calls have other numbers, does not
// run inside, nor one of this machine that enters the kernel as one of x32.
func TestForeignEntry(t *testing.T) {
	t.Parallel()
	harness.Need(t, "go")
	if runtime.GOARCH != "amd64" {
		t.Skip("there is no program of another word size to try here")
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		host := harness.Start{As: w.Account, Program: "/usr/bin/env", Dir: w.Project, Environment: w.environment()}
		foreign, native := w.probe(t, "386"), w.probe(t, "amd64")
		call := func(s harness.Start, probe string, number uint32) harness.Result {
			return s.RunWith(t, strings.NewReader(fmt.Sprintln(number)), probe, "call")
		}
		const getpid, ofI386, ofX32 = 39, 20, 1<<30 | 39
		if r := call(host, foreign, ofI386); r.Status != 0 || r.Stdout != "0\n" {
			t.Logf("this kernel runs no programs of i386, to which nothing can be refused: %s%s", r.Stdout, r.Stderr)
		}
		if r := call(l.Start, foreign, ofI386); r.Status == 0 {
			t.Errorf("a program of i386 runs: %s", r.Stdout)
		}
		asked := w.launch(t, "extends = [\"default\"]\nkernel.foreign-arch = true")
		if outside, r := call(host, foreign, ofI386), call(asked.Start, foreign, ofI386); r.Status != outside.Status || r.Stdout != outside.Stdout {
			t.Errorf("a program of i386 does not run where it is asked for: %s%s", r.Stdout, r.Stderr)
		}
		call(l.Start, native, ofX32).Expect(t, "x32", 0, "38\n") // ENOSYS
		call(l.Start, native, getpid).Expect(t, "x86_64", 0, "0\n")
	})
}
