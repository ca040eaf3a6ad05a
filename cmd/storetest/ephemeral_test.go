package storetest

import (
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"testing"

	"bwrapgen/cmd/harness"
)

const thrown = `
[caches]
mode = "ephemeral"
`

// cached keeps what caches get, as the default does, and nothing else.
const cached = ``

// awkward is what a command leaves that is hard to remove.
const awkward = `cd ~/go/pkg/mod; echo x >>cache/f; chmod u+w ro; rm -rf ro; mkdir -p ro/deep none; echo y >ro/deep/f; chmod 0555 ro/deep ro; chmod 0 none`

func TestEphemeral(t *testing.T) {
	t.Parallel()
	everywhere(t, thrown, func(b *bench) {
		before := b.state("go", ".cache")
		r := b.inside(awkward + `; cat cache/f ro/deep/f; id -u; ls /proc/self/fd; exit 7`)
		if r.Status != 7 {
			b.Errorf("status %d: %s", r.Status, r.Stderr)
		}
		b.same("inside", r.Stdout, fmt.Sprintf("host\nx\ny\n%d\n0\n1\n2\n3", b.UID))
		before.Same(b.T, b.state("go", ".cache"))
		b.same("the next run", b.must(b.inside("cat ~/go/pkg/mod/cache/f; ls ~/go/pkg/mod")), "host\ncache\nro")
		b.gone()
	})
}

// TestKeptEnds ends a run in every way: the next one starts at once, sees what was
// written until then, and what is hard to remove is removed with the rest.
func TestKeptEnds(t *testing.T) {
	t.Parallel()
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
	everywhere(t, cached, func(b *bench) {
		for _, e := range ends {
			c := b.start("echo written >~/go/pkg/mod/w; " + awkward + "; : >" + b.Project + "/done; sleep 300")
			harness.Eventually(b.T, "it has written", func() bool { return harness.Exists(b.Project + "/done") })
			e.end(c)
			c.Wait()
			harness.Eventually(b.T, e.name+" leaves no processes", func() bool { return len(harness.Running(b.T, b.Top)) == 0 })
			b.same("after "+e.name, b.must(b.inside("cat ~/go/pkg/mod/w; rm done")), "written")
			b.must(b.sandbox("--sandbox-discard"))
			b.gone(e.name)
		}
	})
}

// TestEphemeralFails has a bwrap that makes no sandbox.
func TestEphemeralFails(t *testing.T) {
	t.Parallel()
	everywhere(t, thrown, func(b *bench) {
		b.Put(b.T, b.Home+"/bin/bwrap", []byte("#!/bin/sh\n[ \"$1\" != --help ] || exec "+b.Bwrap+"/bwrap --help\necho broken >&2\nexit 1\n"))
		b.Set("PATH=" + b.Home + "/bin:" + b.Path())
		if r := b.inside("true"); r.Status != 125 {
			b.Errorf("status %d: %s", r.Status, r.Stderr)
		}
		b.gone()
	})
}

func TestEphemeralTwenty(t *testing.T) {
	t.Parallel()
	everywhere(t, thrown, func(b *bench) {
		var wait sync.WaitGroup
		for i := range 20 {
			wait.Go(func() {
				r := b.inside(fmt.Sprintf("echo %d >~/go/pkg/mod/cache/f; sleep 0.1; cat ~/go/pkg/mod/cache/f", i))
				if r.Stdout != fmt.Sprintln(i) || r.Status != 0 {
					b.Errorf("run %d: status %d, %q, %s", i, r.Status, r.Stdout, r.Stderr)
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
	t.Parallel()
	everywhere(t, thrown, func(b *bench) {
		b.same("output", b.must(b.host("cd code/p; "+b.Program+" echo a 2>&1 | cat; "+b.Program+" cat <(echo b)")), "a\nb")
		b.gone()
	})
}

// TestAbsentInHostHome has caches that the host lacks, in a home that is the
// host's, here below /var/tmp, which is not: there is no place for them inside,
// and the command runs without.
func TestAbsentInHostHome(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"ephemeral", "session", "keep"} {
		t.Run(mode, func(t *testing.T) {
			everywhere(t, "filesystem.base = \"host\"\n[caches]\nmode = \""+mode+"\"\n", func(b *bench) {
				b.must(b.host("rm -r .cache/go-build go/pkg/sumdb; echo seen >file"))
				before := b.state("go", ".cache")
				r := b.inside("cat ~/file; echo x >>~/go/pkg/mod/cache/f; cat ~/go/pkg/mod/cache/f; mkdir ~/.cache/go-build 2>/dev/null || echo none")
				b.same("inside", r.Stdout+r.Stderr, "seen\nhost\nx\nnone")
				before.Same(b.T, b.state("go", ".cache"))
			})
		})
	}
}
