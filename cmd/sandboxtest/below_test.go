package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestProtectedBelow: where a launcher is started further down, as in a package of a
// monorepo, the protected names are held in each directory on the way there: those that
// are there, and those of the profile's own. In others they are free.
func TestProtectedBelow(t *testing.T) {
	t.Parallel()
	attack(t, "extends = [\"default\"]\nproject.protect = [\"own.toml\"]", []row{
		{name: "a shell's hook", do: `echo x >>packages/a/.envrc`, denied: held},
		{name: "what an editor runs", do: `echo x >>packages/a/.vscode/tasks.json`, denied: held},
		{name: "what an agent obeys", do: `echo x >>packages/a/.claude/settings.json`, denied: held},
		{name: "the profile's own", do: `echo x >>packages/a/own.toml`, denied: held},
		{name: "to replace one", do: `echo x >made-e && mv -f made-e packages/a/.envrc`, denied: held},
		{name: "to move the package", do: `mv packages/a packages/made-a`, denied: held, control: copied(`mv packages/a packages/made-a`)},
		{name: "to move what lies above", do: `mv packages made-p`, denied: held, control: copied(`mv packages made-p`)},
		{name: "between it and the project", do: `echo x >>packages/.envrc`, denied: held},
		{name: "the project's", do: `echo x >>.envrc`, denied: held},
		{name: "a hook", do: `touch .git/hooks/made-hook`, denied: held},
		{name: "another package's", do: `echo x >>packages/b/.envrc && echo x >packages/b/.mcp.json && rm packages/b/.mcp.json`},
		{name: "beside them", do: `echo x >packages/a/made-x && mkdir packages/a/made-d && git status --short >/dev/null`},
	}, func(t *testing.T, l *launcher) {
		l.Write(t, map[string]string{
			"home/code/p/packages/a/.envrc": "ours\n", "home/code/p/packages/a/.vscode/tasks.json": "{}\n", "home/code/p/packages/a/.claude/settings.json": "{}\n",
			"home/code/p/packages/a/own.toml": "ours\n", "home/code/p/packages/.envrc": "ours\n", "home/code/p/packages/b/.envrc": "another's\n",
		})
		l.Give(t, l.Project)
		l.Dir = filepath.Join(l.Project, "packages/a")
	})
}

// TestProtectedBelowMade: one that the command makes on the way is named at the end.
func TestProtectedBelowMade(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `mkdir -p packages/a packages/b`)
		l.Give(t, w.Project)
		r := l.in(w.Project+"/packages/a").Run(t, "sh", "-c", `echo x >.envrc; echo x >../.mcp.json; echo x >../b/.envrc`)
		for name, named := range map[string]bool{"packages/a/.envrc": true, "packages/.mcp.json": true, "packages/b/.envrc": false} {
			if strings.Contains(r.Stderr, name+", which") != named {
				t.Errorf("%s is named: %t: %s", name, !named, r.Stderr)
			}
		}
	})
}

// TestFolderOfRepositories: in a folder that is no work tree, but has some in it, their
// hooks and settings are held, and git works in each.
func TestFolderOfRepositories(t *testing.T) {
	t.Parallel()
	attack(t, `extends = ["default"]`, []row{
		{name: "B14 a hook", do: `touch sub/.git/hooks/made-hook`, denied: held},
		{name: "B14 another's", do: `touch "two words/.git/hooks/made-hook"`, denied: held},
		{name: "B14 settings", do: `echo x >>sub/.git/config`, denied: held},
		{name: "B14 settings by git", do: `git -C "two words" config core.fsmonitor x`, denied: held + `|could not (lock|write)`},
		{name: "B14 to move .git", do: `mv sub/.git sub/made-g`, denied: held, control: copied(`mv sub/.git sub/made-g`)},
		{name: "git works", do: `cd sub && echo x >made-f && git add made-f && git commit -qm second --no-verify && git log --format=%s`, says: `^second\nfirst$`},
		{name: "what is no repository", do: `echo x >a/made-x`},
	}, func(t *testing.T, l *launcher) {
		l.shell(t, `rm -rf .git && cp -a sub "two words" && git -C "two words" update-index -q --refresh`)
		l.Give(t, l.Project)
	})
}

// TestGlobs: what a profile hides and protects may be said by a pattern, which stands for
// what is there at the start, within one name.
func TestGlobs(t *testing.T) {
	t.Parallel()
	attack(t, `extends = ["default"]
[project]
hide    = [".env*", "apps/*/.env", "keys/?[ab].pem"]
protect = ["deploy-*", "apps/*/own.toml"]`, []row{
		{name: "a file", do: `grep the-secret .env`, denied: `^$`},
		{name: "another file", do: `grep the-secret .env.local`, denied: `^$`},
		{name: "one below", do: `grep -r the-secret apps`, denied: `^$`, control: `grep -r the-secret apps | grep -c . | grep -x 2`},
		{name: "by a class", do: `grep the-secret keys/1a.pem`, denied: `^$`},
		{name: "what the class does not have", do: `grep ours keys/1c.pem keys/12a.pem`},
		{name: "no further down", do: `grep ours apps/one/deep/.env`},
		{name: "change what is protected", do: `echo x >>deploy-all`, denied: held},
		{name: "change it below", do: `echo x >>"apps/two words/own.toml"`, denied: held},
		{name: "move what lies above", do: `mv "apps/two words" apps/made`, denied: held, control: copied(`mv "apps/two words" apps/made`)},
		{name: "beside them", do: `echo x >made-env && echo x >apps/one/made-x`},
	}, func(t *testing.T, l *launcher) {
		l.Write(t, map[string]string{
			"home/code/p/.env": secret, "home/code/p/.env.local": secret, "home/code/p/apps/one/.env": secret, "home/code/p/apps/two words/.env": secret,
			"home/code/p/apps/one/deep/.env": "ours\n", "home/code/p/keys/1a.pem": secret, "home/code/p/keys/1c.pem": "ours\n", "home/code/p/keys/12a.pem": "ours\n",
			"home/code/p/deploy-all": "ours\n", "home/code/p/apps/two words/own.toml": "ours\n",
		})
		l.shell(t, `rm .envrc`)
		l.Give(t, l.Project)
	})
}

// TestGlobsOdd: names that a pattern finds are taken as they are, and one that finds
// nothing keeps nobody from starting.
func TestGlobsOdd(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		for _, name := range []string{"a b", `q"uote`, "[x]", "$(touch made-x)", "new\nline", "-n"} {
			w.Write(t, map[string]string{"home/code/p/hidden." + name: secret})
		}
		w.Give(t, w.Project)
		l := w.launch(t, "extends = [\"default\"]\n[project]\nhide = [\"hidden.*\", \"nothing*\"]\nprotect = [\"none-*/x\"]")
		l.Run(t, "bash", "-c", `cat hidden.* 2>/dev/null; ls made-x nothing* none-* 2>/dev/null; ls hidden.* | grep -c hidden`).Expect(t, "odd names", 0, "6\n")
	})
}
