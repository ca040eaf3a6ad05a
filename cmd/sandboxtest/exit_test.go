package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// exits are what a command leaves for the code that runs outside at its end,
// and for the next launch, and what becomes of it.
type exits struct {
	name    string
	outside string   // done on the host before
	inside  []string // done by one launch after the other
	says    []string // what the last one says
	not     string   // what it must not say
	ends    int      // its exit status
	then    string   // holds on the host afterwards: a script
}

// TestExit: B19, B23 and (5), names that were absent are named at the end
// whatever else is there, and what is done then touches nothing outside.
func TestExit(t *testing.T) {
	t.Parallel()
	for i, c := range []exits{
		{name: "absent names", inside: []string{`mkdir -p .idea .claude/commands; for n in .mcp.json .idea/x .claude/settings.json .claude/commands/x .bashrc; do echo x >$n; done; rm -f .envrc 2>/dev/null; (echo x >>.vscode/tasks.json) 2>/dev/null; true`},
			outside: `rm -rf .idea .mcp.json .claude .bashrc`,
			says:    []string{"/.mcp.json, which", "/.idea", "/.claude", "/.bashrc"}, not: ".vscode",
			then: `grep -q x .mcp.json && test "$(cat .vscode/tasks.json)" = '{}' && test "$(cat .envrc)" = envrc`},
		{name: "names that a folder of an agent's does not have for others", outside: `mkdir -p .claude/hooks && echo '{}' >.claude/settings.json`,
			inside: []string{`mkdir -p .claude/worktrees/w && echo x >.claude/worktrees/w/made`, `exec 2>/dev/null; echo x >>.claude/settings.json; echo x >.claude/hooks/made; mv .claude made-c; true`},
			not:    "worktrees", then: `test "$(cat .claude/settings.json)" = '{}' && test -z "$(ls .claude/hooks)" && test -e .claude/worktrees/w/made`},
		{name: "names by which a shell's hook runs something", outside: `touch mise.toml`,
			inside: []string{`exec 2>/dev/null; for n in mise.toml .envrc; do echo x >>$n; rm -f $n; done; touch .mise.toml made-x`},
			says:   []string{"/.mise.toml, which"}, not: "/mise.toml",
			then: `test -e made-x && test ! -s mise.toml && test "$(cat .envrc)" = envrc`},
		{name: "names that only what is run on purpose reads", outside: `mkdir -p .cargo gradle/wrapper .husky && touch .npmrc .gitattributes .tool-versions rust-toolchain.toml .cargo/config.toml gradle/wrapper/w`, not: "the command created",
			inside: []string{`for n in .npmrc .gitattributes .tool-versions rust-toolchain.toml .cargo/config.toml gradle/wrapper/w .yarnrc.yml bunfig.toml lefthook.yml .pre-commit-config.yaml; do echo x >>$n || exit; done`},
			then:   `cat .npmrc .gitattributes .tool-versions rust-toolchain.toml .cargo/config.toml gradle/wrapper/w | grep -c x | grep -qx 6`},
		{name: "nothing", inside: []string{`echo x >made-x`}, not: "the command created"},
		{name: "a directory whose name holds the names", inside: []string{`mkdir -p '.git/modules/x .mcp.json y/hooks'`, `echo x >.mcp.json`},
			says: []string{"/.mcp.json"}},
		{name: "names with control bytes", inside: []string{`d=.git/modules/$(printf 'a\033]0;x\007\n\233b'); mkdir "$d"`, `cd .git/modules/a* && mkdir hooks`},
			outside: `mkdir .git/modules`, says: []string{".git/modules/a", "/hooks"}, not: "\x1b"},
		{name: "a module whose name has slashes", outside: `mkdir -p .git/modules/a/b/hooks .git/modules/a/b/modules/c/hooks`,
			inside: []string{`for d in .git/modules/a/b .git/modules/a/b/modules/c; do touch $d/hooks/pre-commit; mv $d/hooks $d/made-h; mv $d made-d; done; mv .git/modules/a/b made-b; mv .git/modules/a made-a; true`},
			then:   `find .git/modules -name pre-commit -o -name 'made-*' | grep . && exit 1; test -d .git/modules/a/b/modules/c/hooks`},
		{name: "a module of an earlier run that hides another", outside: `mkdir -p .git/modules/a/b/hooks`,
			inside: []string{`echo x >.git/modules/a/config`, `touch .git/modules/a/b/hooks/pre-commit; true`}, then: `test ! -e .git/modules/a/b/hooks/pre-commit`},
		{name: "a common directory that is the repository's own", outside: `echo . >.git/commondir`, not: "the command created",
			inside: []string{`exec 2>/dev/null; echo ../evil >.git/commondir; rm -f .git/commondir; mv .git/commondir .git/x; echo x >>file; git commit -qam second --no-verify`},
			then:   `test "$(cat .git/commondir)" = . && git status && git log --format=%s | grep -qx second`},
		{name: "a planted common directory", inside: []string{`echo ../evil >.git/commondir`}, says: []string{"/.git/commondir"},
			then: `test ! -e .git/commondir && grep -q evil .git/commondir?* && git status`},
		{name: "a repository in the place of one that is broken", inside: []string{`rm .git/HEAD && mkdir objects refs && echo ref: refs/heads/main >HEAD && printf '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = %s\n\tfsmonitor = touch %s/made-pwned; false\n' "$P" "$P" >config`},
			says: []string{"/HEAD, which"},
			then: `! git status 2>/dev/null && test ! -e made-pwned && mv HEAD?* HEAD && git status && test -e made-pwned`},
		{name: "the same, one name after the other", inside: []string{`git rev-parse HEAD >HEAD`, `mkdir refs`, `rm .git/HEAD && mkdir objects`},
			says: []string{"/HEAD, which"}, then: `test -d objects && test ! -e HEAD && test -e HEAD?*`},
		{name: "the same, by a link and a common directory", inside: []string{`rm .git/HEAD && mkdir evil evil/objects evil/refs && echo evil >commondir && ln -s refs/heads/main HEAD`},
			says: []string{"/HEAD, which"}, then: `test -e commondir && test ! -L HEAD`},
		{name: "a file that has the name of one of git's", inside: []string{`echo x >HEAD && mkdir objects`}, not: "the command created", then: `test -e HEAD`},
		{name: "a repository without files", outside: `mv .git/* . && rmdir .git && git config core.bare true`, inside: []string{`git branch other`}, not: "the command created", then: `git rev-parse other`},
		{name: "a repository that is elsewhere, made inside", outside: `rm -rf .git`, inside: []string{`git init -q --separate-git-dir x .`}, says: []string{"/.git, which"}, then: `test -f .git`},
		{name: "a repository made inside", outside: `rm -rf .git`, inside: []string{`git init -q .`}, says: []string{"/.git"}, then: `git status`},
		{name: "a repository without files, made inside", outside: `rm -rf .git`, inside: []string{`git init -q --bare .`}, says: []string{"/HEAD"}, then: `test -e HEAD`},
		{name: "a repository without settings", outside: `rm -rf .git/config .git/hooks`, not: "the command created",
			inside: []string{`exec 2>/dev/null; mv .git made-g && cp -r made-g .git; rmdir .git/hooks; mkdir -p .git/hooks; echo x >.git/hooks/post-commit; true`}, then: `test ! -e made-g && test -z "$(ls -A .git/hooks)" && git status`},
		{name: "a repository made inside that leads to another's", outside: `git worktree add -q ../linked && rm -rf "$O/p" && mv .git "$O/p"`, inside: []string{`ln -s "$O/p/worktrees/linked" .git`},
			then: `test -e "$O/p/worktrees/linked/commondir"`},
		{name: "a module that leads to another repository", outside: `git worktree add -q ../linked && mv .git "$O/p" && git init -q . && mkdir -p .git/modules/m`,
			inside: []string{`rmdir .git/modules/m; ln -s "$O/p/worktrees/linked" .git/modules/m`},
			then:   `test -e "$O/p/worktrees/linked/commondir"`},
		{name: "hooks that are a link to an empty directory", outside: `rm -rf .git/hooks && mkdir .git/hk && ln -s hk .git/hooks`,
			inside: []string{`touch .git/hooks/made; mv .git/hooks .git/h2; mkdir .git/hooks; true`}, says: []string{"only its target is protected", "/.git/hooks, which"},
			then: `test -z "$(ls .git/hk)"`},
		{name: "hooks that the settings have in the project", outside: `mkdir -p "tools/my] hooks" && git config core.hooksPath "./tools/my] hooks" && sed -i '1s/^/\n/' .git/config`, not: "leads",
			inside: []string{`touch "tools/my] hooks/pre-commit"; mv tools/my* x; mv tools x; echo x >tools/made; true`}, then: `test -z "$(ls "tools/my] hooks")" && test -e tools/made`},
		{name: "hooks that the caller's settings have in the project", outside: `mkdir -p tools/hooks && git config --global core.hooksPath tools/hooks`, not: "the command created",
			inside: []string{`touch tools/hooks/pre-commit; mv tools/hooks x; mv tools x; echo x >tools/made; true`}, then: `test -z "$(ls tools/hooks)" && test -e tools/made`},
		{name: "hooks that the caller's settings have in every project", outside: `mkdir "$H/.config/git" && git config --file "$H/.config/git/config" core.hooksPath later`, inside: []string{`mkdir later`}, says: []string{"/later, which"}},
		{name: "hooks that a worktree's settings have", outside: `mkdir -p tools/hooks && git config extensions.worktreeConfig true && git config --worktree core.hooksPath tools/hooks`, not: "the command created",
			inside: []string{`touch tools/hooks/pre-commit; mv tools x; echo x >tools/made; true`}, then: `test -z "$(ls tools/hooks)" && test -e tools/made`},
		{name: "hooks that a submodule's settings have", outside: `mkdir .git/modules && git init -q --separate-git-dir .git/modules/m m && mkdir -p m/hk hk && git --git-dir .git/modules/m config core.worktree ../../../m && git -C m config core.hooksPath ./hk`, not: "the command created",
			inside: []string{`touch m/hk/pre-commit; mv m x; echo x >m/made; echo x >hk/made; true`}, then: `test -z "$(ls m/hk)" && test -e m/made && test -e hk/made`},
		{name: "hooks of a submodule that lie beside it", outside: `mkdir .git/modules && git init -q --separate-git-dir .git/modules/m m && mkdir hk && git --git-dir .git/modules/m config core.worktree ../../../m && git -C m config core.hooksPath ../hk`, not: "leads",
			inside: []string{`touch hk/pre-commit; mv hk x; echo x >m/made; true`}, then: `test -d hk && test -z "$(ls hk)" && test -e m/made`},
		{name: "settings with comments, capitals and ends of lines of another system", outside: `mkdir -p tools/hooks tools/one && printf '[x]\n\ty = z\n' | tee tools/two tools/three >/dev/null && printf '[Core]\r\n\tHOOKSPATH = tools/hooks  ; not hooksPath = x\r\n\t# hooksPath = tools/one\r\n[INCLUDE]\r\n\tPath = "../tools/two"\t# ours\n\tpath = ../tools/three\r\n' >>.git/config`, not: "the command created",
			inside: []string{`for f in tools/hooks/pre-commit tools/two tools/three; do echo x >>"$f"; done; mv tools x; echo x >tools/one/made; true`}, then: `test "$(git config core.hooksPath)" = tools/hooks && test -z "$(ls tools/hooks)" && ! grep -q '^x' tools/two tools/three && test -e tools/one/made`},
		{name: "hooks that the settings have where nothing is", outside: `git config core.hooksPath '~/code/p/later/'`, inside: []string{`mkdir later`}, says: []string{"/later, which"},
			then: `test ! -e later && test -d later?*`},
		{name: "settings that are in the repository", outside: `printf '[x]\n\ty = z\n' >.git/more && git config include.path more`, not: "the command created",
			inside: []string{`! echo x 2>/dev/null >>.git/more && ! rm -f .git/more 2>/dev/null`}, then: `test "$(git config x.y)" = z`},
		{name: "hooks that two names have where nothing is", outside: `git config core.hooksPath .githooks`, inside: []string{`mkdir .githooks`}, says: []string{"/.githooks, which"}, not: "mv: ",
			then: `test -d .githooks?*`},
		{name: "hooks of a module that has none", outside: `mkdir -p .git/modules/m && touch .git/modules/m/config`, inside: []string{`mkdir -p .git/modules/m/hooks; echo x >.git/modules/m/hooks/pre-commit; true`},
			then: `test ! -e .git/modules/m/hooks/pre-commit`},
		{name: "settings of worktrees, where there can be some", outside: `git worktree add -q ../linked && git config extensions.worktreeConfig true`,
			inside: []string{`for d in .git .git/worktrees/linked; do printf '[core]\n\tfsmonitor = touch %s/made-pwned; false\n' "$P" >$d/config.worktree; done`},
			says:   []string{"/.git/config.worktree, which", "/.git/worktrees/linked/config.worktree, which"},
			then:   `git status && git -C ../linked status && test ! -e made-pwned && mv .git/config.worktree?* .git/config.worktree && git status && test -e made-pwned`},
		{name: "hooks that the settings have in all of the project", outside: `git config core.hooksPath .`, inside: []string{`echo x >made-x`}, not: "the command created", then: `test -e made-x`},
		{name: "hooks that the settings have above the project", outside: `mkdir tools && git config core.hooksPath tools/../..`, inside: []string{`echo x >tools/made`}, not: "the command created", then: `test -e tools/made`},
		{name: "settings that are in the project", outside: `mkdir tools && printf '[x]\n\ty = z\n' | tee "tools/git inc" >/dev/null && git config include.path "../tools/git inc"`, not: "the command created",
			inside: []string{`for f in tools/git*; do echo x >"$f"; rm -f "$f"; done; mv tools x; echo x >tools/made; true`}, then: `test -f "tools/git inc" && ! grep -q "^x" "tools/git inc" && test -e tools/made`},
		{name: "settings and hooks that other settings in the project have", outside: `mkdir tools tools/hooks && printf '[core]\n\thooksPath = tools/hooks\n' >tools/two && printf '[include]\n\tpath = "../tools/two"\n' >tools/three && printf '[include]\tpath = ../tools/three\n' >>.git/config`, not: "leads",
			inside: []string{`for f in tools/two tools/three tools/hooks/pre-commit; do echo x >>"$f"; rm -f "$f"; done; mv tools x; echo x >tools/made; true`}, then: `grep -q hooks tools/two && grep -q two tools/three && test ! -e tools/hooks/pre-commit && test -e tools/made`},
		{name: "settings that are to be in the project", outside: `git config include.path ../later`, inside: []string{`echo x >later`}, says: []string{"/later, which"},
			then: `test ! -e later && test -e later?*`},
		{name: "names that become links to what is not there yet", inside: []string{`ln -s node_modules/x/mcp.json .mcp.json; ln -s made-later .git/commondir`}, outside: `rm -f .mcp.json`,
			says: []string{"/.mcp.json", "/.git/commondir"}, then: `test ! -L .git/commondir`},
		{name: "a link to what is not there", inside: []string{`echo x >made-x`, `echo x >made-later`}, outside: `ln -s made-later .mcp.json`,
			says: []string{"/.mcp.json, which"}},
		{name: "links to what is not there, nor its directory", outside: `ln -s made-later/deep/x .mcp.json; ln -s "$O/absent/deep/x" .zed; ln -s .fleet .fleet`, inside: []string{`true`}, not: "the command created"},
		{name: "such a link that leads elsewhere in the end", outside: `ln -s made-later/deep/x .mcp.json`, inside: []string{`rm .mcp.json; ln -s made-evil/deep/x .mcp.json`},
			says: []string{"/.mcp.json, which"}},
		{name: "such a link, and what it leads to is made", outside: `ln -s made-later/deep/x .mcp.json`, inside: []string{`mkdir -p made-later/deep && echo evil >made-later/deep/x`},
			says: []string{".mcp.json, which"}},
		{name: "a link on the way to a name", outside: `mkdir gh && echo '{}' >gh/settings.json && ln -s gh .claude`, inside: []string{`! echo x 2>/dev/null >>.claude/settings.json && rm .claude && mkdir .claude && echo x >.claude/settings.json`},
			says: []string{"only its target is protected", "/.claude"}, then: `test "$(cat gh/settings.json)" = '{}'`},
		{name: "a link that leads elsewhere in the end", inside: []string{`rm .mcp.json; ln -s made-y .mcp.json`}, outside: `ln -s made-later .mcp.json`,
			says: []string{"/.mcp.json, which"}},
		{name: "links where git writes", outside: `git branch side; echo more >>file; git pack-refs --all`,
			inside: []string{`cd .git && for n in COMMIT_EDITMSG FETCH_HEAD MERGE_RR TAG_EDITMSG addp-hunk-edit.diff gc.pid packed-refs; do ln -sfT "$O/file" $n; done; ln -s "$O/directory" rebase-merge; rm -rf logs; ln -s "$O/directory" logs; echo evil >SQUASH_MSG`},
			says:   []string{"/.git/COMMIT_EDITMSG", "/.git/FETCH_HEAD", "/.git/rebase-merge", "/.git/logs"},
			then:   `test -z "$(find .git -maxdepth 1 -type l)" && git -c core.editor=true commit -qa --allow-empty && git gc -q && ! git -c core.editor=true tag -a x && ! git rebase --quit 2>/dev/null; echo x >.git/FETCH_HEAD`},
		{name: "directories of git's that are links",
			inside: []string{`cd .git && for n in lost-found reftable rr-cache worktrees; do ln -s "$O/directory" $n; done`},
			says:   []string{"/.git/lost-found", "/.git/reftable", "/.git/rr-cache", "/.git/worktrees"},
			then:   `test -z "$(find .git -maxdepth 1 -type l)" && git gc -q && git fsck`},
		{name: "a link from where git writes to its settings", outside: `echo more >>file`, inside: []string{`ln -sfT config .git/COMMIT_EDITMSG && printf '[core]\n\tfsmonitor = touch made-pwned; false\n' >.git/SQUASH_MSG`},
			says: []string{"/.git/COMMIT_EDITMSG"}, then: `git -c core.editor=true commit -qa && ! grep fsmonitor .git/config && git status && test ! -e made-pwned`},
		{name: "links that others have made in a repository", outside: `ln -s "$O/directory" .git/lfs && ln -sf ../../file .git/hooks/pre-commit && git pack-refs --all && mv .git/packed-refs "$O" && ln -s "$O/packed-refs" .git && ln -s "$O/directory" .git/rr-cache`, not: "the command created",
			inside: []string{`echo x >made-x`}, then: `for n in packed-refs rr-cache lfs hooks/pre-commit; do test -L .git/$n || exit; done`},
		{name: "a repository made inside that leads to links of the host's", outside: `rm -rf .git && ln -s file "$O/link_to"`, inside: []string{`ln -s "$O" .git`}, then: `test -L "$O/link_to"`},
		{name: "links anywhere in a repository", outside: `mkdir -p .git/modules/.d/m && touch .git/modules/.d/m/HEAD && mkdir -p .git/worktrees/w/logs`,
			inside: []string{`cd .git && mkdir -p refs/heads/x modules/.d/m/logs && for n in logs/HEAD refs/heads/x/y info/exclude2 modules/.d/m/logs/HEAD worktrees/w/logs/HEAD modules/.d/m/index; do ln -sfT "$O/file" $n; done`},
			says:   []string{"symbolic link /", "/.git/refs/heads/x/y,", "/.git/modules/.d/m/logs/HEAD,", "/.git/worktrees/w/logs/HEAD,"},
			then:   `test -z "$(find .git -type l)" && git commit -q --allow-empty -m outside`},
		{name: "links in a directory that becomes one of git's", inside: []string{`mkdir made-logs && ln -s "$O/file" made-logs/HEAD`, `rm -r .git/logs && mv made-logs .git/logs`},
			says: []string{"/.git/logs/HEAD,"}, then: `test ! -L .git/logs/HEAD && git commit -q --allow-empty -m outside`},
		{name: "links in a directory of objects that becomes another of git's", inside: []string{`mkdir .git/objects/x && ln -s "$O/file" .git/objects/x/HEAD`, `rm -r .git/logs && mv .git/objects/x .git/logs`},
			says: []string{"/.git/logs/HEAD,"}, then: `test ! -L .git/logs/HEAD && git commit -q --allow-empty -m outside`},
		{name: "links of the user's beside files that git writes", outside: `ln -s "$O/file" .git/info/mine; mkdir -p .git/annex/x; ln -s "$O/file" .git/annex/x/mine; ln -s "$O/file" .git/mine`,
			inside: []string{`touch .git/info/made .git/annex/x/made .git/made; git commit -q --allow-empty -m inside`}, not: "the command created", then: `test -L .git/info/mine && test -L .git/annex/x/mine && test -L .git/mine`},
		{name: "a head that is a link, as old versions of git make it", inside: []string{`rm .git/HEAD && ln -s refs/heads/main .git/HEAD && git commit -q --allow-empty -m inside`}, not: "the command created", then: `git log --format=%s -1 | grep -qx inside`},
		{name: "many links", inside: []string{`mkdir .git/x && cd .git/x && ln -s "$O/file" 1 && for n in {2..300}; do ln -s "$O/file" $n; done`},
			says: []string{"warning: removed 290 more such links"}, then: `test -z "$(find .git -type l)"`},
		{name: "borrowed objects, behind a link", inside: []string{`cd .git/objects; mkdir -p info; mv info info2; ln -s info2 info; echo /x/.git/objects >info/alternates`},
			says: []string{"/.git/objects/info,"}, then: `test ! -e .git/objects/info/alternates && git status`},
		{name: "a link whose name changes the direction of text", inside: []string{`ln -s x $'.git/x\xe2\x80\xaey\xe2\x81\xa7z\xd8\x9c'`}, says: []string{"/.git/x?y?z?"}, not: "\u202e"},
		{name: "odd names of submodules", outside: `for n in .d/m 'a -> b' $'c\nd' HEAD -e; do mkdir -p ".git/modules/$n/hooks" && echo ref: refs/heads/main >".git/modules/$n/HEAD" && touch ".git/modules/$n/config"; done`,
			inside: []string{`for d in .d/m 'a -> b' $'c\nd' HEAD -e; do echo x 2>/dev/null >>".git/modules/$d/config"; touch ".git/modules/$d/hooks/x" 2>/dev/null; echo x >".git/modules/$d/commondir"; done; true`},
			says:   []string{"/.git/modules/.d/m/commondir, which git would trust", "/.git/modules/a -> b/commondir, which", "/.git/modules/c?d/commondir, which", "/.git/modules/-e/commondir, which"},
			then:   `test -z "$(find .git/modules -name x -o -name config -size +0 -o -name commondir)" && test "$(find .git/modules -name 'commondir.untrusted-*' -printf x)" = xxxxx`},
		{name: "many submodules", outside: `mkdir -p .git/modules/m{1..400}/hooks && for n in {1..400}; do touch .git/modules/m$n/{HEAD,config}; done`,
			inside: []string{`! touch .git/modules/m{1,177,400}/hooks/x 2>/dev/null && ! (echo x >>.git/modules/m399/config) 2>/dev/null`}, not: "the command created"},
		{name: "more directories than can be looked at", outside: `mkdir -p .git/modules/x{1..2000}`, inside: []string{`true`}, says: []string{"too many directories in"}, ends: 125},
		{name: "a lock file", inside: []string{`git config user.x y; git config core.fsmonitor x; true`}, then: `test ! -e .git/config.lock && ! grep -q fsmonitor .git/config`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			harness.Crossed(t, i, c.try)
		})
	}
}

func (c exits) try(t *testing.T, s harness.Setting) {
	w := newWorld(t, s)
	text := `extends = ["default"]`
	l := w.launch(t, text)
	l.shell(t, c.outside)
	w.Give(t, w.Top)
	before := harness.StateOf(t, w.Outside, filepath.Join(w.Home, ".ssh"))
	var r harness.Result
	for i, do := range c.inside {
		r = l.Run(t, "bash", "-c", "P=$PWD O="+w.Outside+"; "+do)
		want := 0
		if i == len(c.inside)-1 {
			want = c.ends
		}
		if r.Status != want {
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
	before.Same(t, harness.StateOf(t, w.Outside, filepath.Join(w.Home, ".ssh")))
}

// TestExitElsewhere: what the host makes outside of the project while a command runs
// stays where it is, whatever settings a command has made before.
func TestExitElsewhere(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
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
			if got := waits.end(t); got != 0 {
				t.Errorf("%s: status %d: %s", at, got, said.String())
			}
			l.shell(t, `ls "$O/victim" "$H/victim" ../victim && rm -r "$O/victim" "$H/victim" ../victim .git/modules`)
		}
	})
}
