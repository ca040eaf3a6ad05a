package storetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"bwrapgen/cmd/harness"
)

// attempt is what becomes of ./p, whose old and new state seems tells.
type attempt struct{ name, first, attempt, old, new string }

var becomes = []attempt{
	{"changed", "echo old >p", "echo new >p", "file old", "file new"},
	{"removed", "mkdir p; echo old >p/x; chmod 0555 p", "chmod 0755 p; rm -r p", "directory 555 old", "nothing"},
	{"added", "true", "mkdir p; chmod 0750 p", "nothing", "directory 750"},
	{"closed", "echo old >p; chmod 0644 p", "chmod 0600 p", "file old", "file old"},
	{"linked", "echo old >p", "rm p; ln -s new p", "file old", "link new"},
	{"unlinked", "ln -s old p", "rm p; echo new >p", "link old", "file new"},
}

// seems is a script that says what each path is; what changes between two looks at
// it is not there for the second.
const seems = `exec 2>/dev/null; for p in %s; do
	if [ -L $p ]; then echo link $(readlink $p); elif [ -d $p ]; then echo directory $(stat -c %%a $p) $(cat $p/*); elif [ -e $p ]; then echo file $(cat $p); else echo nothing; fi
done`

// TestApplyKilled kills applications at any moment: each path is old or new,
// and the next application applies the rest.
func TestApplyKilled(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		const copies, kills = 6, 6
		var first, attempt, paths strings.Builder
		for i := range copies {
			for _, d := range becomes {
				fmt.Fprintf(&first, "mkdir %s%d; (cd %s%d; %s); ", d.name, i, d.name, i, d.first)
				fmt.Fprintf(&attempt, "(cd %s%d; %s); ", d.name, i, d.attempt)
				fmt.Fprintf(&paths, "%s%d/p ", d.name, i)
			}
		}
		b.must(b.host("umask 022; cd code/p; " + first.String()))
		b.must(b.inside("umask 022; " + attempt.String()))
		for range kills {
			c := b.Command(b.Context(), "--sandbox-apply")
			if err := c.Start(); err != nil {
				b.Fatal(err)
			}
			time.Sleep(time.Duration(50+rand.IntN(300)) * time.Millisecond)
			_ = c.Process.Kill()
			_ = c.Wait()
			// bwrap does not hear of it in its first moments, and may wait forever
			// then: https://github.com/containers/bubblewrap/issues/633
			_ = exec.Command("pkill", "-KILL", "-f", "--", "--unshare-pid.*"+b.Home).Run()
			// One that goes on may be seen between two looks at a path; one that
			// is dead stays what it is.
			bad := b.neither(paths.String())
			for end := time.Now().Add(harness.Patience); bad != "" && time.Now().Before(end); bad = b.neither(paths.String()) {
				time.Sleep(100 * time.Millisecond)
			}
			if bad != "" {
				b.Fatal(bad)
			}
		}
		b.must(b.apply())
		for i, line := range strings.Split(b.must(b.host("cd code/p; "+fmt.Sprintf(seems, paths.String()))), "\n") {
			b.same(becomes[i%len(becomes)].name, line, becomes[i%len(becomes)].new)
		}
		b.same("left aside", b.must(b.host("find code/p -name '.bwrapgen*'")), "")
	})
}

// neither names a path that is neither as it was nor as it shall be.
func (b *bench) neither(paths string) string {
	b.Helper()
	for i, line := range strings.Split(b.must(b.host("cd code/p; "+fmt.Sprintf(seems, paths))), "\n") {
		if d := becomes[i%len(becomes)]; line != d.old && line != d.new {
			return d.name + ": neither old nor new: " + line
		}
	}
	return ""
}

// apply takes everything over, after a killed application that bwrap had not
// heard of in time: that one goes on.
func (b *bench) apply(options ...string) harness.Result {
	b.Helper()
	return b.waited(func() harness.Result { return b.sandbox(append([]string{"--sandbox-apply"}, options...)...) })
}

// waited runs something until who has the store gives it back: a slow machine may
// need longer than a launcher waits.
func (b *bench) waited(run func() harness.Result) harness.Result {
	b.Helper()
	r := run()
	for end := time.Now().Add(harness.Patience); r.Status == 125 && time.Now().Before(end); {
		r = run()
	}
	return r
}

// step stands in for a program that a launcher uses: it stops before or after the one
// that is asked for, for a kill, and does no more when that has come. A review can write
// to the project, and nowhere else: there are its marks, and none while nothing is to stop.
const step = `#!/bin/sh
read -r stop <%[1]s/stop
step() {
	[ "$stop" != 0 ] || return
	echo >>%[1]s/steps
	n=0
	while read -r line; do n=$((n + 1)); done <%[1]s/steps
	[ "$n" = "$stop" ] || return
	: >%[1]s/stopped
	while [ -e %[1]s/stopped ]; do sleep 0.05; done
	exit 1
}
%[2]s
step
%[1]s/real/${0##*/} "$@"
status=$?
step
exit "$status"
`

// stopping has the launcher find programs that stop for a kill. The prelude can refuse
// some of their uses.
func (b *bench) stopping(prelude string) {
	b.Helper()
	b.instead(fmt.Sprintf(step, b.steps(), prelude), "cp", "mv", "rm", "mkdir", "chmod", "chown")
	b.stop(0)
}

// steps is where the programs leave their marks, and where the real ones are.
func (b *bench) steps() string { return b.Project + "/.git/steps" }

// instead puts a script in the place of some of the system's programs, for the launcher
// alone. The real ones are in a directory beside the marks.
func (b *bench) instead(script string, names ...string) {
	b.Helper()
	file := "steps/" + names[0]
	b.put(file, script)
	words := strings.Join(names, " ")
	b.must(b.host("chmod 755 " + file + "; mkdir -p code/p/.git/steps/real; for n in " + words + "; do cp -L /usr/bin/$n code/p/.git/steps/real; done"))
	b.Start = b.InNamespace("for n in "+words+`; do mount --bind "$1" "/usr/bin/$n"; done`, b.Home+"/"+file)
}

// stop names the step at which a program stops: none, by 0.
func (b *bench) stop(at int) {
	b.Helper()
	b.must(b.host(fmt.Sprintf("cd code/p/.git/steps; rm -f steps stopped; echo %d >stop", at)))
}

// cut applies a path and is killed at a step; it reports whether it came there.
func (b *bench) cut(path string, at int) bool {
	b.Helper()
	b.stop(at)
	c := b.Command(b.Context(), "--sandbox-apply", path)
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	defer b.stop(0) // which also ends what the kill has left alone
	done := make(chan error)
	go func() { done <- c.Wait() }()
	for {
		select {
		case err := <-done:
			if err != nil {
				b.Errorf("%s, not stopped at step %d: %v", path, at, err)
			}
			return false
		case <-time.After(5 * time.Millisecond):
			if _, err := os.Stat(b.steps() + "/stopped"); err == nil {
				_ = c.Process.Kill()
				<-done
				return true
			}
		}
	}
}

// TestApplyCut kills an application before and after each program that it runs. Each
// account has every fourth step of a attempt, and of the next attempt others.
func TestApplyCut(t *testing.T) {
	t.Parallel()
	for i, d := range becomes {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			newest(t, reviewed, func(b *bench) {
				b.stopping("")
				first, apart := 1, 1
				if accounts := harness.Accounts(); len(accounts) > 1 && !harness.Whole() {
					first, apart = 1+(i+2*slices.Index(accounts, b.Account))%4, 4
				}
				b.cuts(d, first, apart)
			})
		})
	}
}

// TestApplyMany applies many files of a few directories: they are made ready, put in
// place and removed by a few programs, and none is started for each.
func TestApplyMany(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.stopping("")
		b.must(b.host("cd code/p; mkdir d; for i in {1..60}; do echo old | tee d/f$i g$i >/dev/null; done"))
		b.must(b.inside("mkdir e; for i in {1..60}; do echo new | tee d/f$i e/f$i >/dev/null; rm g$i; done"))
		b.stop(-1)
		b.must(b.sandbox("--sandbox-apply"))
		b.same("the host", b.must(b.host("cd code/p; ls; cat [de]/* | sort | uniq -c")), "d\ne\ngo.mod\n    120 new")
		var steps int
		if _, err := fmt.Sscan(b.must(b.host("wc -l <code/p/.git/steps/steps")), &steps); err != nil || steps < 10 || steps > 600 {
			b.Errorf("%d steps, two for each program: %v", steps, err)
		}
	})
}

// cuts makes one path for each step of a attempt, kills its application there, and has the
// next one end it, from the first step on to the last.
func (b *bench) cuts(d attempt, first, apart int) {
	b.Helper()
	const steps = 60
	each := fmt.Sprintf("umask 022; for i in {%d..%d..%d}; do mkdir -p %s$i; (cd %[4]s$i; ", first, steps, apart, d.name)
	b.must(b.host("cd code/p; " + each + d.first + "); done"))
	b.must(b.inside(each + d.attempt + "); done"))
	at := first
	for ; at < steps && b.cut(fmt.Sprintf("%s%d/p", d.name, at), at); at += apart {
		path := fmt.Sprintf("%s%d/p", d.name, at)
		look := "cd code/p; " + fmt.Sprintf(seems, path)
		if got := b.must(b.host(look)); got != d.old && got != d.new {
			b.Errorf("%s, cut at step %d: %s", d.name, at, got)
		}
		r := b.apply(path)
		if strings.Contains(r.Stderr, "there are no changes in") { // the kill came when all was done
			r.Stderr = ""
		}
		b.must(r)
		b.same(fmt.Sprintf("%s, cut at step %d", d.name, at), b.must(b.host(look+"; ls -A "+d.name+fmt.Sprint(at)+" | grep -v '^p$'; :")), d.new)
	}
	if at < 5 || at >= steps {
		b.Errorf("%s has %d steps", d.name, at)
	}
	b.must(b.sandbox("--sandbox-discard"))
}
