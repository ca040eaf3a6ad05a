package storetest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
)

const onDisk = `
[caches]
mode = "ephemeral"
store = "disk"
`

// awkward is what a command leaves that is hard to remove.
const awkward = `cd ~/go/pkg/mod; echo x >>cache/f; chmod u+w ro; rm -rf ro; mkdir -p ro/deep none; echo y >ro/deep/f; chmod 0555 ro/deep ro; chmod 0 none`

func TestEphemeral(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		before := b.state("go", ".cache")
		r := b.inside(awkward + `; cat cache/f ro/deep/f; id -u; ls -A ~/.local/state/bwrapgen; ls /proc/self/fd; exit 7`)
		if r.status != 7 {
			b.Errorf("status %d: %s", r.status, r.err)
		}
		b.same("inside", r.out, fmt.Sprintf("host\nx\ny\n%d\n0\n1\n2\n3", b.uid))
		b.same("the host's caches", b.state("go", ".cache"), before)
		b.gone()
	})
}

// TestEphemeralEnds ends a run in every way, and looks for what is left.
func TestEphemeralEnds(t *testing.T) {
	ends := []struct {
		name string
		end  func(c *exec.Cmd)
	}{
		{"TERM", func(c *exec.Cmd) { c.Process.Signal(syscall.SIGTERM) }},
		{"HUP", func(c *exec.Cmd) { c.Process.Signal(syscall.SIGHUP) }},
		{"KILL", func(c *exec.Cmd) { c.Process.Kill() }},
		{"KILL of bwrap", func(c *exec.Cmd) {
			exec.Command("pkill", "-KILL", "-P", fmt.Sprint(c.Process.Pid), "bwrap").Run()
		}},
		{"KILL of the group", func(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }},
	}
	everywhere(t, onDisk, func(b *bench) {
		for _, e := range ends {
			c := b.start(awkward + "; sleep 60")
			if len(b.left()) == 0 {
				b.Errorf("%s: there is no store while the sandbox runs", e.name)
			}
			e.end(c)
			c.Wait()
			b.gone()
		}
	})
}

// TestEphemeralFails has a bwrap that makes no sandbox.
func TestEphemeralFails(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		broken := "#!/bin/sh\n[ \"$1\" != --help ] || exec " + b.bwrap + " --help\necho broken >&2\nexit 1\n"
		if err := os.Mkdir(b.home+"/bin", 0o755); err != nil {
			b.Fatal(err)
		}
		b.bwrap = b.home + "/bin/bwrap"
		if err := os.WriteFile(b.bwrap, []byte(broken), 0o755); err != nil {
			b.Fatal(err)
		}
		if r := b.inside("true"); r.status != 125 {
			b.Errorf("status %d: %s", r.status, r.err)
		}
		b.gone()
	})
}

// TestEphemeralSweep has one store in use and one that a power cut left.
func TestEphemeralSweep(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		used := b.start("echo kept >~/go/pkg/mod/k; sleep 1; cat ~/go/pkg/mod/k >" + b.project + "/seen")
		own := b.left()
		store := strings.Split(own[1], "/")[1]
		b.must(b.host("cd .local/state/bwrapgen/" + store + "; mkdir -p run-1/work/work; touch -d 2020-01-01 run-1.lock; mkdir -p run-999999999/x; : >run-999999999.lock; chmod 0 run-999999999/x"))
		b.must(b.inside("true"))
		if err := used.Wait(); err != nil {
			b.Error(err)
		}
		b.same("the run before", b.must(b.host("cat code/p/seen")), "kept")
		b.gone()
	})
}

func TestEphemeralTwenty(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		var wait sync.WaitGroup
		for i := range 20 {
			wait.Go(func() {
				r := b.inside(fmt.Sprintf("echo %d >~/go/pkg/mod/cache/f; sleep 0.1; cat ~/go/pkg/mod/cache/f", i))
				if r.out != fmt.Sprint(i) || r.status != 0 {
					b.Errorf("run %d: status %d, %q, %s", i, r.status, r.out, r.err)
				}
			})
		}
		wait.Wait()
		b.gone()
	})
}

// TestEphemeralPipes reads a launcher's output to its end: nobody else may hold
// the other ends.
func TestEphemeralPipes(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		b.same("output", b.must(b.host("cd code/p; "+b.launcher+" echo a 2>&1 | cat; "+b.launcher+" cat <(echo b)")), "a\nb")
		b.gone()
	})
}
