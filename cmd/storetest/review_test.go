package storetest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

const reviewed = `
[project]
access = "overlay"
protect = [".envrc"]
[caches]
mode = "keep"
`

// listed is a directory outside the project that is an overlay, too.
const listed = `
[filesystem]
overlay = ["~/data?"]
`

// attempts are what the command does to ./p, after what the host has there first,
// and what is there once it has been applied.
var attempts = []struct{ name, first, attempt, want string }{
	{"add", "true", "echo new >p", "cat p"},
	{"add a directory", "true", "mkdir -p p/d; echo new >p/d/f", "cat p/d/f"},
	{"change", "echo old >p", "echo more >>p", "cat p"},
	{"delete", "echo old >p", "rm p", "test ! -e p"},
	{"delete a directory", "mkdir -p p/d; echo old >p/d/f", "rm -r p", "test ! -e p"},
	{"directory anew", "mkdir -p p/d; echo old >p/d/f", "rm -r p; mkdir p; echo new >p/n", "ls p; cat p/n"},
	{"file to link", "echo old >p", "ln -sfn /etc/hostname p", "readlink p"},
	{"link to file", "ln -s /etc/hostname p", "rm p; echo new >p", "test ! -L p; cat p"},
	{"chmod", "echo old >p", "chmod 0750 p", "stat -c %a p"},
	{"rename", "echo old >p", "mv p q", "test ! -e p; cat q"},
	{"rename a directory", "mkdir p; echo old >p/f", "mv p q", "test ! -e p; cat q/f"},
	{"newline", "echo old >$'p\\nq'", "echo new >$'p\\nq'; echo p >$'p\\n'", "cat $'p\\nq' $'p\\n'"},
}

// meanwhile is what the host does before the changes are applied.
var meanwhile = []struct{ name, attempt string }{
	{"nothing", "true"},
	{"change", `[ ! -e p ] || { [ -L p ] && ln -sfn /etc/passwd p; } || { [ -d p ] && find p -type f -exec sh -c 'echo host >>"$1"' sh {} \;; } || echo host >>p; [ ! -e $'p\nq' ] || echo host >>$'p\nq'`},
	{"delete", `rm -rf p $'p\nq'`},
	{"add", `[ -e p ] || echo host >p`},
}

// TestApply crosses what the command does with what the host does meanwhile:
// it is applied exactly where the host has left the path alone.
func TestApply(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		for _, m := range meanwhile {
			for i, d := range attempts {
				b.must(b.host(fmt.Sprintf("mkdir -p code/p/c%d; cd code/p/c%d; %s", i, i, d.first)))
			}
			b.must(b.inside(all(func(d string) string { return d })))
			for i := range attempts {
				b.must(b.host(fmt.Sprintf("cd code/p/c%d; %s", i, m.attempt)))
			}
			r := b.sandbox("--sandbox-apply")
			for i, d := range attempts {
				b.judge(fmt.Sprintf("%s while the host does %s", d.name, m.name), i, m.name, r.Stderr)
			}
			b.must(b.host("chmod -R u+rwx code/p/c*; rm -rf code/p/c*"))
			b.must(b.sandbox("--sandbox-discard"))
		}
	})
}

// all is one script that does every attempt, each in a directory of its own.
func all(change func(string) string) string {
	var s strings.Builder
	for i, d := range attempts {
		fmt.Fprintf(&s, "(cd c%d && %s) || exit\n", i, change(d.attempt))
	}
	return s.String()
}

// judge looks at one path after its attempt was applied, or was not.
func (b *bench) judge(what string, i int, meanwhile, said string) {
	b.Helper()
	d := attempts[i]
	want := b.host(fmt.Sprintf("rm -rf want; mkdir want; cd want; %s; (%s); %s", d.first, d.attempt, d.want))
	got := b.host(fmt.Sprintf("cd code/p/c%d; %s", i, d.want))
	named := strings.Contains(said, fmt.Sprintf("/c%d/", i))
	untouched := meanwhile == "nothing" ||
		meanwhile == "add" && d.first != "true" ||
		d.first == "true" && meanwhile != "add" ||
		meanwhile == "delete" && (strings.HasPrefix(d.name, "delete") || strings.HasPrefix(d.name, "rename"))
	switch {
	case untouched && (got.Stdout != want.Stdout || got.Status != want.Status || named):
		b.Errorf("%s: got %+v, want %+v: %s", what, got, want, said)
	case !untouched && !named:
		b.Errorf("%s: was not refused: %s", what, said)
	}
}

// TestApplyConflict refuses what the host has changed, too, until somebody has made the host's file
// the same by hand. The removed options do not exist.
func TestApplyConflict(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("echo old >code/p/f; echo old >code/p/g"))
		b.must(b.inside("echo new >f; echo new >g"))
		b.must(b.host("echo host >code/p/f"))
		if r := b.sandbox("--sandbox-apply"); r.Status != 1 || !strings.Contains(r.Stderr, b.Project+"/f: the host changed it since; see --sandbox-diff, then discard or change the host's by hand") || strings.Contains(r.Stderr, "/g") {
			b.Errorf("%+v", r)
		}
		b.same("refused", b.must(b.host("cat code/p/f code/p/g")), "host\nnew")
		for _, option := range []string{"--sandbox-force", "--sandbox-refresh"} {
			b.sandbox(option).Refused(b.T, "removed", "there is no option "+option)
		}
		b.must(b.host("echo new >code/p/f"))
		b.must(b.sandbox("--sandbox-apply"))
		b.must(b.inside("cat f; echo again >>f"))
		b.must(b.sandbox("--sandbox-apply"))
		b.same("once more", b.must(b.host("cat code/p/f")), "new\nagain")
	})
}

// TestApplyType refuses to replace a directory with something else, and the other way round, until
// the user has removed what the host has there.
func TestApplyType(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("cd code/p; mkdir d l; echo old | tee d/f l/f f >/dev/null; ln -s /var/tmp t"))
		b.must(b.inside("rm -r d l f t; echo new >d; ln -s far l; mkdir f t; echo new | tee f/n t/n >/dev/null"))
		r := b.sandbox("--sandbox-apply")
		for _, name := range []string{"d", "l", "f", "t"} {
			if r.Status != 1 || !strings.Contains(r.Stderr, b.Project+"/"+name+": a directory would replace a file, or a file a directory; remove the old one first") {
				b.Errorf("%s: %+v", name, r)
			}
		}
		b.same("the host", b.must(b.host("cd code/p; cat d/f l/f f; readlink t; ls /var/tmp/n 2>/dev/null || :")), "old\nold\nold\n/var/tmp")
		b.must(b.host("cd code/p; rm -r d l f t"))
		b.must(b.sandbox("--sandbox-apply"))
		b.same("afterwards", b.must(b.host("cd code/p; cat d f/n t/n; readlink l; ls")), "new\nnew\nnew\nfar\nd\nf\ngo.mod\nl\nt")
	})
}

// TestApplyBounds tries to reach what is protected, and what lies outside.
func TestApplyBounds(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("mkdir code/p/d outside; echo a >code/p/d/a; echo o >code/p/old"))
		b.must(b.inside("echo x >.envrc; rm -rf .git/info; echo x >d/new; cp /bin/true su; chmod 2755 su; mkfifo pipe; (echo x >.git/config) 2>/dev/null; echo y >fine; rm old"))
		b.must(b.host("mv code/p/d code/p/e; ln -s " + b.Home + "/outside code/p/d"))
		r := b.sandbox("--sandbox-apply")
		for _, name := range []string{"/.envrc:", "/d:", "/su:", "/pipe:"} {
			if !strings.Contains(r.Stderr, name) {
				b.Errorf("%s is not named: %s", name, r.Stderr)
			}
		}
		b.same("the host", b.must(b.host("find outside -mindepth 1; cd code/p; ls -A; grep -c x .git/config || :")), ".git\nd\ne\nfine\ngo.mod\n0")
	})
}

// TestReview looks before it takes, some paths of several.
func TestReview(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("cd code/p; echo a >a; echo b >b; mkdir s; echo c >s/c"))
		b.must(b.inside("echo A >a; rm b; echo C >>s/c; echo D >s/d; touch go.mod; echo cached >~/go/pkg/mod/cache/f"))
		status := b.must(b.sandbox("--sandbox-status"))
		for _, want := range []string{"modified  " + b.Project + "/a\n", "deleted   " + b.Project + "/b\n", "added     " + b.Project + "/s/d\n", "changes in " + b.Project + ": 4, ", "\n" + b.Home + "/go/pkg/mod: 1 files, "} {
			if !strings.Contains(status, want) {
				b.Errorf("status says no %q:\n%s", want, status)
			}
		}
		diff := b.must(b.sandbox("--sandbox-diff", "s"))
		if !strings.Contains(diff, "\n+C\n") || !strings.Contains(diff, "\n+D") || strings.Contains(diff, "+A") {
			b.Errorf("diff s:\n%s", diff)
		}
		b.must(b.sandbox("--sandbox-apply", "s"))
		b.same("some", b.must(b.host("cd code/p; cat a b s/c s/d ~/go/pkg/mod/cache/f")), "a\nb\nc\nC\nD\nhost")
		b.must(b.sandbox("--sandbox-apply"))
		b.same("all", b.must(b.host("cd code/p; ls; cat a s/c ~/go/pkg/mod/cache/f")), "a\ngo.mod\ns\nA\nc\nC\nhost")
		b.same("the cache", b.must(b.inside("cat ~/go/pkg/mod/cache/f")), "cached")
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestApplyReplaced applies directories that were made anew: what the host gets
// there later is visible inside, and what it still has to lose is not.
func TestApplyReplaced(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("mkdir code/p/d code/p/e; echo a >code/p/d/a; echo b >code/p/e/b"))
		b.must(b.inside("rm -r d e; mkdir d e; echo n >d/n; echo m >e/m"))
		b.must(b.sandbox("--sandbox-apply", "d/../d//", "./e/m"))
		b.same("applied", b.must(b.host("cd code/p; ls d e")), "d:\nn\n\ne:\nb\nm")
		b.must(b.host("echo later >code/p/d/later"))
		b.same("inside", b.must(b.inside("ls d; ls e")), "later\nn\nm")
		status := b.must(b.sandbox("--sandbox-status", "."))
		if changes := "deleted   " + b.Project + "/e/b\nchanges in " + b.Project + ": 1,"; !strings.Contains(status, changes) {
			b.Errorf("the status is %s, and not %s", status, changes)
		}
		b.must(b.sandbox("--sandbox-apply"))
		b.same("all", b.must(b.host("cd code/p; ls d e")), "d:\nlater\nn\n\ne:\nm")
	})
}

// TestApplyReadOnly applies directories that nobody may write to, as those of
// Go's modules.
func TestApplyReadOnly(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("cd code/p; mkdir -m 755 h; mkdir g; echo a >g/a; chmod 0555 g"))
		b.must(b.inside("umask 022; mkdir -p m/d; echo x >m/d/f; chmod 0555 m/d m; echo y >h/y; chmod 0555 h; chmod 0755 g; rm -r g"))
		b.must(b.sandbox("--sandbox-apply"))
		b.same("the host", b.must(b.host("cd code/p; stat -c '%a %n' * m/d; cat m/d/f h/y")), "644 go.mod\n555 h\n555 m\n555 m/d\nx\ny")
		b.must(b.sandbox("--sandbox-discard"))
	})
}

// TestDiffColors has a diff for a person, and one for a program.
func TestDiffColors(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.host("echo old >code/p/f"))
		b.must(b.inside("echo new >f"))
		for _, want := range []bool{true, false} {
			x := harness.NewTerminal(b.T, b.Account)
			if !want {
				b.Set("NO_COLOR=1")
			}
			b.Set("TERM=xterm")
			c := b.Command(b.Context(), "--sandbox-diff")
			x.Start(b.T, c)
			said, status := x.End(b.T, c)
			if got := strings.Contains(said, "\x1b[32m+"); status != 0 || !strings.Contains(said, "+") || got != want {
				b.Errorf("status %d, color is %v, not %v: %q", status, got, want, said)
			}
		}
		if diff := b.must(b.sandbox("--sandbox-diff")); strings.Contains(diff, "\x1b") {
			b.Errorf("color in a pipe: %q", diff)
		}
	})
}

// TestDiffControls: what a terminal would obey stands in no diff for a person, who
// would not see what is hidden so; a program gets the bytes as they are.
func TestDiffControls(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.host("echo old >code/p/f"))
		b.must(b.inside(`printf 'evil\033[1K\033[8m\r\302\2331A\bgood\tÜ\342\200\256\n' >f`))
		x := harness.NewTerminal(b.T, b.Account)
		b.Set("TERM=xterm")
		c := b.Command(b.Context(), "--sandbox-diff")
		x.Start(b.T, c)
		if said, status := x.End(b.T, c); status != 0 || !strings.Contains(said, "+evil?[1K?[8m??1A?good\tÜ?") {
			b.Errorf("status %d, for a person: %q", status, said)
		}
		if diff := b.must(b.sandbox("--sandbox-diff")); !strings.Contains(diff, "+evil\x1b[1K\x1b[8m\r\u009b1A\bgood\tÜ\u202e") {
			b.Errorf("for a program: %q", diff)
		}
	})
}

// TestCommit has a commit in a view of the project: the host's repository is as
// it was, and what git would run is held in the view, too.
func TestCommit(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		const git = "git -c user.name=x -c user.email=x@example.org "
		b.must(b.host("cd code/p && git add . && " + git + "commit -qm first"))
		before := b.state("code/p")
		b.must(b.inside(git + "commit -q --allow-empty --no-verify -m second"))
		b.same("the next run", b.must(b.inside("git log --format=%s")), "second\nfirst")
		r := b.inside("! mv .git moved && ! touch .git/hooks/made && ! git config user.name y && echo held")
		b.same("what is held", r.Stdout, "held")
		before.Same(b.T, b.state("code/p"))
		b.same("the control", b.must(b.host("cp -a code/p copy && cd copy && git config user.name y && touch .git/hooks/made && mv .git moved && echo free")), "free")
	})
}

// TestCommitElsewhere: where a work tree or a submodule keeps its repository
// elsewhere, that is viewed and reviewed too, whether the one lies in the other
// or not.
func TestCommitElsewhere(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host(`git config --global user.name x && git config --global user.email x@example.org && git config --global protocol.file.allow always
			cd code/p && git add . && git commit -qm first && git clone -q --bare . ../bare && git worktree add -q ../linked
			git submodule --quiet add "$PWD/../bare" module && git commit -qm second && cd ../bare && git worktree add -q within && rm -r hooks`))
		for _, place := range []string{"linked", "p/module", "bare/within"} {
			b.Dir = b.Home + "/code/" + place
			before := b.state("code")
			b.must(b.inside("echo new >made && git add made && git commit -qm within"))
			b.same("the next run in "+place, b.must(b.inside("git log --format=%s && cat made")), "within\nfirst\nnew")
			r := b.inside(`cd "$(git rev-parse --git-common-dir)" && ! echo x >>config && ! mv config c && echo held && mkdir -p hooks && touch hooks/made`)
			b.same("what is held in "+place, r.Stdout, "held")
			before.Same(b.T, b.state("code"))
			if r := b.sandbox("--sandbox-status"); r.Status != 0 || r.Stderr != "" || !strings.Contains(r.Stdout, place+"/made\n") || !strings.Contains(r.Stdout, "/refs/heads/") {
				b.Errorf("%s: status %d, %s%s", place, r.Status, r.Stdout, r.Stderr)
			}
			b.sandbox("--sandbox-apply")
			b.same("outside, in "+place, b.must(b.host("cd code/"+place+" && git log --format=%s && cat made")), "within\nfirst\nnew")
			b.must(b.host(`cd code/` + place + ` && cd "$(git rev-parse --git-common-dir)" && [ ! -e hooks/made ] && mkdir -p hooks && touch hooks/made && rm hooks/made`))
			b.must(b.sandbox("--sandbox-discard"))
		}
	})
}

// TestReviewNothing names a path where nothing has changed: that is said, and what
// has changed stays where it is.
func TestReviewNothing(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.inside("mkdir d && echo x >d/file"))
		for _, option := range []string{"--sandbox-apply", "--sandbox-diff", "--sandbox-status"} {
			r := b.sandbox(option, "d/fiel", "d", "d/file")
			if r.Status != 0 || !strings.Contains(r.Stderr, "there are no changes in "+b.Project+"/d/fiel") || strings.Count(r.Stderr, "no changes") != 1 {
				b.Errorf("%s: %+v", option, r)
			}
			if option == "--sandbox-apply" {
				b.same("applied", b.must(b.host("cat code/p/d/file")), "x")
				b.must(b.inside("echo y >d/file"))
			}
		}
	})
}

// TestReviewAsked asks for a part: of what does not lie there nothing is said. What is
// no name of a file, and a part of what is done with all, is refused.
func TestReviewAsked(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.inside("echo x >f; mkdir d; echo y >~/go/pkg/mod/g; touch go.mod"))
		for _, part := range []string{"f", ".", b.Home + "/code", "/"} {
			status := b.must(b.sandbox("--sandbox-status", part))
			if !strings.Contains(status, "added     "+b.Project+"/f\n") || strings.Contains(status, "/go/pkg/mod") {
				b.Errorf("the status of %s is %s", part, status)
			}
		}
		b.sandbox("--sandbox-apply", "f", "").Refused(b.T, "no name", "these are not names of files: 'f' ''")
		b.same("the host", b.must(b.host("ls code/p")), "go.mod")
	})
}

// TestReviewBeginning has a reader that has soon seen enough.
func TestReviewBeginning(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.inside("for i in {1..300}; do seq 300 >$i; done"))
		b.same("the status", b.must(b.host("cd code/p; ~/try --sandbox-diff | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}")), "141")
	})
}

// TestDiffMany has changes of every kind, and more than one program compares.
func TestDiffMany(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host(`mkdir -m 755 elsewhere; echo of the host >elsewhere/f; cd code/p; umask 022
			for i in {1..250}; do echo old >$i; done; mkdir d; cp 1 d/f; cp 1 mode; cp 1 kind; seq 30000 >large; ln -s ../../elsewhere link; seq 9 >gone`))
		b.must(b.inside(`umask 022; for i in {1..250}; do echo "new $i" >$i; done; rm -r d; echo file >d; chmod 755 mode; rm kind gone; mkdir -m 555 kind
			echo end >>large; rm link; mkdir link; echo inside >link/f; head -c 9 /dev/zero >bin; mkdir $'a\nb'; echo odd >$'a\nb/c'; ln -s 1 points; mkfifo pipe; seq 9 >moved; truncate -s 1T holes`))
		times := regexp.MustCompile(`(?m)^(--- .*|\+\+\+ .*)\t.*$`)
		diff := times.ReplaceAllString(b.must(b.sandbox("--sandbox-diff"))+"\n", "$1")
		var lines []string
		for i := 1; i <= 250; i++ {
			n := strconv.Itoa(i)
			lines = append(lines, "modified: "+b.Project+"/"+n+"\n", "\n--- a/"+n+"\n+++ b/"+n+"\n@@ -1 +1 @@\n-old\n+new "+n+"\n")
		}
		for _, want := range append(lines,
			"type: "+b.Project+"/d\n", "\n--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+file\n",
			"mode: "+b.Project+"/mode\n  mode 100755\n",
			"type: "+b.Project+"/kind\n", "\n--- a/kind\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n",
			"modified: "+b.Project+"/large\n", "\n 30000\n+end\n",
			"\n--- /dev/null\n+++ b/link/f\n@@ -0,0 +1 @@\n+inside\n",
			"\nBinary files /dev/null and b/bin differ\n",
			"\n--- /dev/null\n+++ \"b/a\\nb/c\"\n@@ -0,0 +1 @@\n+odd\n",
			"added: "+b.Project+"/points\n  -> 1\n", "added: "+b.Project+"/pipe\n",
			"added: "+b.Project+"/holes\n  mode 100644\n  too large to be compared\n",
			"\n--- a/gone\n+++ /dev/null\n", "\n--- /dev/null\n+++ b/moved\n") {
			if strings.Count(diff, want) != 1 {
				b.Errorf("shown %d times: %s", strings.Count(diff, want), want)
			}
		}
		if strings.Contains(diff, "of the host") || strings.Contains(diff, "/dev/null\n+++ /dev/null") {
			b.Error(diff)
		}
	})
}

// TestStatus prints one line per cache, whatever the command has left in it.
func TestStatus(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		b.Set("GOMODCACHE=" + b.Home + "/two\nlines\u202e\x1b[2J")
		b.must(b.host("mkdir big; seq 99 | sed s#^#big/# | xargs touch"))
		b.must(b.inside(`cd "$GOMODCACHE"; echo new | tee $'\e[2J\u202e\n' f >/dev/null; mkfifo pipe; ln -s ~/big link; ln f other; truncate -s 1T holes
			mkdir -m 0 none; cd ~/.cache/go-build; mkdir -p a/b; for i in {1..300}; do echo x >a/b/$i; done`))
		status := b.must(b.sandbox("--sandbox-status"))
		if strings.Count(status, "\n") != 2 || strings.ContainsAny(status, "\x1b\u202e") {
			b.Errorf("not three lines of plain text: %q", status)
		}
		for _, want := range []string{`\nlines\342\200\256\E[2J': 4 files, `, b.Home + "/.cache/go-build: 300 files, "} {
			if !strings.Contains(status, want) {
				b.Errorf("the status lacks %s:\n%s", want, status)
			}
		}
		first := b.start("echo x >~/.cache/go-build/x; : >" + b.Project + "/done; sleep 300")
		harness.Eventually(b.T, "it has written", func() bool { return harness.Exists(b.Project + "/done") })
		if status := b.must(b.sandbox("--sandbox-status")); !strings.Contains(status, "go-build: 301 files, ") {
			b.Errorf("during a run: %s", status)
		}
		_ = first.Process.Kill()
		_ = first.Wait()
		b.must(b.waited(func() harness.Result { return b.sandbox("--sandbox-discard") }))
		b.same("nothing is kept", b.must(b.sandbox("--sandbox-status")), "")
	})
}

// TestClosedPipe has a reader that has seen enough, or reads nothing: no launcher complains.
func TestClosedPipe(t *testing.T) {
	t.Parallel()
	for name, profile := range map[string]string{"caches": cached, "a session": sessions, "overlays": reviewed + listed} {
		t.Run(name, func(t *testing.T) {
			newest(t, profile, func(b *bench) {
				b.must(b.host("mkdir data"))
				b.must(b.inside("echo x | tee ~/go/pkg/mod/n ~/.cache/go-build/n"))
				for _, option := range []string{"--sandbox-status", "--sandbox-print true", "--sandbox-explain / /usr"} {
					if lines := b.must(b.host("cd code/p; ~/try " + option)); !strings.Contains(lines, "\n") {
						b.Errorf("%s prints %q to who reads it", option, lines)
					}
					for _, reader := range []string{"head -0", "head -1 >/dev/null", "true"} {
						b.must(b.host("cd code/p; ~/try " + option + " | " + reader))
					}
				}
			})
		})
	}
}
