package storetest

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

const sessions = `
[caches]
mode = "session"
[tmp]
mode = "session"
`

const kept = `
[caches]
mode = "keep"
[tmp]
mode = "keep"
[home]
mode = "keep"
`

// TestSession has a second run see what the first one wrote, in its session.
func TestSession(t *testing.T) {
	everywhere(t, sessions, func(b *bench) {
		before := b.state("go", ".cache")
		b.must(b.inside("echo one >~/go/pkg/mod/n; rm ~/go/pkg/mod/cache/f; echo two >/tmp/t"))
		b.same("the session", b.must(b.inside("cat ~/go/pkg/mod/n /tmp/t; ls ~/go/pkg/mod/cache")), "one\ntwo")
		b.same("another session", b.must(b.inside("ls ~/go/pkg/mod/cache /tmp", "--sandbox-session", "b")), "/tmp:\n\n"+b.home+"/go/pkg/mod/cache:\nf")
		seen := b.must(b.inside("find ~/.local -name upper -o -name '*.lock' -o -name work; find ~/.local -name t"))
		if strings.Count(seen, "\n") != 0 || !strings.HasSuffix(seen, "/session-default/.tmp/t") {
			b.Errorf("of the store is visible: %q", seen)
		}
		b.must(b.sandbox("--sandbox-end"))
		b.same("a session anew", b.must(b.inside("ls ~/go/pkg/mod/cache /tmp")), "/tmp:\n\n"+b.home+"/go/pkg/mod/cache:\nf")
		b.must(b.sandbox("--sandbox-end", "b"))
		b.must(b.sandbox("--sandbox-end"))
		b.same("the host's caches", b.state("go", ".cache"), before)
		b.gone()
		if r := b.sandbox("--sandbox-session", "../b", "true"); r.status != 125 || !strings.Contains(r.err, "../b") {
			b.Errorf("a name with a slash: %+v", r)
		}
	})
}

func TestKeep(t *testing.T) {
	everywhere(t, kept, func(b *bench) {
		before := b.state("go", ".cache", "code")
		b.must(b.inside("echo one >~/go/pkg/mod/n; echo two >/tmp/t; mkdir ~/own; echo three >~/own/o"))
		b.same("the second run", b.must(b.inside("cat ~/go/pkg/mod/n /tmp/t ~/own/o; ls -A ~/.local/state/bwrapgen/*/*")), "one\ntwo\nthree\n.tmp")
		b.same("the host", b.state("go", ".cache", "code"), before)
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestKeepAlone has two runs want one store.
func TestKeepAlone(t *testing.T) {
	everywhere(t, kept, func(b *bench) {
		first := b.start("sleep 3")
		begun := time.Now()
		r := b.inside("echo two")
		if r.status != 125 || !strings.Contains(r.err, fmt.Sprint(first.Process.Pid)) || !strings.Contains(r.err, "sleep 3") {
			b.Errorf("beside another: %+v", r)
		}
		if waited := time.Since(begun); waited < 1800*time.Millisecond || waited > 3*time.Second {
			b.Errorf("waited %v", waited)
		}
		first.Wait()
		first = b.start("sleep 1")
		b.same("after a second", b.must(b.inside("echo two")), "two")
		first.Wait()
		first = b.start("sleep 60")
		first.Process.Signal(syscall.SIGKILL)
		b.same("after KILL", b.must(b.inside("echo two")), "two")
		first.Wait()
	})
}

// TestKeepEmpty has caches that the host does not have yet.
func TestKeepEmpty(t *testing.T) {
	everywhere(t, kept, func(b *bench) {
		b.must(b.host("chmod -R u+w go .cache; rm -r go .cache"))
		b.must(b.inside("echo one >~/go/pkg/mod/n"))
		b.same("the second run", b.must(b.inside("cat ~/go/pkg/mod/n")), "one")
		if r := b.host("ls -d go .cache"); r.out != "" {
			b.Errorf("the host has %s", r.out)
		}
	})
}

// TestKeepHomeLinks has a program replace a directory of the kept home by a
// link out of it, where the next launch makes a mount point.
func TestKeepHomeLinks(t *testing.T) {
	everywhere(t, kept, func(b *bench) {
		b.must(b.host("mkdir outside"))
		b.inside("rm -rf ~/.config; ln -s /oldroot" + b.home + "/outside ~/.config; ls -la ~")
		b.must(b.host("mkdir -p .config/git; echo a >.config/git/config"))
		r := b.inside("true")
		if out := b.must(b.host("find outside -mindepth 1")); out != "" || r.status != 125 || !strings.Contains(r.err, ".config") {
			b.Errorf("%+v: made %q", r, out)
		}
	})
}
