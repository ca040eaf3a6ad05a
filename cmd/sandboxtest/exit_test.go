package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// exits are what a command leaves for the code that runs outside at its end,
// and for the next launch, and what becomes of it.
type exits struct {
	name    string
	outside string   // done on the host before
	inside  []string // done by one launch after the other
	says    []string // what the last one says
	not     string   // what it must not say
	then    string   // holds on the host afterwards: a script
}

// TestExit: B19, B23 and (5), names that were absent are named at the end
// whatever else is there, and what is done then touches nothing outside.
func TestExit(t *testing.T) {
	for i, c := range []exits{
		{name: "absent names", inside: []string{`mkdir .idea .claude .claude/commands; for n in .mcp.json .idea/x .claude/settings.json .claude/commands/x .bashrc .zshrc; do echo x >$n; done; rm -f .envrc 2>/dev/null; (echo x >>.vscode/tasks.json) 2>/dev/null; true`},
			outside: `rm -rf .idea .mcp.json .claude .bashrc`,
			says:    []string{"/.mcp.json: the command has made it", "/.idea: ", "/.claude: ", "/.bashrc: ", "/.zshrc: "}, not: ".vscode",
			then: `grep -q x .mcp.json && test "$(cat .vscode/tasks.json)" = '{}' && test "$(cat .envrc)" = envrc`},
		{name: "names by which a version manager or hg runs something", outside: `mkdir .hg mise && touch .hg/hgrc .tool-versions rust-toolchain.toml mise/config.toml`,
			inside: []string{`exec 2>/dev/null; for n in .hg/hgrc .tool-versions rust-toolchain.toml mise/config.toml; do echo x >>$n; rm -f $n; done; mv .hg made-h; touch rust-toolchain made-x`},
			says:   []string{"/rust-toolchain: the command has made it"}, not: ".toml",
			then: `test -e made-x && test -d .hg && cat .hg/hgrc .tool-versions rust-toolchain.toml mise/config.toml >made-all && test ! -s made-all`},
		{name: "names by which what works on a repository runs something", outside: `mkdir -p .jj/repo/store/git/hooks .roo && touch .jj/repo/store/git/config .jj/repo/store/git_target .Rprofile`,
			inside: []string{`exec 2>/dev/null; for n in .jj/repo/store/git/config .jj/repo/store/git/hooks/x .jj/repo/store/git_target .roo/mcp.json .Rprofile; do echo x >>$n; rm -f $n; done; mv .jj made-j; mv .jj/repo .jj/made; touch .git/lazygit.yml .lazygit.yml kilo.json .jj/made-x .jj/repo/store/git/commondir`},
			says:   []string{"/.git/lazygit.yml: the command has made it", "/.lazygit.yml: ", "/kilo.json: ", "/.jj/repo/store/git/commondir: "}, not: ".roo",
			then: `test -e .jj/made-x && cat .jj/repo/store/git/config .jj/repo/store/git_target .Rprofile >made-all && test ! -s made-all && test -z "$(ls .roo .jj/repo/store/git/hooks | grep -v :)" && test ! -e .jj/repo/store/git/commondir`},
		{name: "nothing", inside: []string{`echo x >made-x`}, not: "look at"},
		{name: "a directory whose name holds the names", inside: []string{`mkdir -p '.git/modules/x .mcp.json y/hooks'`, `echo x >.mcp.json`},
			says: []string{"/.mcp.json: "}},
		{name: "names with control bytes", inside: []string{`d=.git/modules/$(printf 'a\033]0;x\007\n\233b'); mkdir "$d"`, `cd .git/modules/a* && mkdir hooks`},
			outside: `mkdir .git/modules`, says: []string{`a\E]0;x\a\n`, "/hooks'"}, not: "\x1b"},
		{name: "a module whose name has slashes", outside: `mkdir -p .git/modules/a/b/hooks .git/modules/a/b/modules/c/hooks`,
			inside: []string{`for d in .git/modules/a/b .git/modules/a/b/modules/c; do touch $d/hooks/pre-commit; mv $d/hooks $d/made-h; mv $d made-d; done; mv .git/modules/a/b made-b; mv .git/modules/a made-a; true`},
			then:   `find .git/modules -name pre-commit -o -name 'made-*' | grep . && exit 1; test -d .git/modules/a/b/modules/c/hooks`},
		{name: "a module of an earlier run that hides another", outside: `mkdir -p .git/modules/a/b/hooks`,
			inside: []string{`echo x >.git/modules/a/config`, `touch .git/modules/a/b/hooks/pre-commit; true`}, then: `test ! -e .git/modules/a/b/hooks/pre-commit`},
		{name: "a common directory that is the repository's own", outside: `echo . >.git/commondir`, not: "look at",
			inside: []string{`exec 2>/dev/null; echo ../evil >.git/commondir; rm -f .git/commondir; mv .git/commondir .git/x; echo x >>file; git commit -qam second --no-verify`},
			then:   `test "$(cat .git/commondir)" = . && git status && git log --format=%s | grep -qx second`},
		{name: "a planted common directory", inside: []string{`echo ../evil >.git/commondir`}, says: []string{"/.git/commondir: "},
			then: `test ! -e .git/commondir && grep -q evil .git/commondir.untrusted-* && git status`},
		{name: "a common directory that a command has left which killed its launcher", outside: `printf ../evil >.git/commondir`, inside: []string{"true"}, says: []string{"/.git/commondir: "},
			then: `test ! -e .git/commondir && grep -q evil .git/commondir.untrusted-* && git status`},
		{name: "a common directory that is to be moved elsewhere", inside: []string{`echo evil >.git/commondir; ln -s "$O/directory" .git/commondir.untrusted`}, says: []string{"/.git/commondir: "},
			then: `test ! -e .git/commondir && test "$(ls "$O/directory")" = file`},
		{name: "a common directory that cannot be moved", inside: []string{`echo evil >.git/commondir; mkdir -p .git/commondir.untrusted/commondir/x .git/commondir.untrusted/commondir.untrusted/x; exit 7`}, says: []string{"/.git/commondir: "},
			then: `test ! -e .git/commondir && git status`},
		{name: "a repository in the place of one that is broken", inside: []string{`rm .git/HEAD && mkdir objects refs && echo ref: refs/heads/main >HEAD && printf '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = %s\n\tfsmonitor = touch %s/made-pwned; false\n' "$P" "$P" >config`},
			says: []string{"/HEAD: the command has made it"},
			then: `! git status 2>/dev/null && test ! -e made-pwned && mv HEAD.untrusted-* HEAD && git status && test -e made-pwned`},
		{name: "the same, one name after the other", inside: []string{`git rev-parse HEAD >HEAD`, `mkdir refs`, `rm .git/HEAD && mkdir objects`},
			says: []string{"/HEAD: the command has made it"}, then: `test -d objects && test ! -e HEAD && test -e HEAD.untrusted-*`},
		{name: "the same, by a link and a common directory", inside: []string{`rm .git/HEAD && mkdir evil evil/objects evil/refs && echo evil >commondir && ln -s refs/heads/main HEAD`},
			says: []string{"/HEAD: the command has made it"}, then: `test -e commondir && test ! -L HEAD`},
		{name: "a file that has the name of one of git's", inside: []string{`echo x >HEAD && mkdir refs objects`}, not: "look at", then: `test -e HEAD`},
		{name: "a repository without files", outside: `mv .git/* . && rmdir .git && git config core.bare true`, inside: []string{`git branch other`}, not: "look at", then: `git rev-parse other`},
		{name: "a repository that is elsewhere, made inside", outside: `rm -rf .git`, inside: []string{`git init -q --separate-git-dir x .`}, says: []string{"/.git: the command has made it"}, then: `test -f .git`},
		{name: "a repository made inside", outside: `rm -rf .git`, inside: []string{`git init -q .`}, not: "replaced"},
		{name: "a repository without files, made inside", outside: `rm -rf .git`, inside: []string{`git init -q --bare .`}, says: []string{"/HEAD: "}, then: `test -e HEAD`},
		{name: "a common directory, and something that cannot be removed", inside: []string{`echo evil >.git/commondir; mkdir -p .git/commondir.untrusted/x; echo x >.git/commondir.untrusted/x/y; chmod 0 .git/commondir.untrusted/x`}, says: []string{"/.git/commondir: "},
			then: `test ! -e .git/commondir && cat .git/commondir.untrusted* | grep -q evil && git status`},
		{name: "a common directory where nothing can be moved", inside: []string{`echo evil >.git/commondir; chmod 0555 .git`}, says: []string{"/.git/commondir: "},
			then: `test ! -e .git/commondir && git status`},
		{name: "a repository without settings", outside: `rm -rf .git/config .git/hooks`, not: "look at",
			inside: []string{`exec 2>/dev/null; mv .git made-g && cp -r made-g .git; rmdir .git/hooks; mkdir -p .git/hooks; echo x >.git/hooks/post-commit; true`}, then: `test ! -e made-g && test ! -e .git/hooks && git status`},
		{name: "a repository and a project that are closed in the end", outside: `rm -f .mcp.json`, inside: []string{`echo ../evil >.git/commondir; echo x >.git/info/attributes; echo x >.mcp.json; chmod 0 .git/info .git .`},
			says: []string{"/.git/commondir: ", "/.git/info/attributes: ", "/.mcp.json: "}, then: `test ! -e .git/commondir && git status`},
		{name: "what is closed behind a link", outside: `rm -rf .jj && mkdir -p "$O/jj/repo" && chmod 0 "$O/jj/repo"`, inside: []string{`ln -s "$O/jj" .jj; mkdir .config; chmod 0 .config`},
			then: `test "$(stat -c %a "$O/jj/repo")" = 0 && [[ "$(stat -c %u:%a .config)" == @(0:0|[1-9]*:700) ]]`},
		{name: "links in what cannot be listed", inside: []string{`cd .git && for n in COMMIT_EDITMSG logs/HEAD; do ln -sfT "$O/file" $n; done && chmod 0311 logs .`},
			says: []string{"/.git/COMMIT_EDITMSG was a link to ", "/.git/logs"},
			then: `echo x >>file && git commit -qam evil`},
		{name: "a rebase that cannot be looked at", inside: []string{`mkdir .git/rebase-merge && echo x evil >.git/rebase-merge/git-rebase-todo && chmod 0 .git/rebase-merge`},
			says: []string{"/.git/rebase-merge"}},
		{name: "a repository made inside that leads to another's", outside: `git worktree add -q ../linked && rm -rf "$O/p" && mv .git "$O/p"`, inside: []string{`ln -s "$O/p/worktrees/linked" .git`},
			then: `test -e "$O/p/worktrees/linked/commondir" && test ! -e "$O/p/worktrees/linked/commondir.untrusted"`},
		{name: "a module that leads to another repository", outside: `git worktree add -q ../linked && mv .git "$O/p" && git init -q . && mkdir -p .git/modules/m`,
			inside: []string{`rmdir .git/modules/m; ln -s "$O/p/worktrees/linked" .git/modules/m`},
			then:   `test -e "$O/p/worktrees/linked/commondir" && test ! -e "$O/p/worktrees/linked/commondir.untrusted"`},
		{name: "hooks that are a link to an empty directory", outside: `rm -rf .git/hooks && mkdir .git/hk && ln -s hk .git/hooks`,
			inside: []string{`touch .git/hooks/made; mv .git/hooks .git/h2; mkdir .git/hooks; true`}, says: []string{"only what it leads to is protected", "/.git/hooks: the command has made it"},
			then: `test -z "$(ls .git/hk)"`},
		{name: "hooks that the settings have in the project", outside: `mkdir -p "tools/my] hooks" && git config core.hooksPath "./tools/my] hooks" && sed -i '1s/^/\n/' .git/config`, not: "leads",
			inside: []string{`touch "tools/my] hooks/pre-commit"; mv tools/my* x; mv tools x; echo x >tools/made; true`}, then: `test -z "$(ls "tools/my] hooks")" && test -e tools/made`},
		{name: "hooks that the caller's settings have in the project", outside: `mkdir -p tools/hooks && git config --global core.hooksPath tools/hooks`, not: "look at",
			inside: []string{`touch tools/hooks/pre-commit; mv tools/hooks x; mv tools x; echo x >tools/made; true`}, then: `test -z "$(ls tools/hooks)" && test -e tools/made`},
		{name: "hooks that new repositories get from the project", outside: `mkdir -p tools/new/hooks && git config --global init.templateDir "~/code/p/tools/new"`, not: "look at",
			inside: []string{`touch tools/new/hooks/pre-commit; mv tools x; echo x >tools/made; true`}, then: `test -z "$(ls tools/new/hooks)" && test -e tools/made`},
		{name: "hooks that the caller's settings have in every project", outside: `mkdir "$H/.config/git" && git config --file "$H/.config/git/config" core.hooksPath later`, inside: []string{`mkdir later`}, says: []string{"/later: the command has made it"}},
		{name: "hooks that a worktree's settings have", outside: `mkdir -p tools/hooks && git config extensions.worktreeConfig true && git config --worktree core.hooksPath tools/hooks`, not: "look at",
			inside: []string{`touch tools/hooks/pre-commit; mv tools x; echo x >tools/made; true`}, then: `test -z "$(ls tools/hooks)" && test -e tools/made`},
		{name: "hooks that a submodule's settings have", outside: `mkdir .git/modules && git init -q --separate-git-dir .git/modules/m m && mkdir -p m/hk hk && git --git-dir .git/modules/m config core.worktree ../../../m && git -C m config core.hooksPath ./hk`, not: "look at",
			inside: []string{`touch m/hk/pre-commit; mv m x; echo x >m/made; echo x >hk/made; true`}, then: `test -z "$(ls m/hk)" && test -e m/made && test -e hk/made`},
		{name: "hooks of a submodule that lie beside it", outside: `mkdir .git/modules && git init -q --separate-git-dir .git/modules/m m && mkdir hk && git --git-dir .git/modules/m config core.worktree ../../../m && git -C m config core.hooksPath ../hk`, not: "leads",
			inside: []string{`touch hk/pre-commit; mv hk x; echo x >m/made; true`}, then: `test -d hk && test -z "$(ls hk)" && test -e m/made`},
		{name: "settings with comments, capitals and ends of lines of another system", outside: `mkdir -p tools/hooks tools/one && touch tools/two tools/three && printf '[Core]\r\n\tHOOKSPATH = tools/hooks  ; not hooksPath = x\r\n\t# hooksPath = tools/one\r\n[INCLUDE]\r\n\tPath = "../tools/two"\t# ours\n\tpath = ../tools/three\r\n' >>.git/config`, not: "look at",
			inside: []string{`for f in tools/hooks/pre-commit tools/two tools/three; do echo x >>"$f"; done; mv tools x; echo x >tools/one/made; true`}, then: `test "$(git config core.hooksPath)" = tools/hooks && test -z "$(ls tools/hooks)" && test ! -s tools/two && test ! -s tools/three && test -e tools/one/made`},
		{name: "hooks that the settings have where nothing is", outside: `git config core.hooksPath '~/code/p/later/'`, inside: []string{`mkdir later`}, says: []string{"/later: the command has made it"},
			then: `test ! -e later && test -d later.untrusted-*`},
		{name: "hooks that two names have where nothing is", outside: `git config core.hooksPath .githooks`, inside: []string{`mkdir .githooks`}, says: []string{"/.githooks: the command has made it"}, not: "mv: ",
			then: `test -d .githooks.untrusted-*`},
		{name: "hooks of a module that has none", outside: `mkdir -p .git/modules/m && touch .git/modules/m/config`, inside: []string{`mkdir .git/modules/m/hooks`}, says: []string{"/.git/modules/m/hooks: the command has made it"},
			then: `test ! -e .git/modules/m/hooks && test -d .git/modules/m/hooks.untrusted-*`},
		{name: "settings of worktrees, where there can be some", outside: `git worktree add -q ../linked && git config extensions.worktreeConfig true`,
			inside: []string{`for d in .git .git/worktrees/linked; do printf '[core]\n\tfsmonitor = touch %s/made-pwned; false\n' "$P" >$d/config.worktree; done`},
			says:   []string{"/.git/config.worktree: the command has made it", "/.git/worktrees/linked/config.worktree: the command has made it"},
			then:   `git status && git -C ../linked status && test ! -e made-pwned && mv .git/config.worktree.untrusted-* .git/config.worktree && git status && test -e made-pwned`},
		{name: "hooks that the settings have in all of the project", outside: `git config core.hooksPath .`, inside: []string{`echo x >made-x`}, not: "look at", then: `test -e made-x`},
		{name: "hooks that the settings have above the project", outside: `mkdir tools && git config core.hooksPath tools/../..`, inside: []string{`echo x >tools/made`}, not: "look at", then: `test -e tools/made`},
		{name: "programs that settings have in the project", not: "look at",
			outside: `mkdir tools x && for n in 1 2 3 4 5 6 7 8; do printf '#!/bin/sh\ncat 2>/dev/null\n' >tools/$n; done && cp tools/1 x/5 && mkdir y && git config alias.y '!ls ./y' && git config x.path ../y && chmod +x tools/* x/5 && git config filter.x.clean ./tools/1 && git config filter.x.smudge "'./tools/2' %f" && git config core.fsmonitor "sh ./tools/3; false" && printf '\tx=./tools/4\n' >>.git/config && git config x.x ../p/x/5 && git config filter.y.clean "tools/5 %f" && git config filter.y.smudge "$P/tools/6" && git config core.editor "python3 ~/code/p/tools/7" && git config alias.x '!tools/8' && echo '* filter=x' >.git/info/attributes`,
			inside:  []string{`exec 2>/dev/null; for n in tools/[1-8]; do echo "touch made-pwned" >>$n; rm -f $n; done; mv tools made-t; echo x >>tools/made; echo x >x/5; echo x >y/made; echo x >>file`}, then: `git add file && ! grep -q pwned tools/* && test "$(ls tools | wc -l)" = 9 && test ! -e made-pwned && test -e y/made && test -e tools/made && test "$(cat x/5)" = x`},
		{name: "settings of many branches, and a program and hooks behind them", outside: `mkdir tools hk && echo x >tools/x && { seq -f '[branch "feature/with-a-name-%g"]' 3000; printf '[filter "x"]\n\tclean = tools/x\n[core]\n\thooksPath = hk\n'; } >>.git/config`, not: "look at",
			inside: []string{`exec 2>/dev/null; echo evil >>tools/x; touch hk/pre-commit; true`}, then: `test "$(cat tools/x)" = x && test -z "$(ls hk)"`},
		{name: "settings that are in the project", outside: `mkdir tools && touch "tools/git inc" .git/two && git config include.path "../tools/git inc" && git config includeIf.onbranch:x.path "$PWD/.git/two"`, not: "look at",
			inside: []string{`for f in tools/git* .git/two; do echo x >"$f"; rm -f "$f"; done; mv tools x; echo x >tools/made; true`}, then: `test -f "tools/git inc" && test ! -s "tools/git inc" && test -f .git/two && test ! -s .git/two && test -e tools/made`},
		{name: "settings and hooks that other settings in the project have", outside: `mkdir tools tools/hooks && printf '[include] path = three\n[core]\n\thooksPath = tools/hooks\n' >tools/two && printf '[include]path="../tools/two"\n' >tools/three && printf '[include]\tpath = ../tools/two\n\tpath = ~/more\n' >>.git/config && ln -s .gitconfig "$H/more"`, not: "leads",
			inside: []string{`for f in tools/two tools/three tools/hooks/pre-commit; do echo x >>"$f"; rm -f "$f"; done; mv tools x; echo x >tools/made; true`}, then: `grep -q hooks tools/two && grep -q two tools/three && test ! -e tools/hooks/pre-commit && test -e tools/made`},
		{name: "settings that are to be in the project", outside: `git config include.path ../later`, inside: []string{`echo x >later`}, says: []string{"/later: the command has made it"},
			then: `test ! -e later && test -e later.untrusted-*`},
		{name: "a rebase that is to go on outside", inside: []string{`mkdir .git/rebase-merge && printf 'pick 1 x\n  exec touch made-pwned\n' >.git/rebase-merge/git-rebase-todo`}, says: []string{"look at ", "/.git/rebase-merge/git-rebase-todo: git runs what it says"}},
		{name: "a rebase that hides what it runs", inside: []string{`mkdir .git/rebase-merge && cd .git/rebase-merge && { seq -f "# %050g" 3000; echo x touch made-pwned; } >git-rebase-todo`}, says: []string{"/.git/rebase-merge/git-rebase-todo: git runs what it says"}},
		{name: "a rebase and a revert by programs of the command's own", inside: []string{`mkdir .git/rebase-merge .git/sequencer && echo x/../evil >.git/rebase-merge/strategy && git config --file .git/sequencer/opts options.strategy x/../evil`}, says: []string{"/.git/rebase-merge/strategy: git runs what it says", "/.git/sequencer/opts: git runs what it says"}},
		{name: "a rebase and a revert by usual strategies", inside: []string{`mkdir .git/rebase-merge .git/sequencer && echo ours >.git/rebase-merge/strategy && git config --file .git/sequencer/opts options.strategy ort`}, not: "look at"},
		{name: "a rebase that only picks", inside: []string{`mkdir .git/rebase-merge && echo "pick 1 x exec y" >.git/rebase-merge/git-rebase-todo`}, not: "look at"},
		{name: "names that become links to what is not there yet", inside: []string{`ln -s node_modules/x/mcp.json .mcp.json; ln -s made-later .git/commondir`}, outside: `rm -f .mcp.json`,
			says: []string{"/.mcp.json: ", "/.git/commondir: "}, then: `test ! -L .git/commondir`},
		{name: "a link to what is not there", inside: []string{`echo x >made-x`, `echo x >made-later`}, outside: `ln -s made-later .mcp.json`,
			says: []string{"/made-later: the command has made it"}, not: "/.mcp.json: "},
		{name: "links to what is not there, nor its directory", outside: `ln -s made-later/deep/x .mcp.json; ln -s "$O/absent/deep/x" .zed; ln -s .fleet .fleet`, inside: []string{`true`}, not: "look at"},
		{name: "such a link that leads elsewhere in the end", outside: `ln -s made-later/deep/x .mcp.json`, inside: []string{`rm .mcp.json; ln -s made-evil/deep/x .mcp.json`},
			says: []string{"/.mcp.json: the command has made it"}},
		{name: "such a link, and what it leads to is made", outside: `ln -s made-later/deep/x .mcp.json`, inside: []string{`mkdir -p made-later/deep && echo evil >made-later/deep/x`},
			says: []string{".mcp.json: the command has made it"}},
		{name: "a link on the way to a name", outside: `mkdir -p gh/hooks && ln -s gh .github`, inside: []string{`! touch .github/hooks/x && rm .github && mkdir -p .github/hooks`},
			says: []string{".github/hooks leads through a symbolic link: only what it leads to is protected", "/.github/hooks: the command has made it"}},
		{name: "a link that leads elsewhere in the end", inside: []string{`rm .mcp.json; ln -s made-y .mcp.json`}, outside: `ln -s made-later .mcp.json`,
			says: []string{"/.mcp.json: the command has made it"}},
		{name: "links where git writes", outside: `git branch side; echo more >>file`,
			inside: []string{`cd .git && for n in COMMIT_EDITMSG FETCH_HEAD MERGE_RR TAG_EDITMSG addp-hunk-edit.diff gc.pid logs/HEAD logs/refs/heads/{main,master}; do ln -sfT "$O/file" $n; done; ln -s "$O/made" packed-refs; ln -s "$O/directory" rebase-merge; mkdir logs/refs/heads/to; ln -s "$O" logs/refs/heads/to/it; chmod a-w logs/refs/heads/to; echo evil >SQUASH_MSG`},
			says:   []string{"/.git/COMMIT_EDITMSG was a link to ", "/.git/FETCH_HEAD was", "/.git/MERGE_RR was", "/.git/TAG_EDITMSG was", "/.git/gc.pid was", "/.git/logs/HEAD was", "/.git/logs/refs/heads/main was", "/.git/packed-refs was", "/.git/rebase-merge was", "/.git/logs/refs/heads/to/it was"},
			then:   `git -c core.editor=true commit -qa && git log --format=%s | grep -qx evil && git checkout -q side && git checkout -q -b to/it/made && echo x >.git/FETCH_HEAD && git gc -q && ! git -c core.editor=true tag -a x && ! git rebase --quit 2>/dev/null`},
		{name: "links further down where git writes",
			inside: []string{`cd .git && mkdir -p rr-cache/1 lost-found/other objects/info/commit-graphs && for n in index.stash.1 logs/ORIG_HEAD lost-found/other/1 objects/info/commit-graph objects/info/commit-graphs/commit-graph-chain objects/pack/multi-pack-index rr-cache/1/thisimage shallow; do ln -sfT "$O/file" $n; done`},
			says:   []string{"/.git/index.stash.1 was a link to ", "/.git/logs/ORIG_HEAD was", "/.git/lost-found/other/1 was", "/commit-graph was", "/commit-graph-chain was", "/multi-pack-index was", "/.git/rr-cache/1/thisimage was", "/.git/shallow was"},
			then:   `git gc -q && git commit-graph write --reachable && git multi-pack-index write && git fsck && test -z "$(find .git -type l)"`},
		{name: "more links than can be removed", inside: []string{`cd .git && mkdir logs/refs/x && for i in {1..200}; do echo "$O/x$i"; done | xargs ln -s -t logs/refs/x && ln -sfT "$O/file" COMMIT_EDITMSG`},
			says: []string{" links in ", "/.git lead to where git outside would write"}, not: "was a link",
			then: `! git status 2>/dev/null && find .git -type l -delete && mv .git/HEAD.untrusted-* .git/HEAD && mv .git/refs.untrusted-* .git/refs && git status`},
		{name: "directories of git's that are links", outside: `git branch side`,
			inside: []string{`cd .git && mkdir worktrees && for n in lost-found refs/heads/to reftable rr-cache worktrees/x; do ln -s "$O/directory" $n; done; ln -s x refs/heads/stays`},
			says:   []string{"/.git/lost-found was a link to ", "/.git/refs/heads/to was", "/.git/reftable was", "/.git/rr-cache was", "/.git/worktrees/x was"}, not: "/stays",
			then: `test "$(find .git -type l)" = .git/refs/heads/stays && rm .git/refs/heads/stays && git gc -q && git fsck && git rev-parse side`},
		{name: "an index that names what lies elsewhere", inside: []string{`git update-index --add --cacheinfo 100644,$(git rev-parse HEAD:file),xx/made && sed -i s#xx/made#../made# .git/index`},
			says: []string{"/.git/index names what git must not touch"}, then: `test ! -e .git/index && ls .git/index.untrusted-* && git reset -q && git checkout . && test ! -e ../made`},
		{name: "an index that names what lies outside", inside: []string{`git update-index --add --cacheinfo "100644,$(git rev-parse HEAD:file),x${O#/}/made" && sed -i "s#x${O#/}/made#$O/made#" .git/index`},
			says: []string{"/.git/index names what git must not touch"}, then: `git reset -q && git checkout .`},
		{name: "an index that names what is in a repository", inside: []string{`git update-index --add --cacheinfo 100644,$(git rev-parse HEAD:file),x/xgit/made && sed -i s#x/xgit/made#x/.GIT/made# .git/index && touch -d 1999-1-1 .git/index`},
			says: []string{"/.git/index names what git must not touch"}, then: `git reset -q && git checkout .`},
		{name: "an index of a module that names what lies elsewhere", outside: `git init -q x && mkdir .git/modules && mv x/.git .git/modules/m && cp .git/index .git/modules/m`, inside: []string{`export GIT_INDEX_FILE=.git/modules/m/index && git update-index --add --cacheinfo 100644,$(git rev-parse HEAD:file),xx/made && sed -i s#xx/made#../made# .git/modules/m/index`},
			says: []string{"/.git/modules/m/index names what git must not touch"}, then: `test -e .git/index && test ! -e .git/modules/m/index`},
		{name: "an index that is none", inside: []string{`echo x >.git/index`}, says: []string{"look at ", "/.git/index: git cannot read it"}},
		{name: "an index that waits for ever", inside: []string{`git update-index --split-index && cd .git && for n in sharedindex.*; do rm $n && mkfifo $n; done`}, says: []string{"look at ", "/.git/index: git cannot read it"}, then: `rm .git/sharedindex.*`},
		{name: "an index of odd names", inside: []string{"mkdir x.git ..x && touch x.git/a ..x/a ... '\n' '/' 2>/dev/null; git add . && git commit -qm odd"}, not: ".git/index",
			then: `test -z "$(git status --porcelain)" && git ls-files | grep -q '\.\.\.'`},
		{name: "a link from where git writes to its settings", outside: `echo more >>file`, inside: []string{`ln -sfT config .git/COMMIT_EDITMSG && printf '[core]\n\tfsmonitor = touch made-pwned; false\n' >.git/SQUASH_MSG`},
			says: []string{"/.git/COMMIT_EDITMSG was a link to ", "/.git/config, where"}, then: `git -c core.editor=true commit -qa && ! grep fsmonitor .git/config && git status && test ! -e made-pwned`},
		{name: "links in reflogs that are elsewhere", outside: `rm .git/config`, inside: []string{`mkdir evil && mv .git/logs/refs evil && ln -sfT "$O/file" evil/refs/heads/main && ln -s ../../evil/refs .git/logs/refs`, `rm -rf .git/logs && ln -s / .git/logs`, `rm -rf .git/logs && mkdir .git/logs && ln -s "$O/file" .git/logs/HEAD`},
			says: []string{"/.git/logs/HEAD was a link to "}, then: `test -d evil && test -d .git/logs/refs/ || echo x >>file && git commit -qam c`},
		{name: "links in a module where git writes", outside: `git init -q x && mkdir .git/modules && mv x/.git .git/modules/m && git worktree add -q ../linked`, inside: []string{`for d in modules/m worktrees/linked; do ln -s "$O/file" .git/$d/FETCH_HEAD; done`},
			says: []string{"/.git/modules/m/FETCH_HEAD was a link to ", "/.git/worktrees/linked/FETCH_HEAD was a link to "}, then: `echo x >.git/modules/m/FETCH_HEAD`},
		{name: "links that others have made in a repository", outside: `mv .git/logs/refs "$O/refs" && ln -s "$O/refs" .git/logs/refs && ln -s "$O/directory" .git/lfs && ln -sf ../../file .git/hooks/pre-commit && echo one >.git/info/x && ln -sf x .git/info/exclude && git pack-refs --all && mv .git/packed-refs .git/objects/pack "$O" && ln -s "$O/packed-refs" .git && ln -s "$O/pack" .git/objects && ln -s "$O/directory" .git/rr-cache && ln -s "$O/directory" .git/worktrees && mkdir .git/modules && ln -s "$O/directory" .git/modules/a_b`,
			inside: []string{`ln -sf refs/heads/main .git/HEAD`}, not: "was a link", then: `for n in logs/refs objects/pack packed-refs rr-cache worktrees modules/a_b; do test -L .git/$n || exit; done; test -L .git/lfs && test -L .git/hooks/pre-commit && test -L .git/info/exclude && test -L .git/HEAD`},
		{name: "a repository made inside that leads to links of the host's", outside: `rm -rf .git && ln -s file "$O/link_to"`, inside: []string{`ln -s "$O" .git`}, not: "was a link", then: `test -L "$O/link_to"`},
		{name: "a lock file", inside: []string{`git config user.x y; git config core.fsmonitor x; true`}, then: `test ! -e .git/config.lock && ! grep -q fsmonitor .git/config`},
	} {
		t.Run(c.name, func(t *testing.T) { trial.Crossed(t, i, c.try) })
	}
}

func (c exits) try(t *testing.T, s trial.Setting) {
	w := newWorld(t, s)
	text := `extends = ["default"]`
	if strings.HasPrefix(c.name, "an index") {
		text += "\nproject.report = true"
	}
	l := w.launch(t, text)
	l.shell(t, c.outside)
	w.Give(t, w.Top)
	before := trial.StateOf(t, w.Outside, filepath.Join(w.Home, ".ssh"))
	var r trial.Result
	for _, do := range c.inside {
		r = l.Run(t, "bash", "-c", "P=$PWD O="+w.Outside+"; "+do)
		if want := strings.HasSuffix(do, "exit 7"); want != (r.Status == 7) || !want && r.Status != 0 {
			t.Errorf("%s: status %d: %s", do, r.Status, r.Stderr)
		}
	}
	for _, says := range c.says {
		if !strings.Contains(r.Stderr, says) {
			t.Errorf("it does not say %q: %q", says, r.Stderr)
		}
	}
	if c.not != "" && strings.Contains(r.Stderr, c.not) {
		t.Errorf("it says %q: %q", c.not, r.Stderr)
	}
	if c.then != "" {
		l.shell(t, c.then)
	}
	before.Same(t, trial.StateOf(t, w.Outside, filepath.Join(w.Home, ".ssh")))
}

// TestExitLate: what the command leaves behind makes nothing after the launcher has
// looked. Without the wait, it did in one of fifteen runs.
func TestExitLate(t *testing.T) {
	trial.Newest(t, func(t *testing.T, s trial.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		for range 20 {
			l.shell(t, `rm -f .mcp.json`)
			r := l.Run(t, "bash", "-c", `for n in 1 2 3 4; do (while :; do : >.mcp.json; rm -f .mcp.json; done) & done; sleep 0.03`)
			if trial.Exists(l.Dir+"/.mcp.json") && !strings.Contains(r.Stderr, "/.mcp.json: the command has made it") {
				t.Fatalf("it is not named: %q", r.Stderr)
			}
		}
	})
}

// TestExitIncluded: settings that include each other are followed once, and too many
// of them stop a launch before anything runs.
func TestExitIncluded(t *testing.T) {
	trial.Ends(t, func(t *testing.T, s trial.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `git config include.path ../one; printf '[include]\npath = two\npath = one\n' >one; printf '[include]\npath = one\npath = "two"\n' >two`)
		w.Give(t, w.Top)
		l.Run(t, "bash", "-c", `echo x >>one || echo x >>two || echo held`).Prints(t, "held\n")
		l.shell(t, `sed -i s,../one,../x, .git/config; mkdir ../git; printf '[include]\npath = %s/one\n' "$PWD" >../git/config`)
		for _, set := range []string{`GIT_CONFIG_SYSTEM="$PWD/../git/config"`, `GIT_CONFIG_GLOBAL="$PWD/../git/config"`, `XDG_CONFIG_HOME="$PWD/.."`} {
			l.from(t, set+` "$L" sh -c 'echo x >one || echo held'`).Prints(t, "held\n")
		}
		l.shell(t, `sed -i s,../x,../one, .git/config; { echo "[include]"; seq -f "path = m%g" 200; } >one`)
		l.Run(t, "true").Refused(t, "many", "git's settings are too long, or include too many others")
	})
}

// TestExitElsewhere: what the host makes outside of the project while a command runs
// stays where it is, whatever settings a command has made before.
func TestExitElsewhere(t *testing.T) {
	trial.Ends(t, func(t *testing.T, s trial.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		for _, at := range []string{w.Outside + "/victim", "../victim", "~/victim", "out/victim"} {
			l.Run(t, "bash", "-c", `mkdir -p .git/modules/m; ln -sfT "$2" out; printf '[core]\n\thooksPath = %s\n' "$1" >.git/modules/m/config`, "-", at, w.Outside).Ends(t, 0)
			var said strings.Builder
			waits := l.ready(t)
			waits.command.Stderr = &said
			if err := waits.command.Start(); err != nil {
				t.Fatal(err)
			}
			waits.read(t, "ready\n")
			l.shell(t, `touch "$O/victim" "$H/victim" ../victim`)
			waits.write(t, "echo tried")
			if got := waits.end(t); got != 0 || strings.Contains(said.String(), "untrusted") {
				t.Errorf("%s: status %d: %s", at, got, said.String())
			}
			l.shell(t, `rm -r "$O/victim" "$H/victim" ../victim .git/modules`)
		}
	})
}

// TestExitReplaced: what is held or hidden, and is put there outside by a rename while
// a command runs, is held no more: it is named, and nothing else.
func TestExitReplaced(t *testing.T) {
	trial.Ends(t, func(t *testing.T, s trial.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]
[filesystem]
write = ["~/code/other"]
read = ["~/code/other/file"]
[project]
hide = [".env"]`)
		l.shell(t, "echo secret >.env")
		w.Put(t, l.Dir+"/box", []byte(trial.Read(t, l.Program)))
		l.Program = l.Dir + "/box"
		w.Give(t, w.Top)
		for _, c := range []struct{ outside, named string }{
			{`git config x.y z`, "/.git/config: it was replaced outside"},
			{`cp ../other/file ../new && chmod 666 ../new && mv ../new ../other/file`, "/other/file: it was replaced outside"},
			{`sed -i s/x/x/ .envrc`, "/.envrc: it was replaced outside"},
			{`sed -i s/x/x/ box`, "/box: it was replaced outside"},
			{`sed -i s/x/x/ .env`, "/.env: it was replaced outside"},
			{`cp -a .vscode ../new && rm -r .vscode && mv ../new .vscode`, "/.vscode: it was replaced outside"},
			{`touch -a ../other && git status && echo more >>../other/file`, ""},
		} {
			var said strings.Builder
			waits := l.ready(t)
			waits.command.Stderr = &said
			if err := waits.command.Start(); err != nil {
				t.Fatal(err)
			}
			waits.read(t, "ready\n")
			l.shell(t, c.outside)
			waits.write(t, `exec 2>/dev/null; git config core.fsmonitor evil; for f in ../other/file box .env .envrc .vscode/tasks.json; do echo evil >>$f; done; ls /proc/self/fd | wc -l >made-fds; echo tried`)
			if got := waits.end(t); got != 0 {
				t.Errorf("%s: status %d: %s", c.outside, got, said.String())
			}
			if trial.Read(t, l.Dir+"/made-fds") != "4\n" {
				t.Errorf("%s: more is open inside: %s", c.outside, trial.Read(t, l.Dir+"/made-fds"))
			}
			evil := false
			for _, name := range []string{".git/config", "../other/file", "box", ".env", ".envrc", ".vscode/tasks.json"} {
				evil = evil || strings.Contains(trial.Read(t, l.Dir+"/"+name), "evil")
			}
			if evil != (c.named != "") || !strings.Contains(said.String(), c.named) || strings.Count(said.String(), "look at") != strings.Count(c.named, ":") {
				t.Errorf("%s: changed %v: %q", c.outside, evil, said.String())
			}
			l.shell(t, `git config core.fsmonitor false && git config --unset core.fsmonitor; sed -i /evil/d ../other/file box .env .envrc .vscode/tasks.json`)
		}
	})
}
