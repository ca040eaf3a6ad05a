package sandboxtest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// everyday are commands of git that have to work: each is judged by itself, in
// the repository that is the working directory.
func everyday(at string) []row {
	in := func(do string) string { return `cd "` + at + `" && ` + do }
	const branch = `b=$(git symbolic-ref --short HEAD) && `
	return []row{
		{name: "B10 add, commit", do: in(`echo x >made-a && git add made-a && git commit -qm made-second && git log --oneline`), says: `made-second`},
		{name: "B10 stash", do: in(`echo y >>made-a && git stash -q && grep -qx x made-a && git stash pop -q && grep -qx y made-a && git checkout -q made-a && git status --short`)},
		{name: "B10 checkout -b", do: in(branch + `git checkout -q -b made-branch && echo z >made-z && git add made-z && git commit -qm z && git checkout -q "$b" && test ! -e made-z`)},
		{name: "rebase", do: in(branch + `echo w >made-w && git add made-w && git commit -qm w && git rebase -q made-branch && test -e made-z -a -e made-w`)},
		{name: "rebase -i", do: in(`GIT_SEQUENCE_EDITOR=: git rebase -q -i --exec 'touch made-done' HEAD~1 && test -e made-done`)},
		{name: "rebase that conflicts, and is given up", do: in(branch + `git checkout -q made-branch && echo v >made-w && git add made-w && git commit -qm v && ! git rebase -q "$b" && git rebase --abort && git checkout -q "$b"`)},
		{name: "fetch", do: in(`git fetch -q origin && git rev-parse -q --verify origin/main`)},
		{name: "rebase on what was fetched", do: in(`git rebase -q origin/main && test -e made-remote`)},
		{name: "a branch that follows another", do: in(branch + `git checkout -q -b made-following origin/main && git checkout -q "$b"`)},
		{name: "branch -D, tag, gc", do: in(`git branch -q -D made-branch && git tag "made-$RANDOM" && git gc -q && git fsck --no-dangling`)},
		{name: "no lock is left", do: in(`test -z "$(find "$(git rev-parse --git-dir)" "$(git rev-parse --git-common-dir)" -name '*.lock')"`)},
	}
}

// remote gives the project a remote that is one commit ahead.
const remote = `
	git init -q --bare ../remote.git && git remote add origin ../remote.git && git config remote.origin.url "$H/code/remote.git" && git push -q origin main
	git clone -q ../remote.git ../clone && cd ../clone && echo r >made-remote && git add made-remote && git commit -qm remote && git push -q origin main; cd "$P"
	rm -f .git/hooks/pre-commit
	`

const seesRemote = "extends = [\"default\"]\n[filesystem]\nread = [\"$H/code/remote.git?\"]"

// prepared runs a script on the host before each attack, and starts the launcher
// in a directory.
func prepared(script, dir string) func(t *testing.T, l *launcher) {
	return func(t *testing.T, l *launcher) {
		l.shell(t, script)
		l.Give(t, l.Top)
		l.Dir = l.expand(dir)
	}
}

// TestGitEveryday: B10, in a main checkout.
func TestGitEveryday(t *testing.T) {
	t.Parallel()
	attack(t, seesRemote, everyday("$P"), prepared(remote, "$P"))
}

// TestGitEverydayWorktree: B11, in a linked work tree, started there.
func TestGitEverydayWorktree(t *testing.T) {
	t.Parallel()
	attack(t, seesRemote, everyday("$P/../linked"), prepared(remote+`git worktree add -q ../linked -b linked`, "$P/../linked"))
}

const module = remote + `git -c protocol.file.allow=always submodule --quiet add -b main ../remote.git module && git commit -qm module
	git -C module reset -q --hard HEAD~1`

// TestGitEverydaySubmodule: 34, in a submodule, started in the superproject and
// in the submodule itself.
func TestGitEverydaySubmodule(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"$P", "$P/module"} {
		t.Run(dir, func(t *testing.T) { attack(t, seesRemote, everyday("$P/module"), prepared(module, dir)) })
	}
}

// TestGitSettings: what writes the repository's settings is for outside, as README
// says.
func TestGitSettings(t *testing.T) {
	t.Parallel()
	const cannot = `could not write config file`
	attack(t, seesRemote, []row{
		{name: "remote add", do: `git remote add made-remote /made`, denied: cannot},
		{name: "branch -m", do: `git branch made-old && git branch -m made-old made-new`, denied: cannot, control: `git branch made-a && git branch -m made-a made-b`},
		{name: "the first submodule update", do: `git -c protocol.file.allow=always submodule update --init`, denied: cannot},
	}, prepared(module+"\ngit submodule --quiet deinit -f module", "$P"))
}

// TestGitInit: B20, in a project that is no repository, and in a directory of it:
// hooks, settings and a commit. What was made of the project is named, and held in the
// next sandbox.
func TestGitInit(t *testing.T) {
	t.Parallel()
	for at, named := range map[string]bool{".": true, "made-new/er": false} {
		t.Run(at, func(t *testing.T) {
			harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, `extends = ["default"]`)
				l.shell(t, `rm -rf .git sub`)
				r := l.Run(t, "bash", "-c", `git init -q `+at+` && cd `+at+` && test -e .git/hooks/pre-commit.sample && git config user.made x && echo x >made-x && git add made-x && git commit -qm made-first && git log --format=%s`)
				r.Expect(t, "git init", 0, "made-first\n")
				if got := strings.Contains(r.Stderr, "/.git, which"); got != named {
					t.Errorf("it says: %s", r.Stderr)
				}
				if at == "." {
					l.Run(t, "bash", "-c", `git commit -q --allow-empty -m made-second && ! (echo x >>.git/config) && ! touch .git/hooks/made-hook`).Succeeds(t, "the next sandbox")
				}
				if got := l.shell(t, `cd `+at+` && ls .git/hooks | grep -v '\.sample$' || true; git log --format=%s | tail -1`); got != "made-first\n" {
					t.Errorf("on the host: %q", got)
				}
			})
		})
	}
}

// TestHeldCheckout: git inside cannot change a held file that is tracked, so that after a
// checkout its old text is what a commit takes. The file is named, whichever of both is left. A
// checkout that changes no such file, and one of what only builds read, are the controls.
func TestHeldCheckout(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `export GIT_COMMITTER_DATE=2026-01-01T00:00:00Z # not in the second in which a run begins
			echo 1 >.npmrc && git add .envrc .npmrc && git commit -q -m one
			git branch made-plain && git checkout -q -b made-other && echo 2 | tee .envrc .npmrc && git commit -q -a -m two
			git checkout -q made-plain && echo 2 >.npmrc && git commit -q -a -m three && git checkout -q main && git tag other made-other`)
		l.shell(t, `git worktree add -q ../linked -b linked`)
		l.Give(t, w.Top)
		l.shell(t, `echo 3 >.envrc && git commit -q -a -m outside`)
		l.Give(t, w.Top)
		if r := l.Run(t, "git", "commit", "-q", "--allow-empty", "-m", "made"); r.Stderr != "" {
			t.Errorf("after a commit outside, in the same second, it says %q", r.Stderr)
		}
		l.shell(t, `git reset -q --hard HEAD~2; sleep 1.1`) // in one second, commits on other branches are not told apart
		l.Give(t, w.Top)
		const says = "these protected files differ from HEAD, and git inside cannot update them: '.envrc';"
		for _, c := range []struct{ do, says string }{
			{`git checkout -q made-plain; echo more >>file; git commit -q -a -m made; cat .npmrc`, ""},
			{`git checkout -q made-other`, says},
			{`git checkout -q made-other; echo more >>file; git commit -q file -m made`, says},
		} {
			for branch, dir := range map[string]string{"main": l.Project, "linked": w.linked()} {
				l.Dir = dir
				r := l.Run(t, "bash", "-c", c.do+" 2>/dev/null", branch)
				if got := r.Stderr; c.says == "" && got != "" || !strings.Contains(got, c.says) {
					t.Errorf("%s: %s: it says %q, want %q", branch, c.do, got, c.says)
				}
				l.shell(t, `git -C `+dir+` checkout -q -f `+branch+` && git branch -q -f made-other other`)
				l.Give(t, w.Top)
			}
		}
	})
}
