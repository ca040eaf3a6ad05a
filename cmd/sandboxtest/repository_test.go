package sandboxtest

import (
	"path/filepath"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestRepositoryShared: of a submodule no more than its own repository is shared,
// whatever the directories above are called, and of a work tree its repository.
func TestRepositoryShared(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, linkedModules)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		for _, place := range []string{"super/worktrees/a module", "linked/worktrees/a module", "linked"} {
			l.Dir = filepath.Join(w.Home, "worktrees", place)
			l.Run(t, "bash", "-c", `ls -d ~/.ssh ~/code ~/worktrees/super/file; touch ~/made "$(git rev-parse --git-common-dir)"/{hooks/made,config}
				echo x >made && git add made && git commit -qm "in $PWD" && git log -1 --format=%s`).Expect(t, place, 0, "in "+l.Dir+"\n")
			w.shell(t, `ls -d ~/.ssh ~/code ~/worktrees/super/file && [ ! -e ~/made ] && [ -z "$(find ~ -path '*/hooks/made')" ]`)
			if made := w.shell(t, "git -C '"+l.Dir+"' log -1 --format=%s"); made != "in "+l.Dir+"\n" {
				t.Errorf("%s: outside the last commit is %q", place, made)
			}
		}
	})
}

// linkedModules makes a repository with a submodule and a linked work tree, in a
// directory that is called as the place where git keeps such.
const linkedModules = `add='git -c protocol.file.allow=always submodule --quiet'
	git init -q ~/source && git -C ~/source commit -qm first --allow-empty
	mkdir -p ~/worktrees/super && cd ~/worktrees/super && git init -q && echo x >file && git add file
	$add add ~/source 'worktrees/a module' && git commit -qm super
	git worktree add -q ../linked && cd ../linked && $add update --init`

// TestRepositoryMadeUp: a file .git and what it leads to, which a command has
// made in its project, give it nothing of what lies above the project.
func TestRepositoryMadeUp(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `for d in ~/worktrees ~/code/worktrees; do
			mkdir -p $d/made && cd $d && echo 'gitdir: made' >.git && echo $d/.git >made/gitdir && echo ../.. >made/commondir; done
			mkdir ~/code/empty && echo "gitdir: $O" >~/code/empty/.git
			cp -r "$P"/.git/{HEAD,objects} ~
			git -C "$P" worktree add -q ~/code/linked && mkdir ~/code/copied && cp ~/code/linked/.git ~/code/copied
			mkdir -p ~/code/bare.git/tree/made && cp -r ~/{HEAD,objects} ~/code/bare.git && cd ~/code/bare.git/tree && echo 'gitdir: made' >.git && echo $PWD/.git >made/gitdir`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		for _, name := range []string{"worktrees", "code/worktrees", "code/copied", "code/empty"} {
			l.Dir = filepath.Join(w.Home, name)
			l.Run(t, "true").Refused(t, name, "refusing the repository ")
		}
		l.Dir = filepath.Join(w.Home, "code/bare.git/tree")
		l.Run(t, "sh", "-c", "touch made/x && ! touch ../x").Succeeds(t, "in a repository that it does not belong to")
		w.shell(t, `cd ~/code/bare.git && [ -e tree/made/x ] && [ ! -e x ]`)
	})
}

// TestRepositoryMore: a file .git leads to no directory that a command has made look
// like a repository, and that holds more: the project above, an agent's own, what
// the profile shows. None of it is read there or changed.
func TestRepositoryMore(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `mkdir -p d ~/.agent ~/notes ~/code/apart ~/code/tree.git/.git && echo secret | tee seen ~/.agent/seen ~/notes/seen ~/code/apart/seen ~/code/tree.git/seen`)
		w.Give(t, w.Top)
		const notes = "\nfilesystem.write = [\"~/notes\"]"
		for place, shared := range map[string]string{w.Project: "", w.Home + "/.agent": "", w.Home + "/notes": notes, w.Home + "/code/apart": "", w.Home + "/code/tree.git": ""} {
			l := w.launch(t, "extends = [\"default\"]\nfilesystem.write = [\"~/notes\", \"~/code/apart\", \"~/code/tree.git\", { path = \"~/.agent\", why = \"its own\" }]")
			l.Run(t, "sh", "-c", `rm -rf d/.git && mkdir -p "$0/objects" "$0/worktrees/w" && echo x >"$0/HEAD" && echo "gitdir: $0/worktrees/w" >d/.git && echo "$PWD/d/.git" >"$0/worktrees/w/gitdir"`, place).Succeeds(t, place)
			for _, profile := range []string{"default", "look"} {
				l = w.launch(t, "extends = [\""+profile+"\"]"+shared)
				l.Dir = w.Project + "/d"
				r := l.Run(t, "sh", "-c", `cat "$0/seen"`, place)
				switch {
				case place == w.Home+"/code/apart":
					r.Expect(t, "the control", 0, "secret\n")
				case profile == "default":
					r.Refused(t, place, "refusing the repository "+place+": an earlier command may have created it", "check "+l.Dir+"/.git")
				case shared == "" && r.Status == 0:
					t.Errorf("%s can be read: %s", place, r.Stdout)
				}
			}
		}
		w.shell(t, `rm -rf .git && echo "gitdir: $P/worktrees/w" >d/.git`)
		l := w.launch(t, `extends = ["default"]`)
		l.Dir = w.Project + "/d"
		l.Run(t, "true").Refused(t, "a project that is no repository", "refusing the repository "+w.Project+": an earlier command may have created it", "check "+l.Dir+"/.git")
	})
}

// TestRepositoryAround: where a work tree lies in its repository, what stands there
// for the host is held as in the project, and so are other work trees.
func TestRepositoryAround(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `git init -q ~/source && git -C ~/source commit -qm first --allow-empty && for name in bare tree.git; do git clone -q --bare ~/source ../$name
			cd ../$name && git worktree add -q one && git worktree add -q two && mkdir .vscode && echo x | tee .envrc .vscode/tasks.json two/file; done`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		l.Dir = filepath.Join(w.Home, "code/tree.git/one")
		l.Run(t, "true").Succeeds(t, "by another name")
		l.Dir = filepath.Join(w.Home, "code/bare/one")
		l.Run(t, "bash", "-c", `echo made >file && git add file && git commit -qm second && touch ../made && cat ../made file
			for file in ../.envrc ../.vscode/tasks.json ../config ../two/file; do echo y >"$file" && echo "$file"; done 2>/dev/null
			mv ../two ../three 2>/dev/null; mv ../.vscode ../v 2>/dev/null; ls -d ../three ../v 2>/dev/null; :`).Expect(t, "inside", 0, "made\n")
		w.shell(t, `cd ../bare && [ -e made ] && for file in .envrc .vscode/tasks.json config two/file; do echo y >"$file"; done && mv two three && mv .vscode v`)
	})
}

// TestRepositoryPipes: pipes in the place of what tells of a repository keep neither a
// launcher from ending nor the next one from starting, or from saying why it does not.
func TestRepositoryPipes(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `mkdir ~/plain`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		l.Dir = filepath.Join(w.Home, "plain")
		next := func(what string) {
			t.Helper()
			if r := l.Run(t, "true"); r.Status != 0 {
				r.Refused(t, what)
			}
		}
		for _, name := range []string{"x/worktrees/w/gitdir", "w/config"} {
			w.shell(t, `rm -rf ~/plain/.git* ~/plain/*`)
			l.Run(t, "sh", "-c", `mkdir -p "${0%/*}" && mkfifo "$0" && echo "gitdir: ${0%/*}" >.git`, name).Succeeds(t, name)
			next(name)
		}
		l.Dir = w.Project
		l.Run(t, "sh", "-c", `mkdir -p objects refs .git/worktrees/w .git/sequencer && mkfifo HEAD .git/worktrees/w/gitdir .git/sequencer/opts`).Succeeds(t, "names of git's own")
		next("names of git's own, the next time")
	})
}

// TestRepositoryInProject: a repository that is the project, or that its file .git
// leads to, is held as any other, and otherwise works.
func TestRepositoryInProject(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `git init -q ~/source && git -C ~/source commit -qm first --allow-empty
			git clone -q --bare ~/source ../bare && mkdir -p ../beside ../bare/hooks && git clone -q --bare ~/source ../beside/.bare
			cd ../beside && echo 'gitdir: ./.bare' >.git && git worktree add -q tree && rm -rf .bare/hooks
			mkdir ~/.tree && cp -a .bare ~/.tree/own && echo 'gitdir: own' >~/.tree/.git`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		for _, name := range []string{"bare", "beside", "../.tree"} {
			l.Dir = filepath.Join(w.Home, "code", name)
			l.Run(t, "bash", "-c", `cd "$(git rev-parse --git-dir)" && git branch made && touch made && git branch --list made
				! mv config c 2>/dev/null && ! touch hooks/made 2>/dev/null && ! mv hooks h 2>/dev/null && ! git config core.pager made 2>/dev/null`).Expect(t, name, 0, "  made\n")
			w.shell(t, `cd ../`+name+` && cd "$(git rev-parse --git-dir)" && [ -e made ] && mkdir -p hooks && touch hooks/made && git config core.pager made && mv hooks h && mv config c`)
		}
	})
}

// TestRepositoryRead: git tells of a work tree and of a submodule where nothing
// can be changed, too.
func TestRepositoryRead(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, linkedModules)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["look"]`)
		for _, place := range []string{"super/worktrees/a module", "linked/worktrees/a module", "linked"} {
			l.Dir = filepath.Join(w.Home, "worktrees", place)
			want := w.shell(t, "git -C '"+l.Dir+"' log -1 --format=%s")
			l.Run(t, "bash", "-c", `ls -d ~/.ssh; touch "$(git rev-parse --git-common-dir)/made"; git commit -q --allow-empty -m made; git status --short; git log -1 --format=%s`).Expect(t, place, 0, want)
			w.shell(t, `ls -d ~/.ssh && [ -z "$(find ~ -name made)" ] && touch "$(git rev-parse --git-common-dir)/control"`)
		}
	})
}

// TestRepositoryNames: what is called as the parts of a repository, and is none,
// is as writable as the rest, and what would make it one is named.
func TestRepositoryNames(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `mkdir objects refs ../new ../new/objects ../new/refs`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		r := l.Run(t, "sh", "-c", `touch objects/made refs/made HEAD && echo made`)
		r.Expect(t, "in a repository", 0, "made\n")
		if r.Stderr != "" {
			t.Errorf("in a repository it says %q", r.Stderr)
		}
		l.Dir = filepath.Join(filepath.Dir(w.Project), "new")
		r = l.Run(t, "sh", "-c", `touch objects/made refs/made HEAD && mkdir hooks && rm -r objects refs && echo made`)
		r.Expect(t, "elsewhere", 0, "made\n")
		r.Says(t, "the command created "+l.Dir+"/HEAD, ")
		l.Run(t, "mkdir", "objects", "refs").Says(t, "the command created "+l.Dir+"/objects, ").Says(t, "the command created "+l.Dir+"/refs, ")
	})
}

// TestRepositoryInBare: what a command has made to be a repository in one that has no
// files is named.
func TestRepositoryInBare(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `cp -r .git ../bare && git --git-dir ../bare config core.bare true`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		l.Dir = filepath.Join(filepath.Dir(w.Project), "bare")
		r := l.Run(t, "bash", "-c", `cp -r . /tmp/r && cp -r /tmp/r .git`)
		r.Says(t, "the command created "+l.Dir+"/.git, which")
	})
}

// TestRepositoryMoved: where project and home stand elsewhere, a work tree still
// has its repository where its file .git says.
func TestRepositoryMoved(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, linkedModules)
		w.Give(t, w.Top)
		for _, access := range []string{"write", "read"} {
			l := w.launch(t, "extends = [\"default\"]\nproject = { at = \"/workspace\", access = \""+access+"\" }\nhome = { at = \"/home/sandbox\" }")
			l.Dir = filepath.Join(w.Home, "worktrees/linked")
			l.Run(t, "bash", "-c", `ls -d "$1/.ssh"; touch "$(git rev-parse --git-common-dir)"/{hooks/made,config}
				git commit -q --allow-empty -m made || git log -1 --format=%s --grep=made; pwd`, "-", w.Home).Expect(t, access, 0, map[string]string{"write": "/workspace\n", "read": "made\n/workspace\n"}[access])
			w.shell(t, `ls -d ~/.ssh && [ -z "$(find ~ -path '*/hooks/made')" ] && cd ~/worktrees/linked && [ "$(git log -1 --format=%s)" = made ]`)
		}
	})
}
