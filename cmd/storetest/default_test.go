package storetest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestKeptByDefault: what one run writes to caches is there for the next run in this project,
// and in no other; the host's caches do not change, and what the host adds to them is visible.
func TestKeptByDefault(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		before := b.state("go", ".cache")
		b.must(b.inside("cd ~/go/pkg/mod; echo one >n; echo more >>cache/f; echo built >~/.cache/go-build/b; echo gone >/tmp/t; echo gone >~/x"))
		before.Same(b.T, b.state("go", ".cache"))
		const look = "cd ~/go/pkg/mod; cat n cache/f ~/.cache/go-build/b; ls /tmp ~/x 2>/dev/null; :"
		b.same("the second run", b.must(b.inside(look)), "one\nhost\nmore\nbuilt\n/tmp:")
		b.must(b.host("echo later >go/pkg/mod/later; mkdir code/q"))
		b.same("what the host gets later", b.must(b.inside("cat ~/go/pkg/mod/later")), "later")

		other := *b
		other.Dir = b.Home + "/code/q"
		b.same("another project", other.must(other.inside("cat ~/go/pkg/mod/cache/f; ls ~/go/pkg/mod ~/.cache/go-build")), "host\n"+b.Home+"/.cache/go-build:\n\n"+b.Home+"/go/pkg/mod:\ncache\nlater\nro")
		other.must(other.sandbox("--sandbox-discard"))

		if status := b.must(b.sandbox("--sandbox-status")); !strings.Contains(status, b.Home+"/go/pkg/mod: 2 files, ") {
			b.Errorf("the status is %s", status)
		}
		b.must(b.sandbox("--sandbox-discard"))
		b.same("after all is thrown away", b.must(b.inside("cat ~/go/pkg/mod/cache/f; ls ~/go/pkg/mod")), "host\ncache\nlater\nro")
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestKeptMany: many runs at once all succeed, and those without a slot say so in one line.
func TestKeptMany(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		b.must(b.inside("echo kept >~/go/pkg/mod/n"))
		var wait sync.WaitGroup
		for i := range 12 {
			wait.Go(func() {
				r := b.inside(fmt.Sprintf("cat ~/go/pkg/mod/n; echo %d >~/go/pkg/mod/cache/f; sleep 0.1; cat ~/go/pkg/mod/cache/f", i))
				if r.Stdout != fmt.Sprintf("kept\n%d\n", i) || r.Status != 0 || strings.Count(r.Stderr, "\n") > 1 {
					b.Errorf("run %d: status %d, %q, %s", i, r.Status, r.Stdout, r.Stderr)
				}
			})
		}
		wait.Wait()
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestKeptKilled: when two runs are killed, the next one starts, uses the first slot again, and
// prints nothing.
func TestKeptKilled(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		b.must(b.inside("echo one >~/go/pkg/mod/n"))
		first := b.start("echo two >>~/go/pkg/mod/n; : >done; sleep 300")
		harness.Eventually(b.T, "it has written", func() bool { return harness.Exists(b.Project + "/done") })
		second := b.start("echo second >~/go/pkg/mod/second; sleep 300")
		for _, c := range []func() error{second.Process.Kill, first.Process.Kill} {
			if err := c(); err != nil {
				b.Fatal(err)
			}
		}
		_, _ = second.Process.Wait()
		_, _ = first.Process.Wait()
		harness.Eventually(b.T, "no process is left", func() bool { return len(harness.Running(b.T, b.Top)) == 0 })
		b.same("the next run", b.must(b.inside("cat ~/go/pkg/mod/n; ls ~/go/pkg/mod; echo three >>~/go/pkg/mod/n")), "one\ntwo\ncache\nn\nro")
		b.same("and the one after it", b.must(b.inside("cat ~/go/pkg/mod/n")), "one\ntwo\nthree")
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}
