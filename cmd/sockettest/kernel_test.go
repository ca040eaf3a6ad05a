package sockettest

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// nested makes a sandbox inside, with processes and a /proc of its own.
const nested = "bwrap --unshare-user --unshare-pid --ro-bind / / --proc /proc --dev /dev -- true"

// TestNested makes a sandbox in the sandbox, where the profile allows it, and
// only there. Root inside has no capability to map itself again.
func TestNested(t *testing.T) {
	t.Parallel()
	harness.Need(t, "/usr/bin/bwrap")
	everywhere(t, func(t *testing.T, p *place) {
		if got, err := p.run("sh", "-c", nested); err != nil {
			t.Fatalf("outside: %s, %v", got, err)
		}
		if got, err := p.run(p.launcher(`extends = ["look"]`), "sh", "-c", nested); err == nil {
			t.Errorf("refused by default: %s", got)
		}
		if p.UID == 0 {
			return
		}
		if got, err := p.run(p.launcher("extends = [\"look\"]\n[kernel]\nnested-userns = true\n"), "sh", "-c", nested); err != nil {
			t.Errorf("allowed: %s, %v", got, err)
		}
	})
}

// TestPromises: where a bwrap or a machine cannot keep a promise, the command does not run.
func TestPromises(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		old := p.Version == "0.4.1"
		for _, test := range []struct {
			kernel, machine, says string // says must be on standard error; empty: nothing is
			runs                  bool
		}{
			{`seccomp = "none"`, "", map[bool]string{true: "cannot forbid nested user namespaces"}[old], !old},
			{"", "", "", true},
			{"", "riscv64", "no system call filter for riscv64", false},
		} {
			l := p.launcher("extends = [\"look\"]\n[kernel]\n" + test.kernel + "\n")
			start := p.of(l)
			if test.machine != "" {
				start = p.on(l, test.machine)
			}
			got, err := said(start.Run(t, "echo", "it runs"))
			if (err == nil) != test.runs || strings.Contains(got, "it runs") != test.runs || !strings.Contains(got, test.says) || test.says == "" && got != "it runs" {
				t.Errorf("%q on %q: %s, %v", test.kernel, test.machine, got, err)
			}
		}
	})
}

// on is how a launcher is started on another machine: there, bash says which it is.
func (p *place) on(launcher, machine string) harness.Start {
	p.t.Helper()
	text, err := os.ReadFile("/bin/bash")
	if err != nil {
		p.t.Fatal(err)
	}
	own, err := exec.Command("/bin/bash", "-c", `echo -n "$MACHTYPE"`).Output()
	if err != nil {
		p.t.Fatal(err)
	}
	other := (machine + "-pc-linux-gnu-and-more")[:len(own)]
	if bytes.Count(text, own) == 0 {
		p.t.Fatalf("bash does not hold %q", own)
	}
	p.write(p.Top+"/tools/bash", string(bytes.ReplaceAll(text, own, []byte(other))))
	return p.of(launcher).InNamespace(`mount --bind "$1" "$(readlink -f /bin/bash)"`, p.Top+"/tools/bash")
}

// TestOnlyTerminal has no filter but that of the terminal: it is embedded, and
// where there is none for the machine, the kernel's setting counts.
func TestOnlyTerminal(t *testing.T) {
	t.Parallel()
	setting, _ := os.ReadFile("/proc/sys/dev/tty/legacy_tiocsti")
	guarded := strings.TrimSpace(string(setting)) == "0"
	everywhere(t, func(t *testing.T, p *place) {
		if p.Version == "0.4.1" {
			return // TestPromises: it cannot forbid nested namespaces
		}
		l := p.launcher("extends = [\"look\"]\n[kernel]\nseccomp = \"none\"\n")
		p.says("Seccomp:\t2", l, "grep", "Seccomp:", "/proc/self/status")
		got, err := said(p.on(l, "riscv64").Run(t, "echo", "it runs"))
		if (err == nil) != guarded || !guarded && !strings.Contains(got, "typing into this terminal") {
			t.Errorf("without a filter: %s, %v", got, err)
		}
		l = p.launcher("extends = [\"look\"]\n[kernel]\nseccomp = \"none\"\n[terminal]\nmode = \"new-session\"\n")
		p.says("Seccomp:\t0", l, "grep", "Seccomp:", "/proc/self/status")
	})
}
