package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// reserving has names of the profile's own: some that are not there, two of them
// below what is not there either, and two that are; and two at and below a name
// that base lists, too.
const reserving = "extends = [\"default\"]\n" + reservedNames

const reservedNames = "[project]\nprotect = [\"Makefile.local\", \"deploy/hooks/post.sh\", \"deploy/hooks/pre.sh\", \"a/in\", \"b/file\", \"b\", \"out/\", \".mcp.json\", \".idea/tasks.xml\"]"

// TestReserved: a name of the profile's own cannot be made where it is absent,
// what lies above it cannot be moved, and git sees nothing of it.
func TestReserved(t *testing.T) {
	t.Parallel()
	layouts(t, reservedNames, []row{
		{name: "make it", do: `echo evil >Makefile.local`, denied: `Read-only file system`},
		{name: "put a file in its place", do: `echo evil >made-m && mv -fT made-m Makefile.local`, denied: held},
		{name: "remove what stands there", do: `rm -f Makefile.local`, denied: held, control: `cp -a . ../copy && touch ../copy/Makefile.local && rm ../copy/Makefile.local`},
		{name: "move what stands there", do: `"$inside" try rename Makefile.local made-r`, denied: held, control: `cp -a . ../copy2 && cd ../copy2 && rm -rf Makefile.local deploy && mkdir Makefile.local && "$inside" try rename Makefile.local made-r`},
		{name: "exchange what stands there", do: `mkdir -p made-x && "$inside" try exchange Makefile.local made-x`, denied: held, control: `cp -a . ../copy3 && cd ../copy3 && rm -rf Makefile.local deploy && mkdir -p made-x Makefile.local && "$inside" try exchange Makefile.local made-x`},
		{name: "make something in a directory", do: `mkdir -p out && touch out/x`, denied: held, control: `cp -a . ../copy4 && cd ../copy4 && mkdir -p out && touch out/x`},
		{name: "make a file of a directory", do: `echo evil >out`, denied: `Is a directory`, control: `cp -a . ../copy8 && cd ../copy8 && rm -rf out && echo evil >out`},
		{name: "make one below what is absent", do: `mkdir -p deploy/hooks && echo evil >deploy/hooks/post.sh`, denied: `Read-only file system`},
		{name: "move what lies above", do: `mv deploy made-d`, denied: held, control: `cp -a . ../copy5 && cd ../copy5 && rm -rf Makefile.local deploy && mkdir deploy && mv deploy made-d`},
		{name: "move what lies between", do: `mv deploy/hooks deploy/made-h`, denied: held, control: `cp -a . ../copy6 && cd ../copy6 && rm -rf Makefile.local deploy && mkdir -p deploy/hooks && mv deploy/hooks deploy/made-h`},
		{name: "make one below what is there", do: `echo evil >a/in`, denied: `Read-only file system`},
		{name: "move what is there, above", do: `mv a made-a`, denied: held, control: `cp -a . ../copy7 && cd ../copy7 && mv a made-a`},
		{name: "make one that base lists, too", do: `echo evil >.mcp.json`, denied: `Read-only file system`},
		{name: "make one below what base lists", do: `mkdir -p .idea && echo evil >.idea/tasks.xml`, denied: `Read-only file system`},
		{name: "change one that is there", do: `echo evil >>b/file`, denied: held},
		{name: "make others beside it", do: `echo x >deploy/hooks/made-x && rm deploy/hooks/made-x && echo x >made-y && echo x >a/made-z`},
		{name: "git sees nothing of it", do: `git status --short --untracked-files=all; git add -A && git diff --cached --name-only`, says: `^[^M]*made-y[^M]*$`},
	})
}

// TestReservedPlaceholders: nothing is left of what stands there, whoever ends first
// and in whatever way, in a repository, a linked work tree, and without one.
func TestReservedPlaceholders(t *testing.T) {
	t.Parallel()
	for name, outside := range map[string]string{
		"repository":    `true`,
		"no repository": `rm -rf .git`,
		"hooks absent":  `rm -rf .git/hooks`,
		"work tree":     `mv .git "../repository" && git -C ../repository worktree add -q --force -B other ../wt && mv ../wt/.git .git && rm -r ../wt && git -C ../repository worktree repair "$P"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			harness.Crossed(t, len(name), func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, reserving)
				l.shell(t, outside)
				l.Give(t, l.Top)
				l.leavesNothing(t, `mkdir -p deploy/hooks; echo evil >Makefile.local; echo evil >deploy/hooks/post.sh; ! grep -sq evil Makefile.local deploy/hooks/post.sh`)
			})
		})
	}
}

// leavesNothing compares the host before and after sandboxes, one alone, some at
// once, and one that is killed. What all of them try must be refused in each.
func (l launcher) leavesNothing(t *testing.T, try string) {
	t.Helper()
	before := l.state(t)
	l.Run(t, "bash", "-c", try).Succeeds(t, "alone")
	before.Same(t, l.state(t))

	first, second := l.waits(t), l.waits(t)
	if got := first.end(t); got != 0 {
		t.Errorf("the first of two: status %d", got)
	}
	l.Run(t, "bash", "-c", try).Succeeds(t, "a third beside the second")
	second.write(t, try+" && echo tried")
	if got := second.end(t); got != 0 {
		t.Errorf("the second of two: status %d", got)
	}
	before.Same(t, l.state(t))

	killed := l.waits(t)
	harness.Complete(t, killed.word)
	if err := killed.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.command.Wait()
	harness.Eventually(t, "a killed sandbox leaves no processes", func() bool { return len(harness.Running(t, killed.word)) == 0 })
	l.Run(t, "bash", "-c", try).Succeeds(t, "after a kill")
	before.Same(t, l.state(t))
}

// TestReservedKept: what is the user's own stays: an empty directory in the
// place of such a name, and what the command puts beside what stands there.
func TestReservedKept(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, reserving)
		l.shell(t, `mkdir Makefile.local && ln -s "$O/directory" deploy`)
		l.Give(t, l.Top)
		before := l.state(t)
		l.Run(t, "bash", "-c", `touch Makefile.local/x && exit 1; true`).Succeeds(t, "an empty directory of the user's")
		before.Same(t, l.state(t))
		l.shell(t, `rmdir Makefile.local`)
		run := l.waits(t)
		if got := l.shell(t, `stat -c "%F %a" Makefile.local; make -s -n 2>&1 | grep -c "Is a directory" || :`); got != "regular empty file 1444\n0\n" {
			t.Errorf("outside, while a sandbox runs, there is %q", got)
		}
		if got := run.end(t); got != 0 {
			t.Errorf("status %d", got)
		}
		l.shell(t, `! test -e Makefile.local`)

		l.shell(t, `rm deploy`)
		l.Run(t, "bash", "-c", `echo x >deploy/hooks/beside`).Succeeds(t, "a file beside it")
		if got := l.shell(t, `cd deploy && find . -mindepth 1 | sort`); got != "./hooks\n./hooks/beside\n" {
			t.Errorf("beside what stands there is left %q", got)
		}
	})
}

// TestReservedLink: C7, a name behind a link that leads to nothing cannot be held, so
// nothing runs; behind one that leads somewhere, it is said. The name itself may be one.
func TestReservedLink(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		for target, what := range map[string]string{
			"/oldroot$O": "leads to nothing", "/newroot$O": "leads to nothing", "$O/absent": "leads to nothing", "own": "leads to nothing",
			"$O/directory": "is behind a symbolic link", "a": "is behind a symbolic link",
		} {
			w := newWorld(t, s)
			l := w.launch(t, "extends = [\"default\"]\n[project]\nprotect = [\"own/settings.json\"]\n")
			l.shell(t, w.expand(`ln -s "`+target+`" own`))
			l.Give(t, l.Project)
			before := w.state(t)
			r := l.Run(t, "sh", "-c", "echo ran")
			switch {
			case what == "leads to nothing":
				r.Refused(t, target, "refusing "+w.Project+"/own/settings.json", what)
			case r.Stdout != "ran\n" || !strings.Contains(r.Stderr, what):
				t.Errorf("%s: %+v", target, r)
			}
			before.Same(t, w.state(t))
		}
	})
}

// TestReservedDangling: through a name of the profile's own that is a link to nothing, a
// command could make what it leads to. So nothing runs.
func TestReservedDangling(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[project]\nprotect = [\"own/settings.json\"]\n")
		l.shell(t, `mkdir own && cp -a . ../copy`)
		const name = "own/settings.json"
		for _, link := range []string{`ln -s "$O/absent" own/settings.json`, `ln -s settings.json own/settings.json`} {
			l.shell(t, `rm -f "$O/absent" && find . -mindepth 1 -delete && cp -a ../copy/. . && `+link)
			l.Give(t, l.Project)
			l.Run(t, "sh", "-c", "echo evil >"+name).Refused(t, name, w.Project+"/"+name+" is a broken symbolic link", "remove the link")
			l.shell(t, `touch absent "$O/absent" && ln -sfn "$PWD/absent" `+name)
			l.Run(t, "true").Says(t, "only its target is protected").Ends(t, 0)
		}
	})
}

// TestReservedBeside: what stands for an absent name is none that the command of another
// launcher has made there; what that puts into it is.
func TestReservedBeside(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, reserving)
		other := l
		other.Program = filepath.Join(w.Top, "other")
		w.Put(t, other.Program, w.generate(t, "extends = [\"default\"]\ncaches.mode = \"ephemeral\""))
		before := l.state(t)
		first := l.waits(t)
		for range 2 {
			if r := other.Run(t, "test", "-f", ".mcp.json"); r.Status != 0 || r.Stderr != "" {
				t.Errorf("beside the first: %+v", r)
			}
		}
		other.Run(t, "touch", ".idea/workspace.xml").Says(t, "the command created "+w.Project+"/.idea").Ends(t, 0)
		l.shell(t, `rm .idea/workspace.xml`)
		if got := first.end(t); got != 0 {
			t.Errorf("the first: status %d", got)
		}
		before.Same(t, l.state(t))
	})
}

// TestReservedRace has sandboxes start while others end: what one that ends
// takes away must not be what one that starts has put its trust in.
func TestReservedRace(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, reserving)
		l.shell(t, `rm -rf .git/hooks`)
		before := l.state(t)
		const try = `for i in 1 2 3 4 5 6 7 8 9; do for n in Makefile.local .git/hooks; do rmdir $n && echo "$n is gone"; echo evil >$n/x && echo "$n is open"; mkdir $n && echo "$n is made"; done; done 2>/dev/null; true`
		said := make(chan string)
		for range 4 {
			go func() {
				all := ""
				for range 6 {
					output, err := l.Command(t.Context(), "bash", "-c", try).Output()
					if all += string(output); err != nil {
						all += err.Error()
					}
				}
				said <- all
			}()
		}
		for range 4 {
			if all := <-said; all != "" {
				t.Error(all)
			}
		}
		before.Same(t, l.state(t))
	})
}
