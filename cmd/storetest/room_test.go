package storetest

import (
	"strings"
	"testing"
)

// TestRememberNoRoom has no room for all that is noted of the host's files: that is
// said, and what comes later is noted as if nothing had been cut off.
func TestRememberNoRoom(t *testing.T) {
	newest(t, reviewed, func(b *bench) {
		const noted = `tr '\0' '\n' <.local/state/bwrapgen/*/keep$HOME/code/p/noted`
		b.must(b.host("cd code/p; touch before host"))
		b.must(b.inside("echo x >before"))
		few := b.must(b.host(noted + " | sort"))
		r := b.host(`cd code/p; ulimit -f 1; ~/try bash -c 'for i in {1..99}; do mkdir "a longer name $i"; done'`)
		if r.Status != 0 || !strings.Contains(r.Stderr, "is full: what the host changes may go unnoticed") || strings.Contains(r.Stderr, "line") {
			b.Errorf("%+v", r)
		}
		b.same("what was noted before", b.must(b.host(noted+" | sort")), few)
		b.must(b.inside("echo x >host"))
		all := strings.Split(b.must(b.host(noted)), "\n")
		for i := 1; i < len(all); i += 2 {
			if !strings.HasPrefix(all[i], "had ") && all[i] != "lacked" {
				b.Errorf("noted of %q is %q", all[i-1], all[i])
			}
		}
		b.must(b.host("cd code/p; rm host; echo of the host >host"))
		if r := b.sandbox("--sandbox-apply"); r.Status != 1 || strings.Count(r.Stderr, "not applied") != 1 || !strings.Contains(r.Stderr, "/host:") {
			b.Errorf("%+v", r)
		}
	})
}

// TestReviewNoView has a bwrap that can make no view: that is said.
func TestReviewNoView(t *testing.T) {
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.inside("echo new >f"))
		b.put("bin/bwrap", "#!/bin/sh\n[ \"$1\" != --help ] || exec "+b.Bwrap+"/bwrap --help\necho broken >&2\nexit 1\n")
		b.must(b.host("chmod 755 bin/bwrap"))
		path := b.Path()
		b.Set("PATH=" + b.Home + "/bin:" + path)
		b.sandbox("--sandbox-apply").Refused(b.T, "without a view", "what was changed cannot be looked at")
		b.Set("PATH=" + path)
		b.must(b.sandbox("--sandbox-apply"))
		b.same("with one", b.must(b.host("cat code/p/f")), "new")
	})
}

// TestApplySynced: what is applied is on the disk before the layer forgets it.
func TestApplySynced(t *testing.T) {
	newest(t, reviewed, func(b *bench) {
		b.stopping("")
		b.put("steps/sync", "#!/bin/sh\necho \"$*\" >>"+b.Project+"/.git/steps/synced; cat "+b.Project+"/f "+b.stores()+"/*/keep"+b.Project+"/upper/f >>"+b.Project+"/.git/steps/synced 2>/dev/null\nexec /usr/bin/sync \"$@\"\n")
		b.must(b.host("chmod 755 steps/sync"))
		b.must(b.inside("echo new >f"))
		b.must(b.sandbox("--sandbox-apply"))
		if synced := b.must(b.host("cat code/p/.git/steps/synced")); !strings.Contains(synced, "-f -- "+b.Project+"\nnew\nnew") {
			b.Errorf("synced: %s", synced)
		}
		b.same("afterwards", b.must(b.host("cat code/p/f; ls "+b.stores()+"/*/keep"+b.Project+"/upper")), "new")
	})
}
