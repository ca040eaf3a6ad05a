package sandboxtest

import (
	"path/filepath"
	"testing"

	"bwrapgen/cmd/harness"
)

const held = `Read-only file system|busy|EBUSY|EROFS`

// TestGit: what git would run outside cannot be changed, and git works.
func TestGit(t *testing.T) {
	t.Parallel()
	layouts(t, "", []row{
		{name: "B1 append to the config", do: `echo '[core] hooksPath = /tmp' >>.git/config`, denied: held},
		{name: "B1 replace the config", do: `cp .git/config made-c && mv -f made-c .git/config`, denied: held},
		{name: "B2 create a hook", do: `touch .git/hooks/made-hook`, denied: held},
		{name: "B2 change a hook", do: `echo evil >>.git/hooks/pre-commit`, denied: held},
		{name: "B4 move .git", do: `"$inside" try rename .git .gx`, denied: held, control: `cp -a . ../copy && cd ../copy && mv .git .gx`},
		{name: "B4 move hooks", do: `mv .git/hooks .git/made-h`, denied: held, control: `cp -a . ../copy2 && cd ../copy2 && mv .git/hooks .git/made-h`},
		{name: "B4 exchange .git", do: `mkdir -p made-x/hooks && "$inside" try exchange .git made-x`, denied: held, control: `cp -a . ../copy3 && cd ../copy3 && mkdir -p made-x && "$inside" try exchange .git made-x`},
		{name: "B5 remove the directory of hooks", do: `rm -rf .git/hooks`, denied: held, control: `cp -a . ../copy4 && cd ../copy4 && rm -rf .git/hooks`},
		{name: "B9 detach the mounts in a namespace of one's own", do: `"$inside" try detach-rename "$P"`, denied: `EPERM|ENOSPC|not permitted|No space`, control: `cp -a . ../copy5 && "$inside" try detach-rename "$H/code/copy5"`},
		{name: "B9 the same by unshare(1)", do: `unshare -Urm true`, denied: `not permitted|No space`},
		{name: "move the project", do: `mv "$P" "$P-moved"`, denied: held + `|Permission denied`, control: `cp -a . ../copy6 && mv ../copy6 ../copy7`},
		{name: "hard link to the config", do: `ln .git/config made-hard && echo x >>made-hard`, denied: `cross-device|` + held},
		{name: "B10 add, commit", do: `echo x >made-x1 && git add made-x1 && git commit -qm second --no-verify && git log --oneline`, says: `second`},
		{name: "B10 stash", do: `echo y >>file && git stash -q && git stash pop -q && git checkout -q file`},
		{name: "B10 checkout -b", do: `git checkout -q -b made && git checkout -q main && git branch -D made`},
		{name: "B21 git config", do: `git config user.x y`, denied: held + `|could not (lock|write)|cannot`, control: `cp -a . ../copy8 && cd ../copy8 && git config user.x y`},
		{name: "B21 no lock is left", do: `test ! -e .git/config.lock`},
		{name: "B20 git init", do: `git init made-repository && ls made-repository/.git/hooks made-repository/.git/config`},
		{name: "a repository made inside commits", do: `cd made-repository && git commit -qm first --allow-empty`},
	})
}

// TestGitRemoved: what is held survives the removal of everything else.
func TestGitRemoved(t *testing.T) {
	t.Parallel()
	layouts(t, "", []row{
		{name: "B5 remove .git", do: `rm -rf .git`, denied: held, control: `cp -a . ../copy && cd ../copy && rm -rf .git`},
		{name: "B5 move what is left", do: `mv .git made-git`, denied: held, control: `cp -a . ../copy2 && cd ../copy2 && mv .git made-git`},
		{name: "B5 make it again", do: `mkdir .git/hooks`, denied: `File exists`, control: none},
	})
}

// TestGitWorktree: B11 and 34, in a linked worktree of a repository elsewhere.
func TestGitWorktree(t *testing.T) {
	t.Parallel()
	layouts(t, "", []row{
		{name: "B11 status", do: `cd ../linked && git status --short`},
		{name: "B11 commit", do: `cd ../linked && echo x >x && git add x && git commit -qm in-worktree && git log --oneline`, says: `in-worktree`},
		{name: "B11 the file .git", do: `cd ../linked && echo "gitdir: /tmp" >.git`, denied: held, control: `cp -a . ../copy && cd ../copy && rm -rf .git && echo "gitdir: /tmp" >.git`},
		{name: "B11 where the worktree's directory points to", do: `echo /tmp >../p/.git/worktrees/linked/commondir`, denied: held},
		{name: "B11 a hook of the common directory", do: `touch ../p/.git/hooks/made-hook`, denied: held},
		{name: "B11 the config of the common directory", do: `echo x >>../p/.git/config`, denied: held},
	}, worktree)
}

func worktree(t *testing.T, l *launcher) {
	l.shell(t, `git worktree add -q ../linked -b linked`)
	l.Give(t, l.Home)
	l.Dir = l.linked()
}

// linked is the other work tree of the project's repository.
func (w world) linked() string { return filepath.Join(filepath.Dir(w.Project), "linked") }

// TestGitSubmodule: 34, in a superproject with a submodule.
func TestGitSubmodule(t *testing.T) {
	t.Parallel()
	layouts(t, "", []row{
		{name: "34 status", do: `git status --short && cd module && git status --short`},
		{name: "34 commit in the submodule", do: `cd module && echo x >x && git add x && git commit -qm in-module`},
		{name: "34 a hook of the submodule", do: `mkdir -p .git/modules/module/hooks && touch .git/modules/module/hooks/made-hook`, denied: held},
		{name: "34 the config of the submodule", do: `echo x >>.git/modules/module/config`, denied: held},
		{name: "34 a hook of the superproject", do: `touch .git/hooks/made-hook`, denied: held},
		{name: "34 move the modules", do: `mv .git/modules .git/made-modules`, denied: held, control: `cp -a . ../copy && cd ../copy && mv .git/modules .git/made-modules`},
	}, submodule)
}

func submodule(t *testing.T, l *launcher) {
	l.shell(t, `git -C ../other init -q && git -C ../other commit -qm first --allow-empty
		git -c protocol.file.allow=always submodule --quiet add ../other module && git commit -qm module
		mkdir -p .git/modules/module/hooks`)
	l.Give(t, l.Home)
}

// TestGitIsFile: B12, where .git is a file that leads nowhere.
func TestGitIsFile(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `rm -rf .git && echo 'gitdir: /nowhere/at/all' >.git`)
		if r := l.Run(t, "sh", "-c", `echo x >made-x && echo launched`); r.Stdout != "launched\n" && r.Status != 125 {
			t.Errorf("status %d: %s%s", r.Status, r.Stdout, r.Stderr)
		}
	})
}

// TestGitNested: B7 and B14, a repository inside the project.
func TestGitNested(t *testing.T) {
	t.Parallel()
	layouts(t, "[project]\nprotect = [\"sub/.git/hooks\", \"sub/.git/config\"]", []row{
		{name: "B7 move the directory above", do: `mv sub sub2`, denied: held, control: `cp -a . ../copy && cd ../copy && mv sub sub2`},
		{name: "B7 move its .git", do: `mv sub/.git sub/.gx`, denied: held, control: `cp -a . ../copy2 && cd ../copy2 && mv sub/.git sub/.gx`},
		{name: "B14 a hook", do: `touch sub/.git/hooks/made-hook`, denied: held},
		{name: "B14 the config", do: `echo x >>sub/.git/config`, denied: held},
		{name: "B14 git works there", do: `cd sub && echo x >made-y && git add made-y && git commit -qm second --no-verify`},
	})
}

// TestProtect: B8 and what a profile protects besides, where home is empty.
func TestProtect(t *testing.T) {
	t.Parallel()
	layouts(t, protecting, protectedRows())
}

const protecting = "[project]\nprotect = [\".envrc\", \".vscode\", \".git/hooks\", \".git/config\"]\n"

func protectedRows() []row {
	return []row{
		{name: "B8 move .git", do: `mv .git .gx`, denied: held, control: `cp -a . ../copy && cd ../copy && mv .git .gx`},
		{name: "a file", do: `echo x >>.envrc`, denied: held},
		{name: "a file, replaced", do: `echo x >made-e && mv -f made-e .envrc`, denied: held},
		{name: "a file, removed", do: `rm -f .envrc`, denied: held, control: `cp -a . ../copy2 && rm -f ../copy2/.envrc`},
		{name: "a directory", do: `echo x >>.vscode/tasks.json`, denied: held},
		{name: "a directory, a new file", do: `touch .vscode/made-x`, denied: held},
		{name: "a directory, moved", do: `mv .vscode made-v`, denied: held, control: `cp -a . ../copy3 && cd ../copy3 && mv .vscode made-v`},
		{name: "the project is writable", do: `echo x >>file`},
	}
}

// TestGitAbsentHooks: B3, where the directory of hooks is not there.
func TestGitAbsentHooks(t *testing.T) {
	t.Parallel()
	layouts(t, "", []row{
		{name: "B3 create a hook", do: `mkdir -p .git/hooks && touch .git/hooks/pre-commit`, denied: held + `|not permitted|Permission denied`},
	}, func(t *testing.T, l *launcher) { l.shell(t, `rm -rf .git/hooks`) })
}
