package storetest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"bwrapgen/cmd/trial"
)

const mixed = `
[project]
access = "overlay"
[caches]
mode = "ephemeral"
store = "disk"
`

// TestMixed keeps changes of the project, and none of the caches.
func TestMixed(t *testing.T) {
	everywhere(t, mixed, func(b *bench) {
		left := func() string { return b.must(b.host("cd .local/state/bwrapgen/*; ls")) }
		b.must(b.inside("echo new >f; echo new >~/go/pkg/mod/f; ls /proc/self/fd"))
		trial.Eventually(b.T, "what the caches got is gone", func() bool { return left() == "keep\nkeep.lock" })
		c := b.start("cat f; " + awkward + "; sleep 300")
		if !strings.Contains(left(), "run-") {
			b.Errorf("while the sandbox runs there is only %s", left())
		}
		b.inside("true").Refused(b.T, "beside another", fmt.Sprint(c.Process.Pid))
		_ = c.Process.Kill()
		_ = c.Wait()
		trial.Eventually(b.T, "it is gone after KILL", func() bool { return left() == "keep\nkeep.lock" })
		b.same("a status", b.must(b.sandbox("--sandbox-diff")), "added: "+b.Project+"/f\ndiff --git b/f b/f\nnew file mode 100644\nindex 0000000..3e75765\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+new")
		b.same("the second run", b.must(b.inside("cat f; ls ~/go/pkg/mod")), "new\ncache\nro")
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestMixedSession has one lock for what is kept and all sessions: no other session
// would be free.
func TestMixedSession(t *testing.T) {
	newest(t, strings.Replace(mixed, "ephemeral", "session", 1), func(b *bench) {
		c := b.start("sleep 300")
		r := b.sandbox("--sandbox-end")
		r.Refused(b.T, "beside another", fmt.Sprint(c.Process.Pid))
		if strings.Contains(r.Stderr, "--sandbox-session") {
			b.Errorf("said: %s", r.Stderr)
		}
		_ = c.Process.Kill()
		_ = c.Wait()
		b.must(b.waited(func() trial.Result { return b.sandbox("--sandbox-end") }))
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestKeepTurns has runs want a store that others throw away: no two of them are
// in it at once.
func TestKeepTurns(t *testing.T) {
	everywhere(t, kept, func(b *bench) {
		const deed = "mkdir busy || echo overlap; cat ~/go/pkg/mod/cache/f >/dev/null; echo x >~/go/pkg/mod/x; rmdir busy"
		b.must(b.inside("mkdir busy && ! mkdir busy 2>/dev/null && rmdir busy")) // the project is one for all
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				for range 3 {
					r := b.inside(deed)
					if i%2 == 0 {
						r = b.sandbox("--sandbox-discard")
					}
					for end := time.Now().Add(trial.Patience); strings.Contains(r.Stderr, "in use") && time.Now().Before(end); {
						r = b.inside(deed)
					}
					if r.Status != 0 || r.Stdout != "" || r.Stderr != "" {
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
	newest(t, "[filesystem]\noverlay = [{ path = \"~/data\", at = \"/data\" }, \"~/other\"]\n[caches]\nfallback = \"read\"", func(b *bench) {
		b.must(b.host("mkdir data other; echo one >data/f; echo two >other/f"))
		b.Set("moved=/usr/share/x", "lenient=yes")
		b.same("the views", b.must(b.inside("cat /data/f ~/other/f; echo x >~/other/f; ls -d ~/go/pkg/mod")), "one\ntwo\n"+b.Home+"/go/pkg/mod")
	})
}
