package storetest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"bwrapgen/cmd/harness"
)

// TestApplyExchanged: a command of another sandbox, one that may write to the
// project, puts a link in the place of a directory between the look at it and
// what is written to it. Nothing is written outside, nor to what is protected.
func TestApplyExchanged(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("mkdir code/p/d outside; mkdir -p code/p/.git/hooks; touch code/p/d/config"))
		before := b.state("outside", "code/p/.git/config", "code/p/.git/hooks")
		for _, place := range []string{b.Home + "/outside", b.Project + "/.git", b.Project + "/.git/hooks"} {
			b.must(b.host(`ln -s "` + place + `" code/p/l; cp -a code/p/d code/p/spare`))
			proved := false // on a busy machine the exchange may come too late
			for end := time.Now().Add(harness.Patience); !proved && time.Now().Before(end); {
				b.must(b.inside(`for i in $(seq 200); do echo evil >"d/f$i"; done; echo evil >d/config`))
				done, exchanged := make(chan bool), make(chan int)
				go func() { exchanged <- b.exchange(done) }()
				r := b.sandbox("--sandbox-apply")
				close(done)
				proved = <-exchanged > 0 && strings.Contains(r.Stderr, "not applied")
				b.must(b.host(fmt.Sprintf(`rm -rf %q/f* %q/.bwrapgen-apply; cd code/p; rm -rf d; cp -a spare d`, b.Project+"/.git", b.Project+"/.git")))
				b.must(b.sandbox("--sandbox-discard"))
			}
			if !proved {
				b.Errorf("%s: nothing was exchanged in time, so that nothing is proved", place)
			}
			b.must(b.host("cd code/p; rm -rf l spare"))
		}
		before.Same(b.T, b.state("outside", "code/p/.git/config", "code/p/.git/hooks"))
	})
}

// exchange puts the link there whenever something is about to be written, and
// takes it away after that. It says how often it has done so.
func (b *bench) exchange(done chan bool) (times int) {
	d, l := filepath.Join(b.Project, "d"), filepath.Join(b.Project, "l")
	swap := func() bool { return unix.Renameat2(unix.AT_FDCWD, d, unix.AT_FDCWD, l, unix.RENAME_EXCHANGE) == nil }
	names, _ := filepath.Glob(b.stores() + "/*/keep")
	pending := func() bool {
		return slices.ContainsFunc(names, func(store string) bool {
			s, err := os.Stat(store + "/pending")
			return err == nil && s.Size() > 0
		})
	}
	there := false
	for {
		select {
		case <-done:
			if there {
				swap()
			}
			return times
		default:
		}
		if now := pending(); now != there && swap() {
			there = now
			if now {
				times++
			}
		}
		time.Sleep(50 * time.Microsecond)
	}
}

// TestPending: what an application that was killed has left aside goes, and
// nothing else that may be named there.
func TestPending(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.inside("echo x >f"))
		b.must(b.host(`mkdir -p dear aside/.bwrapgen-apply; touch dear/f; s=$(echo .local/state/bwrapgen/*/keep) && printf %s "$HOME/dear" >"$s/pending"`))
		b.must(b.sandbox("--sandbox-status"))
		b.must(b.host(`s=$(echo .local/state/bwrapgen/*/keep) && printf %s "$HOME/aside/.bwrapgen-apply" >"$s/pending"`))
		b.must(b.sandbox("--sandbox-status"))
		b.same("what is left", b.must(b.host("ls dear; ls -A aside")), "f")
	})
}
