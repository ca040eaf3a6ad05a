package storetest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"bwrapgen/cmd/harness"
)

const mixed = `
[project]
access = "overlay"
[caches]
mode = "ephemeral"
`

// TestMixed keeps changes of the project, and none of the caches.
func TestMixed(t *testing.T) {
	t.Parallel()
	everywhere(t, mixed, func(b *bench) {
		b.must(b.inside("echo new >f; echo new >~/go/pkg/mod/f; ls /proc/self/fd"))
		c := b.start("cat f; " + awkward + "; sleep 300")
		b.second(b.inside("true"), c.Process.Pid)
		_ = c.Process.Kill()
		_ = c.Wait()
		diff := b.must(b.waited(func() harness.Result { return b.sandbox("--sandbox-diff") }))
		if !strings.HasPrefix(diff, "added: "+b.Project+"/f\n  mode 100644\n--- /dev/null\t") || !strings.HasSuffix(diff, "\n@@ -0,0 +1 @@\n+new") {
			b.Errorf("the diff is %s", diff)
		}
		b.same("the second run", b.must(b.inside("cat f; ls ~/go/pkg/mod")), "new\ncache\nro")
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestMixedSession has one lock for what is kept and all sessions: no other session
// would be free.
func TestMixedSession(t *testing.T) {
	t.Parallel()
	newest(t, strings.Replace(mixed, "ephemeral", "session", 1), func(b *bench) {
		c := b.start("sleep 300")
		r := b.sandbox("--sandbox-end")
		r.Refused(b.T, "beside another", fmt.Sprint(c.Process.Pid))
		if strings.Contains(r.Stderr, "--sandbox-session") {
			b.Errorf("said: %s", r.Stderr)
		}
		_ = c.Process.Kill()
		_ = c.Wait()
		b.must(b.waited(func() harness.Result { return b.sandbox("--sandbox-end") }))
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestKeepTurns has runs want a store that others throw away: each run does what it is to
// do, and who cannot throw away what is in use says so.
func TestKeepTurns(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		const attempt = "cat ~/go/pkg/mod/cache/f; echo x >~/go/pkg/mod/x"
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				for range 3 {
					if i%2 == 0 {
						if r := b.sandbox("--sandbox-discard"); r.Status != 0 && !strings.Contains(r.Stderr, "in use") {
							b.Errorf("to discard: %+v", r)
						}
					}
					if r := b.inside(attempt); r.Status != 0 || r.Stdout != "host\n" || strings.Count(r.Stderr, "\n") > 1 {
						b.Errorf("%+v", r)
					}
				}
			})
		}
		wait.Wait()
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestMovedByName: the launcher's own names, if the caller has variables that are
// called so, do not lead a view elsewhere, nor make it less than it is to be.
func TestMovedByName(t *testing.T) {
	t.Parallel()
	newest(t, "[filesystem]\noverlay = [{ path = \"~/data\", at = \"/data\" }, \"~/other\"]", func(b *bench) {
		b.must(b.host("mkdir data other; echo one >data/f; echo two >other/f"))
		b.Set("moved=/usr/share/x", "path=/usr/share/x", "caches=/usr/share/x", "overlays=/usr/share/x")
		b.same("the views", b.must(b.inside("cat /data/f ~/other/f; echo x >~/other/f; ls -d ~/go/pkg/mod")), "one\ntwo\n"+b.Home+"/go/pkg/mod")
	})
}
