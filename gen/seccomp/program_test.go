package seccomp

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// under runs a program under a filter.
func under(t *testing.T, path, filter string, command ...string) (string, error) {
	t.Helper()
	program, err := exec.LookPath(command[0])
	if err != nil {
		t.Skipf("%s is not installed", command[0])
	}
	args := append([]string{"under", filter, program}, command[1:]...)
	out, err := exec.Command(path, args...).CombinedOutput()
	return string(out), err
}

// TestKernelPrograms runs what people run.
func TestKernelPrograms(t *testing.T) {
	thisArch(t)
	path := probe(t, runtime.GOARCH)
	const python = `
import multiprocessing, socket, subprocess, threading
t = threading.Thread(target=lambda: None); t.start(); t.join()
subprocess.run(["true"], check=True)
socket.socketpair(); socket.getaddrinfo("localhost", 80)
`
	const node = `
const fs = require("fs"), { execFileSync } = require("child_process");
execFileSync("true");
fs.promises.readFile("/etc/passwd").then(b => process.exit(b.length > 0 ? 0 : 1));
`
	tests := [][]string{
		{"sh", "-c", "ls / | cat"},
		{"bash", "-c", "cat < <(printf x) | grep -q x"},
		{"go", "version"},
		{"go", "list", "std"},
		{"python3", "-c", python},
		{"node", "-e", node},
		{"git", "--version"},
		{"getent", "hosts", "localhost"},
		{"ps", "ax"},
	}
	for _, level := range []Level{Default, Strict} {
		for _, command := range tests {
			t.Run(string(level)+"/"+strings.Join(command[:min(2, len(command))], " "), func(t *testing.T) {
				if out, err := under(t, path, filter(t, level, Options{Terminal: true}), command...); err != nil {
					t.Errorf("%q: %v\n%s", command, err, out)
				}
			})
		}
	}
}

// TestBwrap gives bwrap the bytes that bash prints for the escaped program, as
// a launcher does.
func TestBwrap(t *testing.T) {
	native := machines[thisArch(t)].native
	if err := exec.Command("bwrap", "--unshare-user", "--ro-bind", "/", "/", "true").Run(); err != nil {
		if os.Getenv("BWRAPGEN_REQUIRE_SANDBOX") != "" {
			t.Fatalf("bubblewrap cannot make a sandbox here: %v", err)
		}
		t.Skipf("bubblewrap cannot make a sandbox here: %v", err)
	}
	o := Options{Terminal: true}
	program, err := Program(thisArch(t), Default, o)
	if err != nil {
		t.Fatal(err)
	}
	path := probe(t, runtime.GOARCH)
	const sandbox = `exec bwrap --unshare-user --unshare-pid --ro-bind / / --dev /dev --proc /proc --seccomp 9 -- "$@" 9< <(printf '%s')`
	script := fmt.Sprintf(sandbox, strings.Join(Escape(program), "'\\\n'"))
	list := attempts(Default, o, native)
	for i, errno := range answers(t, native, list, "bash", "-c", script, "bash", path, "call") {
		if errnoName(errno) != list[i].want {
			t.Errorf("%s: got %v, want %s", list[i].name, errno, list[i].want)
		}
	}
}
