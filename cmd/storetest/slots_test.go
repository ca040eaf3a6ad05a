package storetest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// cache is the Go module cache inside, which the tests of slots write to.
const cache = "~/go/pkg/mod"

// in is the same person in another directory, or with another launcher.
func (b *bench) in(dir, launcher string) *bench {
	other := *b
	other.Dir, other.Program = b.Home+"/"+dir, b.Home+"/"+launcher
	return &other
}

// TestSlotsShared: launchers with write access to a repository share its caches, and so do its
// linked worktrees. Launchers that cannot write to the project share others, and a submodule, another
// project and a command that only changes an overlay have caches of their own.
func TestSlotsShared(t *testing.T) {
	t.Parallel()
	harness.Need(t, "git")
	everywhere(t, cached, func(b *bench) {
		b.write(b.Home+"/other", "project.protect = [\"mine\"]\n")
		b.write(b.Home+"/look", "project.access = \"read\"\n")
		b.write(b.Home+"/look2", "project.access = \"read\"\nlimits.open-files = 99\n")
		b.write(b.Home+"/overlay", "project.access = \"overlay\"\n")
		b.must(b.host(`git config --global user.name a; git config --global user.email a@b; git config --global protocol.file.allow always
			cd code/p; git add .; git commit -qm 1; git worktree add -q ../tree 2>/dev/null
			git init -q ../lib; git -C ../lib commit -q --allow-empty -m 1; git submodule -q add ../lib sub 2>/dev/null; mkdir ../plain`))
		b.must(b.inside("echo one >" + cache + "/one"))
		const look = "cd " + cache + "; echo $(ls)"
		for _, test := range []struct{ dir, launcher, want string }{
			{"code/p", "other", "cache one ro"},
			{"code/tree", "try", "cache one ro"},
			{"code/p/sub", "try", "cache ro"},
			{"code/plain", "try", "cache ro"},
			{"code/p", "look", "cache ro"},
			{"code/p", "overlay", "cache ro"},
		} {
			b.same(test.launcher+" in "+test.dir, b.must(b.in(test.dir, test.launcher).inside(look)), test.want)
		}
		b.must(b.in("code/tree", "other").inside("echo two >" + cache + "/two"))
		b.same("what a linked worktree keeps", b.must(b.inside(look)), "cache one ro two")
		b.must(b.in("code/p", "look").inside("echo read >" + cache + "/read"))
		b.same("between launchers that read", b.must(b.in("code/tree", "look2").inside(look)), "cache read ro")
		b.same("from one that reads to one that writes", b.must(b.inside(look)), "cache one ro two")
		for _, launcher := range []string{"look", "overlay"} {
			b.must(b.in("code/p", launcher).sandbox("--sandbox-discard"))
		}
		b.same("after others have discarded theirs", b.must(b.inside(look)), "cache one ro two")
		for _, dir := range []string{"code/p/sub", "code/plain", "code/tree"} {
			b.must(b.in(dir, "try").sandbox("--sandbox-discard"))
		}
		b.gone()
	})
}

// begin starts a run that writes to the cache, and goes on until the file go exists.
func (b *bench) begin(number int) *exec.Cmd {
	b.Helper()
	script := fmt.Sprintf("cd %s; cat kept; echo %d >made%d; : >$OLDPWD/done%d; until [[ -e $OLDPWD/go ]]; do sleep 0.05; done", cache, number, number, number)
	c := b.start(script)
	harness.Eventually(b.T, "it has written", func() bool { return harness.Exists(fmt.Sprint(b.Project, "/done", number)) })
	return c
}

// TestSlotsTogether: runs at the same time each have a slot, start with what the first slot has, and
// keep what they write. A fifth one reads it too, keeps nothing and says so. A run that is killed
// frees its slot. Discarding removes free slots, and names those in use.
func TestSlotsTogether(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		before := b.state("go", ".cache")
		b.must(b.inside("echo kept >" + cache + "/kept"))
		var runs []*exec.Cmd
		for number := 1; number <= 4; number++ {
			runs = append(runs, b.begin(number))
		}
		r := b.inside("cd " + cache + "; cat kept; echo 5 >made5; cat made5; exit 7")
		b.same("the fifth", r.Stdout, "kept\n5")
		b.once(r, fmt.Sprint("changes to caches will be discarded: cache.4 is in use by process ", runs[3].Process.Pid))
		if r.Status != 7 {
			b.Errorf("the fifth: status %d", r.Status)
		}
		if status := b.must(b.sandbox("--sandbox-status")); !strings.Contains(status, b.Home+"/go/pkg/mod: 5 files, ") {
			b.Errorf("the status of all slots is %s", status)
		}

		_ = runs[1].Process.Kill()
		_ = runs[1].Wait()
		b.same("in the slot of a run that was killed", b.must(b.waited(func() harness.Result { return b.quiet("cd " + cache + "; echo $(ls)") })), "cache kept made1 made2 ro")

		r = b.sandbox("--sandbox-discard")
		r.Refused(b.T, "while runs use slots", "not discarded: cache.4 is in use by process ", "not discarded: cache.3 is in use by process ", "not discarded: cache.1 is in use by process ")
		if strings.Contains(r.Stderr, "cache.2") {
			b.Errorf("a free slot: %s", r.Stderr)
		}
		b.must(b.host("touch code/p/go"))
		for _, i := range []int{0, 2, 3} {
			if err := runs[i].Wait(); err != nil {
				b.Error(err)
			}
		}
		harness.Eventually(b.T, "no process is left", func() bool { return len(harness.Running(b.T, b.Top)) == 0 })
		b.same("afterwards", b.must(b.inside("cd "+cache+"; echo $(ls)")), "cache kept made1 ro")
		before.Same(b.T, b.state("go", ".cache"))
		if status := b.must(b.sandbox("--sandbox-status")); !strings.Contains(status, b.Home+"/go/pkg/mod: 4 files, ") {
			b.Errorf("the status without the second slot is %s", status)
		}
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// quiet is a run that fails if the launcher says something, so that it can be tried again.
func (b *bench) quiet(script string) harness.Result {
	b.Helper()
	r := b.inside(script)
	if r.Status == 0 && r.Stderr != "" {
		r.Status = 125
	}
	return r
}

// TestSlotsAbsent: what is kept of a cache that the host lacks is there for runs at the same time.
func TestSlotsAbsent(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		b.must(b.host("rm -rf .cache"))
		b.must(b.inside("echo kept >~/.cache/go-build/k"))
		first := b.start("echo one >~/.cache/go-build/n; : >done; sleep 300")
		harness.Eventually(b.T, "it has written", func() bool { return harness.Exists(b.Project + "/done") })
		for _, want := range []string{"k n", "k n two"} {
			b.same("beside it", b.must(b.inside("cd ~/.cache/go-build; echo $(ls); echo two >two; cat k")), want+"\nkept")
		}
		_ = first.Process.Kill()
		_ = first.Wait()
		harness.Eventually(b.T, "no process is left", func() bool { return len(harness.Running(b.T, b.Top)) == 0 })
		b.same("alone", b.must(b.inside("echo $(ls ~/.cache/go-build)")), "k n")
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestSlotsCold: where the kernel refuses a layer that another run uses, as with index=on, a run
// starts without it, says so once, and keeps what it writes.
func TestSlotsCold(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		b.must(b.inside("echo kept >" + cache + "/kept"))
		first := b.start("sleep 300")
		b.put("bin/bwrap", `#!/bin/bash
before=''
for word; do
  [[ $before != @(--overlay-src|--symlink) || $word != */cache.1/*/upper || " $* " == *" --overlay $word "* ]] || { echo "bwrap: Can't make overlay mount: Device or resource busy" >&2; exit 1; }
  before=$word
done
exec `+b.Bwrap+`/bwrap "$@"
`)
		b.must(b.host("chmod 755 bin/bwrap"))
		plain := b.Start
		b.Set("PATH=" + b.Home + "/bin:" + b.Path())
		for run, want := range []string{"cache ro", "cache mine ro"} {
			r := b.inside("cd " + cache + "; echo $(ls); echo mine >mine")
			b.same(fmt.Sprint("run ", run), r.Stdout, want)
			if run == 0 {
				b.once(r, "this run starts cold")
			} else if r.Stderr != "" || r.Status != 0 {
				b.Errorf("run %d: %+v", run, r)
			}
		}
		b.Start = plain
		b.same("the control", b.must(b.inside("cd "+cache+"; echo $(ls)")), "cache kept mine ro")
		_ = first.Process.Kill()
		_ = first.Wait()
		b.must(b.waited(func() harness.Result { return b.sandbox("--sandbox-discard") }))
		b.gone()
	})
}

// TestOldStore: what earlier launchers kept of caches, in a directory of launcher and project, is
// not used any more, and discarded with the rest.
func TestOldStore(t *testing.T) {
	t.Parallel()
	newest(t, cached, func(b *bench) {
		old := b.stores() + "/try-" + strings.ReplaceAll(b.Project, "/", "%2F") + "/keep" + b.Home + "/go/pkg/mod/upper"
		b.must(b.host("mkdir -p '" + old + "'; touch '" + old + "/old'"))
		b.same("inside", b.must(b.inside("echo $(ls "+cache+")")), "cache ro")
		b.must(b.sandbox("--sandbox-discard"))
		if _, err := os.Stat(old); err == nil {
			b.Error("it was not discarded")
		}
		b.gone()
	})
}
