package sandboxtest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// outside gives the user's git other settings, in files of their own.
const outside = `
	printf '%s\n' '[core]' 'excludesFile = ~/.ignored' 'hooksPath = ~/checks' \
		"[includeIf \"gitdir:$P/\"]" 'path = .at-work' '[include]' 'path = ~/.git-credentials' >>~/.gitconfig
	printf '[user]\nemail = work@example.org\n' >~/.at-work
	mkdir -p ~/.config/git && printf '[include]\npath = ../../more\n' >~/.config/git/config && printf '[x]\ny = z\n' >~/more
	echo '[user]' >~/.git-credentials
	echo key.env >~/.ignored
	mkdir ~/checks && printf '#!/bin/sh\n! git diff --cached --name-only | grep bad\n' >~/checks/pre-commit && chmod +x ~/checks/pre-commit`

// TestGitOutside: git inside knows the author, the ignored files and the hooks that it
// knows outside, and can change none of the files in which they stand.
func TestGitOutside(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, outside)
		w.Give(t, w.Top)
		for _, profile := range []string{"", "filesystem.base = \"host\"\nhome.mode = \"empty\"\n", "filesystem.base = \"host\"\n"} {
			l := w.launch(t, "extends = [\"default\"]\n"+profile)
			r := l.Run(t, "bash", "-c", `touch key.env bad good
				git config user.email; git config x.y; git status --short key.env good
				git add good && git commit -qm good && git add bad && ! git commit -qm bad 2>&1 && git reset -q --hard HEAD^
				for f in ~/.ignored ~/.at-work ~/checks/pre-commit; do ! echo x 2>/dev/null >>$f || echo "changed $f"; done
				! cat ~/.git-credentials 2>/dev/null || [ ! -s ~/.git-credentials ] || echo read`)
			r.Expect(t, profile, 0, "work@example.org\nz\n?? good\nbad\n")
			if strings.Contains(r.Stderr, "git uses") {
				t.Errorf("%s%s", profile, r.Stderr)
			}
			w.shell(t, `[ "$(grep -c . ~/.at-work)" = 2 ] && rm -f key.env bad good`)
		}
	})
}

// TestGitHook: a hook that starts the launcher sees what is to be committed.
func TestGitHook(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		w.shell(t, `git worktree add -q ../linked && printf '#!/bin/sh\n%s sh -c "git diff --cached --name-only; echo by \\$GIT_AUTHOR_NAME"\n' "${P%/*/*}"/L >.git/hooks/pre-commit
			sed -i "s|^[^#].*/L|`+l.Program+`|" .git/hooks/pre-commit`)
		w.Give(t, w.Top)
		program, err := exec.LookPath("git")
		if err != nil {
			t.Fatal(err)
		}
		git := l.Start
		git.Program, git.Environment = program, harness.With(l.Environment, "GIT_AUTHOR_NAME=Other")
		for _, git.Dir = range []string{w.Project, w.linked()} {
			for _, file := range []string{"file", "a/file"} {
				w.Put(t, filepath.Join(git.Dir, file), []byte("changed\n"))
			}
			w.Give(t, w.Top)
			git.Run(t, "commit", "-qm", "only one", "a/file").Ends(t, 0).Says(t, "a/file\nby Other\n")
			git.Run(t, "commit", "-qam", "the other").Ends(t, 0).Says(t, "file\nby Other\n")
			if said := w.shell(t, "git -C '"+git.Dir+"' show --format= --name-only HEAD HEAD^"); said != "file\na/file\n" {
				t.Errorf("committed: %s", said)
			}
		}
	})
}

// TestGitBorrows: objects that a repository borrows are read where the profile shows them,
// and are not shown because a command has written where they are.
func TestGitBorrows(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `git init -q ~/code/borrows && echo "$P/.git/objects" >~/code/borrows/.git/objects/info/alternates
			git -C ~/code/borrows reset -q --hard "$(git rev-parse HEAD)"
			git -C ~/code/borrows worktree add -q ../beside
			git init -q ~/private && cd ~/private && echo secret >file && git add file && git commit -qm first`)
		w.Give(t, w.Top)
		shows := w.launch(t, "extends = [\"default\"]\nfilesystem.read = [\"$P/.git/objects\"]")
		for _, shows.Dir = range []string{w.Home + "/code/borrows", w.Home + "/code/beside"} {
			r := shows.Run(t, "sh", "-c", `git status --short && git commit -qm inside --allow-empty && git show HEAD^:file
				! touch "$0"/made 2>/dev/null`, w.Project+"/.git/objects")
			r.Expect(t, "borrowed objects", 0, "project\n")
			if r.Stderr != "" {
				t.Errorf("said: %s", r.Stderr)
			}
		}
		l := w.launch(t, `extends = ["default"]`)
		alternates := w.Project + "/.git/objects/info/alternates"
		plant := []string{"sh", "-c", `echo "$0" >` + alternates, w.Home + "/private/.git/objects"}
		l.Run(t, plant...).Ends(t, 0).Says(t, "the command created "+alternates+", which")
		w.shell(t, `[ ! -e .git/objects/info/alternates ]`)
		w.Put(t, alternates, []byte(w.Home+"/private/.git/objects\n"))
		w.Give(t, w.Top)
		commit := strings.TrimSpace(w.shell(t, `git -C ~/private rev-parse HEAD`))
		l.Run(t, "git", "show", commit).Ends(t, 128)
		if r := l.Run(t, plant...); r.Status == 0 {
			t.Error("what is there can be changed")
		}
		l = w.launch(t, "extends = [\"default\"]\nfilesystem.read = [\"~/private/.git/objects\"]")
		l.Run(t, "git", "show", commit+":file").Expect(t, "where the profile shows it", 0, "secret\n")
	})
}

// TestGitFilter: a filter that keeps large files apart, as git-lfs does, works in a project
// that may only be read.
func TestGitFilter(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `git config filter.lfs.required true
			git config filter.lfs.clean 'sh -c "d=\$(git config lfs.storage || echo .git/lfs); mkdir -p \$d/tmp && cat >\$d/tmp/x && sha1sum <\$d/tmp/x"'
			echo '*.bin filter=lfs' >.gitattributes; echo x >x.bin; git add . && git commit -qm large && touch -d 2001-02-03 x.bin`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["look"]`)
		l.Run(t, "git", "status", "--short", "x.bin").Expect(t, "unchanged", 0, "")
		w.shell(t, `echo y >x.bin`)
		l.Run(t, "git", "status", "--short", "x.bin").Expect(t, "changed", 0, " M x.bin\n")
	})
}
