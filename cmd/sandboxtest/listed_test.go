package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestListed: what the profile names as read-only by a path of the host is so,
// too, where the project holds it, and what lies above it stays.
func TestListed(t *testing.T) {
	t.Parallel()
	attack(t, `extends = ["default"]
[filesystem]
read = ["$P/a/file", "~/code/p/b", "$P/sub/none?"]
write = ["~/code/other"]`, []row{
		{name: "a file", do: `echo x >>a/file`, denied: held},
		{name: "above it", do: `mv a made-a`, denied: held, control: copied(`mv a made-a`)},
		{name: "a directory", do: `touch b/made-x`, denied: held},
		{name: "another project", do: `cat ../other/file`, says: `^another project$`},
		{name: "beside it", do: `touch a/made-x sub/made-x`},
	}, func(t *testing.T, l *launcher) { l.Give(t, l.Top) })
}

// TestListedRepository: what git outside would run of a repository that the profile
// has writable cannot be changed, and git works there.
func TestListedRepository(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `cd "$H/code/other" && git init -q && git add . && git commit -qm first && rm -rf .git/hooks && git worktree add -q "$H/code/linked" && mkdir .git/hooks "$H/code/plain"`)
		l := w.launch(t, `extends = ["default"]
[filesystem]
write = ["~/code/other", "~/code/linked", "~/code/plain"]`)
		w.Give(t, w.Top)
		l.Run(t, "bash", "-c", `cd ../other && echo x >>file && git commit -qam second && exec 2>/dev/null
			git config core.fsmonitor evil || touch .git/hooks/made-x || mv .git made-git || echo x >../linked/.git || mv ../linked/.git ../linked/made-git || echo held`).Expect(t, "a writable repository", 0, "held\n")
		l.shell(t, `cd ../other && git log --format=%s | grep -qx second && ! grep fsmonitor .git/config && test -z "$(ls .git/hooks)" && git -C ../linked status -s`)
		r := l.Run(t, "sh", "-c", "cd ../other && echo ../evil >.git/commondir && mkdir ../plain/.git")
		l.shell(t, `cd ../other && test ! -e .git/commondir && git status -s`)
		if !strings.Contains(r.Stderr, "/.git/commondir, which") {
			t.Errorf("a planted common directory: %q", r.Stderr)
		}
	})
}

// TestListedSettings: git's own settings are not changed from a project that
// holds them.
func TestListedSettings(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		w.Write(t, map[string]string{"home/.config/git/config": "[user]\n", "home/.config/git/other": "ours\n"})
		w.shell(t, `cd "$H/.config/git" && git init -q`)
		w.Give(t, w.Top)
		l.Dir += "/../../.config/git"
		r := l.Run(t, "sh", "-c", "echo x >>other; cat other; echo x >>config")
		if r.Status == 0 || r.Stdout != "ours\nx\n" {
			t.Errorf("%d, %q: %s", r.Status, r.Stdout, r.Stderr)
		}
		if got := harness.Read(t, w.Home+"/.config/git/config"); got != "[user]\n" {
			t.Errorf("git's settings: %q", got)
		}
	})
}

// TestListedOtherwise: a project is refused that the profile shows in another way, and
// one that holds a view. What else is shown otherwise in it is so there, too.
func TestListedOtherwise(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ entry, shown string }{
		{`overlay = ["$P/a"]`, ""}, {`overlay = ["$P"]`, ""}, {`empty = ["$P"]`, ""}, {`read = [{ path = "$O", at = "$P" }]`, ""},
		{`empty = ["$P/a"]`, "made-x\n"}, {`empty = ["~/code/p/none?"]`, "file\nmade-x\n"}, {`read = [{ path = "$O", at = "$P/a" }]`, "directory\nfile\nsock\n"},
	} {
		harness.Ends(t, func(t *testing.T, s harness.Setting) {
			w := newWorld(t, s)
			w.Give(t, w.Top)
			l := w.launch(t, "extends = [\"default\"]\n[filesystem]\n"+test.entry)
			if r := l.Run(t, "sh", "-c", "touch a/made-x 2>/dev/null; ls a"); test.shown == "" {
				r.Refused(t, test.entry, "refusing to share "+l.Project)
			} else {
				r.Expect(t, test.entry, 0, test.shown)
			}
			if got, want := harness.Exists(filepath.Join(w.Project, "a/made-x")), strings.Contains(test.entry, "none"); got != want {
				t.Errorf("%s: made on the host: %v, want %v", test.entry, got, want)
			}
			l.Dir += "/../other"
			l.Run(t, "cat", "file").Expect(t, test.entry+", in another project", 0, "another project\n")
		})
	}
}

// TestListedAbsent: what may be absent from the project keeps no second sandbox
// from starting.
func TestListedAbsent(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]
[filesystem]
read = ["$P/none?", "./nor?"]
write = ["$P/neither?"]`)
		other := l.waits(t)
		l.Run(t, "echo", "ran").Expect(t, "beside another", 0, "ran\n")
		if got := other.end(t); got != 0 {
			t.Errorf("the other sandbox: %d", got)
		}
	})
}

// TestListedEmpty: in the host's home an empty directory needs a place to stand: the
// launcher says so, and one that is optional stands where there is one.
func TestListedEmpty(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]
			home.mode = "host"
			[filesystem]
			base  = "host"
			empty = ["~/place", "~/place/below", "~/there?", "~/none?"]`)
		l.Run(t, "true").Refused(t, "no place", "there is no "+w.Home+"/place to mount something on", "the profile names it in filesystem.empty")
		w.Write(t, map[string]string{"home/place/file": "x", "home/there/file": "x"})
		w.Give(t, w.Home)
		l.Run(t, "bash", "-c", `ls ~/place ~/there && touch ~/place/{,below/}made ~/there/made && test ! -e ~/none && echo made`).Expect(t, "empty directories", 0, w.Home+"/place:\nbelow\n\n"+w.Home+"/there:\nmade\n")
		l.shell(t, `test ! -e "$H/place/made" && test ! -e "$H/place/below" && test ! -e "$H/there/made"`)
	})
}

// TestListedWithin: what the profile makes writable by its place in the project
// does not uncover what is protected below that.
func TestListedWithin(t *testing.T) {
	t.Parallel()
	attack(t, `extends = ["default"]
[project]
protect = ["a/deep/er", "b/none/", "sub/.git/config"]
[filesystem]
write = ["./.git", "./a", "./a/deep/er/out", "./b?", "./sub"]`, []row{
		{name: "a protected directory", do: `touch a/deep/er/made-x`, denied: held},
		{name: "above it", do: `mv a/deep made-deep`, denied: held, control: copied(`mv a/deep made-deep`)},
		{name: "an absent name", do: `mkdir b/none`, denied: `File exists`, control: none},
		{name: "below that", do: `touch b/none/made-x`, denied: held, control: none},
		{name: "a hook", do: `touch .git/hooks/made-x`, denied: held},
		{name: "git's settings", do: `echo x >>.git/config`, denied: held, control: copied(`echo x >>.git/config`)},
		{name: "a file", do: `echo x >>sub/.git/config`, denied: held, control: copied(`echo x >>sub/.git/config`)},
		{name: "the launcher", do: `echo x >>a/deep/L`, denied: held, control: none},
		{name: "writable below what is protected", do: `touch a/deep/er/out/made-x`},
		{name: "beside them", do: `touch a/made-x a/deep/made-x b/made-x sub/made-x && mv a/made-x a/deep/made-y`},
	}, func(t *testing.T, l *launcher) {
		l.shell(t, `mkdir -p a/deep/er/out && if [ -e "$H/../L" ]; then mv "$H/../L" a/deep/L; fi`)
		l.Program = l.Project + "/a/deep/L"
		l.Give(t, l.Top)
	})
}

// TestListedLink: a link stands where the profile makes something of the project
// writable or empty. Nothing is mounted at it, and it is not passed over.
func TestListedLink(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{`write = ["./to-a?"]`, `write = ["./to-a!"]`, `empty = ["./to-a"]`} {
		for _, access := range []string{"write", "read"} {
			harness.Ends(t, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\nproject.access = \""+access+"\"\n[filesystem]\n"+entry)
				w.shell(t, "mkdir to-a")
				w.Give(t, w.Top)
				l.Run(t, "sh", "-c", "touch to-a/made && echo made").Expect(t, access+", control: "+entry, 0, "made\n")
				w.shell(t, "rm -r to-a && ln -s a to-a")
				l.Run(t, "echo", "ran").Refused(t, access+": "+entry, "to-a", "it is a symbolic link")
			})
		}
	}
}

// TestListedMade: what the profile wants made in the project is not made where a link
// leads that a command has left there.
func TestListedMade(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]
[filesystem]
write = ["./sub/made/deep!", { path = "./sub/made/file", create = true, content = "x" }]`)
		w.shell(t, `mkdir -p sub/made`)
		w.Give(t, w.Top)
		l.Run(t, "cat", "sub/made/file").Expect(t, "control", 0, "x")
		w.shell(t, `rm -r sub && ln -s "$O" sub && mkdir "$O/made"`)
		w.Give(t, w.Top)
		l.Run(t, "echo", "ran").Refused(t, "behind a link", "in a directory behind one")
		w.shell(t, `test -z "$(ls "$O/made")"`)
	})
}

// TestListedMadeView: a directory of which the profile shows a view is made on the host where it
// is absent, and what is written to the view is not there.
func TestListedMadeView(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[filesystem]\noverlay = [\"~/made!\"]")
		l.Run(t, "sh", "-c", "echo x >~/made/x && cat ~/made/x").Expect(t, "a view", 0, "x\n")
		w.shell(t, `[ -d "$H/made" ] && [ ! -e "$H/made/x" ]`)
	})
}

// TestListedScratch: what is to be empty in the project has to be there. Without it the
// command would write to the host, where the profile says that it does not.
func TestListedScratch(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[filesystem]\nempty = [\"./scratch\"]")
		l.Run(t, "sh", "-c", "echo x >scratch").Refused(t, "an absent one", "there is no "+w.Project+"/scratch", "write ./scratch? there if it is optional")
		w.shell(t, "mkdir scratch")
		w.Give(t, w.Top)
		l.Run(t, "sh", "-c", "echo x >scratch/made && cat scratch/made").Expect(t, "control", 0, "x\n")
		w.shell(t, "! [ -e scratch/made ]")
		w.launch(t, "extends = [\"default\"]\n[filesystem]\nempty = [\"./nothing?\"]").Run(t, "echo", "ran").Expect(t, "an optional one", 0, "ran\n")
	})
}

// TestListedLauncher: a launcher stays protected in a writable directory of a project that is not
// writable otherwise.
func TestListedLauncher(t *testing.T) {
	t.Parallel()
	for _, access := range []string{"read", "overlay"} {
		harness.Ends(t, func(t *testing.T, s harness.Setting) {
			w := newWorld(t, s)
			l := w.launch(t, "extends = [\"default\"]\nproject.access = \""+access+"\"\nfilesystem.write = [\"./a\"]")
			w.shell(t, `mkdir a/bin && mv "$H/../L" a/bin/L && cp a/bin/L "$O/L"`)
			l.Program = w.Project + "/a/bin/L"
			w.Give(t, w.Top)
			l.Run(t, "sh", "-c", "touch a/bin/made-x && ! { echo evil >>a/bin/L || rm -f a/bin/L || mv a/bin a/old; } 2>/dev/null && echo tried").Expect(t, access, 0, "tried\n")
			w.shell(t, `cmp a/bin/L "$O/L" && test -e a/bin/made-x`)
		})
	}
}
