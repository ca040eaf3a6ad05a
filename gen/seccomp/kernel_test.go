package seccomp

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// thisArch returns the machine that the test runs on.
func thisArch(t *testing.T) string {
	t.Helper()
	arch, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	if !ok || runtime.GOOS != "linux" {
		t.Skipf("nothing is tried on a kernel: there is no filter for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return arch
}

// probe builds testdata/probe and returns its path.
func probe(t *testing.T, goarch string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "probe-"+goarch)
	cmd := exec.Command("go", "build", "-o", path, "./testdata/probe")
	cmd.Env = append(cmd.Environ(), "GOARCH="+goarch, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// filter writes a program to a file and returns its path.
func filter(t *testing.T, level Level, o Options) string {
	t.Helper()
	program, err := Program(thisArch(t), level, o)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "filter")
	if err := os.WriteFile(path, program, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// attempt is a system call and what becomes of it.
type attempt struct {
	name string
	call string
	args []uint64
	want string // "EPERM", "ENOSYS", or allow for anything but these
}

// answers runs a command, whose last words are a probe and "call", and returns
// the errno of each attempt.
func answers(t *testing.T, entry abi, attempts []attempt, command ...string) []syscall.Errno {
	t.Helper()
	var input strings.Builder
	for _, a := range attempts {
		fmt.Fprintf(&input, "%d", numbers()[a.call][entry.column])
		for _, arg := range a.args {
			fmt.Fprintf(&input, " %#x", arg)
		}
		input.WriteByte('\n')
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin = strings.NewReader(input.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	var list []syscall.Errno
	for _, word := range strings.Fields(string(out)) {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, syscall.Errno(n))
	}
	if len(list) != len(attempts) {
		t.Fatalf("got %d answers to %d calls", len(list), len(attempts))
	}
	return list
}

// errnoName returns "EPERM", "ENOSYS" or allow.
func errnoName(e syscall.Errno) string {
	switch e {
	case syscall.EPERM:
		return "EPERM"
	case syscall.ENOSYS:
		return "ENOSYS"
	}
	return allow
}

// attempts returns calls with conditions, the controls beside them, and every
// call that is refused always. The latter have arguments that no call accepts:
// without a filter they fail, with another error, and change nothing.
func attempts(level Level, o Options, entry abi) []attempt {
	list := []attempt{
		{"TIOCSTI", "ioctl", []uint64{^uint64(0), 0x5412, 1}, "EPERM"},
		{"TIOCSTI with high bits", "ioctl", []uint64{^uint64(0), 1<<40 | 0x5412, 1}, "EPERM"},
		{"TIOCLINUX", "ioctl", []uint64{^uint64(0), 0x541c, 1}, "EPERM"},
		{"TIOCGWINSZ", "ioctl", []uint64{^uint64(0), 0x5413, 1}, allow},
		{"TIOCSETD", "ioctl", []uint64{^uint64(0), 0x5423, 1}, "EPERM"},
		{"TIOCEXCL", "ioctl", []uint64{^uint64(0), 0x540c}, "EPERM"},
		{"TCOOFF", "ioctl", []uint64{^uint64(0), 0x540a, 0}, "EPERM"},
		{"TCOON", "ioctl", []uint64{^uint64(0), 0x540a, 1}, allow},
		{"clone NEWUSER", "clone", []uint64{0x10000011}, "EPERM"},
		{"clone NEWUSER with high bits", "clone", []uint64{1<<40 | 0x10000011}, "EPERM"},
		{"fork", "clone", []uint64{17}, allow},
		{"unshare NEWUSER", "unshare", []uint64{0x10000000}, "EPERM"},
		{"unshare NEWNS with high bits", "unshare", []uint64{1<<40 | 0x20000}, "EPERM"},
		{"unshare FS", "unshare", []uint64{0x200}, allow},
		{"AF_VSOCK", "socket", []uint64{40, 1}, "EPERM"},
		{"AF_ALG", "socket", []uint64{38, 5}, "EPERM"},
		{"AF_UNIX", "socket", []uint64{1, 1}, allow},
		{"AF_INET", "socket", []uint64{2, 1}, allow},
		{"AF_INET6", "socket", []uint64{10, 2}, allow},
		{"NETLINK_ROUTE", "socket", []uint64{16, 3, 0}, allow},
		{"fchmod u+s", "fchmod", []uint64{^uint64(0), 0o4755}, "EPERM"},
		{"fchmod u+s with high bits", "fchmod", []uint64{^uint64(0), 1<<40 | 0o4755}, "EPERM"},
		{"fchmod g+s", "fchmod", []uint64{^uint64(0), 0o2755}, allow},
		{"fchmodat u+s", "fchmodat", []uint64{^uint64(0), 0, 0o4755}, "EPERM"},
		{"fchmodat", "fchmodat", []uint64{^uint64(0), 0, 0o1755}, allow},
		{"openat that makes u+s", "openat", []uint64{^uint64(0), 0, 0o101, 0o4755}, "EPERM"},
		{"openat O_TMPFILE with u+s", "openat", []uint64{^uint64(0), 0, 0o20200001, 0o4755}, "EPERM"},
		{"openat that makes", "openat", []uint64{^uint64(0), 0, 0o101, 0o755}, allow},
		{"openat that makes nothing", "openat", []uint64{^uint64(0), 0, 0o200000, 0o4755}, allow},
		{"mknodat u+s", "mknodat", []uint64{^uint64(0), 0, 0o104755}, "EPERM"},
		{"personality query", "personality", []uint64{0xffffffff}, allow},
	}
	bad := ^uint64(0)
	for _, r := range Rules(level, o) {
		if r.When == "" && numbers()[r.Syscall][entry.column] != 0 {
			list = append(list, attempt{r.Syscall, r.Syscall, []uint64{bad, bad, bad, bad, bad, bad}, r.Errno})
		}
	}
	return list
}

// TestKernel installs filters as bwrap does, and compares the kernel's answers
// with what the rules say, and with its answers without a filter.
func TestKernel(t *testing.T) {
	native := machines[thisArch(t)].native
	path := probe(t, runtime.GOARCH)
	for _, level := range []Level{Default, Strict} {
		t.Run(string(level), func(t *testing.T) {
			o := Options{Terminal: true}
			list := attempts(level, o, native)
			got := answers(t, native, list, path, "under", filter(t, level, o), path, "call")
			for i, a := range list {
				if errnoName(got[i]) != a.want {
					t.Errorf("%s: got %v, want %s", a.name, got[i], a.want)
				}
			}
			checkControl(t, native, list, path)
		})
	}
}

// checkControl makes sure that the refusals come from the filter. Calls that
// this kernel lacks, or refuses to this caller, prove nothing.
func checkControl(t *testing.T, entry abi, list []attempt, path string) {
	var refused []attempt
	for _, a := range list {
		if a.want != allow && a.call != "vhangup" { // which would, to root
			refused = append(refused, a)
		}
	}
	var silent []string
	for i, errno := range answers(t, entry, refused, path, "call") {
		if errnoName(errno) == refused[i].want {
			silent = append(silent, refused[i].name)
		}
	}
	t.Logf("%d refusals, of which this kernel makes %d without the filter: %q", len(refused), len(silent), silent)
	if os.Geteuid() == 0 && len(silent) > 20 {
		t.Errorf("too many refusals are not the filter's")
	}
}

// TestKernelNested is about programs that make namespaces of their own.
func TestKernelNested(t *testing.T) {
	native := machines[thisArch(t)].native
	path := probe(t, runtime.GOARCH)
	o := Options{Terminal: true, NestedUserns: true}
	list := []attempt{
		{"TIOCSTI", "ioctl", []uint64{^uint64(0), 0x5412, 1}, "EPERM"},
		{"clone3", "clone3", []uint64{^uint64(0), ^uint64(0)}, allow},
		{"setns", "setns", []uint64{^uint64(0), 0}, allow},
		{"keyctl", "keyctl", []uint64{0}, "ENOSYS"},
		{"add_key", "add_key", []uint64{0}, "EPERM"},
	}
	got := answers(t, native, list, path, "under", filter(t, Default, o), path, "call")
	for i, a := range list {
		if errnoName(got[i]) != a.want {
			t.Errorf("%s: got %v, want %s", a.name, got[i], a.want)
		}
	}
	unshare := []string{"unshare", "--user", "--map-root-user", "--mount", "true"}
	if err := exec.Command(unshare[0], unshare[1:]...).Run(); err != nil {
		if os.Getenv("BWRAPGEN_REQUIRE_SANDBOX") != "" {
			t.Fatalf("no user namespaces here: %v", err)
		}
		t.Skipf("no user namespaces here: %v", err)
	}
	if out, err := under(t, path, filter(t, Default, o), unshare...); err != nil {
		t.Errorf("nested: %v: %v\n%s", unshare, err, out)
	}
	if out, err := under(t, path, filter(t, Default, Options{}), unshare...); err == nil {
		t.Errorf("not nested: %v succeeded\n%s", unshare, out)
	}
}

// TestKernelForeign runs a program of i386, on a kernel that can.
func TestKernelForeign(t *testing.T) {
	if thisArch(t) != "x86_64" {
		t.Skip("there is no program of another word size to try here")
	}
	path, foreign := probe(t, runtime.GOARCH), probe(t, "386")
	entry := machines["x86_64"].foreign
	list := attempts(Default, Options{Terminal: true, ForeignArch: true}, entry)
	if err := exec.Command(foreign, "call").Run(); err != nil {
		t.Skipf("this kernel runs no i386 programs: %v", err)
	}
	if out, err := under(t, path, filter(t, Default, Options{}), foreign, "call"); err == nil {
		t.Errorf("refused entry: an i386 program ran\n%s", out)
	}
	allowed := filter(t, Default, Options{Terminal: true, ForeignArch: true})
	for i, errno := range answers(t, entry, list, path, "under", allowed, foreign, "call") {
		if errnoName(errno) != list[i].want {
			t.Errorf("%s: got %v, want %s", list[i].name, errno, list[i].want)
		}
	}
}
