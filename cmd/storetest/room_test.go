package storetest

import (
	"strings"
	"testing"
)

// TestReviewNoView has a bwrap that can make no view: that is said.
func TestReviewNoView(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.inside("echo new >f"))
		b.put("bin/bwrap", "#!/bin/sh\n[ \"$1\" != --help ] || exec "+b.Bwrap+"/bwrap --help\necho broken >&2\nexit 1\n")
		b.must(b.host("chmod 755 bin/bwrap"))
		path := b.Path()
		b.Set("PATH=" + b.Home + "/bin:" + path)
		b.sandbox("--sandbox-apply").Refused(b.T, "without a view", "cannot review the changes")
		b.Set("PATH=" + path)
		b.must(b.sandbox("--sandbox-apply"))
		b.same("with one", b.must(b.host("cat code/p/f")), "new")
	})
}

// TestApplySynced: what is applied is on the disk before the layer forgets it.
func TestApplySynced(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.inside("echo new >f"))
		plain := b.Start
		b.instead("#!/bin/sh\n{ echo \"$*\"; cat "+b.Project+"/f; find "+b.stores()+" -name f -exec cat {} +; } >>"+b.steps()+"/synced 2>/dev/null\nexec "+b.steps()+"/real/sync \"$@\"\n", "sync")
		b.must(b.sandbox("--sandbox-apply"))
		b.Start = plain
		if synced := b.must(b.host("cat code/p/.git/steps/synced")); !strings.Contains(synced, b.Project+"\nnew\nnew") {
			b.Errorf("synced: %s", synced)
		}
		b.same("afterwards", b.must(b.host("cat code/p/f; find "+b.stores()+" -name f 2>/dev/null; :")), "new")
	})
}

// TestApplyNoRoom has a host's disk with room for some of what is applied: that is
// taken over, and what has no room is named and stays what it was.
func TestApplyNoRoom(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		script := `cd code/p; git init -q .; echo module x >go.mod; mkdir d gone; echo old | tee big d/big a d/a gone/f >/dev/null
			head -c 7000000 /dev/zero >.git/filler
			~/try bash -c 'head -c 3000000 /dev/zero | tee big >d/big; echo new | tee a d/a new d/new >/dev/null; rm -r gone; echo >>big'
			~/try --sandbox-apply; echo "status $?"; cat big d/big a d/a new d/new; ls -A . d
			rm .git/filler; ~/try --sandbox-apply; echo "status $?"; stat -c %s big d/big`
		r := b.outside("/bin/bash").InNamespace(`mount -t tmpfs -o size=8m,mode=755 none "$1"`, b.Project).Run(b.T, "-c", script)
		b.same("the host", r.Stdout, "status 1\nold\nold\nnew\nnew\nnew\nnew\n.:\n.git\na\nbig\nd\ngo.mod\nnew\n\nd:\na\nbig\nnew\nstatus 0\n3000001\n3000000")
		if strings.Count(r.Stderr, "not applied") != 2 || !strings.Contains(r.Stderr, b.Project+"/big: ") || !strings.Contains(r.Stderr, b.Project+"/d/big: ") || strings.Contains(r.Stderr, "the host has changed") {
			b.Errorf("said: %s", r.Stderr)
		}
	})
}

// TestApplyHoles takes over a file that is all holes, which would take hours to
// read. What is done to it afterwards is seen nevertheless.
func TestApplyHoles(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.inside("truncate -s 1T holes; truncate -s 1T same"))
		b.must(b.host("cd code/p; timeout 30 ~/try --sandbox-apply"))
		status := b.must(b.host("cd code/p; timeout 30 ~/try --sandbox-status | tail -n 1"))
		if !strings.HasPrefix(status, "changes in "+b.Project+": 0, ") {
			b.Errorf("something is left to do: %s", status)
		}
		b.must(b.inside("printf x | dd of=holes conv=notrunc status=none; touch -r same holes"))
		status = b.must(b.host("cd code/p; timeout 30 ~/try --sandbox-status"))
		if !strings.Contains(status, "modified  "+b.Project+"/holes\n") {
			b.Errorf("a change that hides its time: %s", status)
		}
		b.must(b.host("cd code/p; timeout 30 ~/try --sandbox-apply"))
		b.same("the change", b.must(b.host("head -c 1 code/p/holes; stat -c %s code/p/holes")), "x1099511627776")
	})
}
