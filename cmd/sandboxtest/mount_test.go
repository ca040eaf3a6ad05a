package sandboxtest

import (
	"testing"

	"bwrapgen/cmd/harness"
)

// mounted has the host mount things in the project, and in what lies outside:
// file systems of their own, another directory, a file. Some stand where names
// are protected or hidden, or above them.
func mounted(t *testing.T, l *launcher) {
	l.Write(t, map[string]string{
		"outside/hooks/pre-commit": "#!/bin/sh\n", "outside/settings": "ours\n", "outside/directory/in/ours": "ours\n",
		"home/code/p/secrets/one": secret, "home/code/p/secrets/deep/two": secret, "home/code/p/.env": secret, "home/code/p/deploy/hook": "hook\n",
	})
	l.shell(t, `mkdir -p "$O/sub"`)
	l.Give(t, l.Top)
	l.Start = l.InNamespace(`
		cd "$1"
		mount -t tmpfs none a; echo a >a/file
		mount --bind "$2/directory" b
		mount --bind "$2/hooks" .git/hooks
		mount --bind "$2/settings" .envrc
		mount -t tmpfs none .vscode; echo '{}' >.vscode/tasks.json
		mount -t tmpfs none secrets; cp "$2/file" secrets/one; mkdir secrets/deep; mount -t tmpfs none secrets/deep; cp "$2/file" secrets/deep/two
		mount --bind "$2/file" .env
		mount -t tmpfs none deploy; echo hook >deploy/hook
		mount -t tmpfs none "$2/sub"; echo below >"$2/sub/file"`, l.Project, l.Outside)
}

// copied does something in a copy of the project, outside.
func copied(do string) string {
	return `rm -rf ../copied && cp -a . ../copied && cd ../copied && { ` + do + `; }`
}

// TestMounts: what the host has mounted in the project is a part of it, and what
// is held there is held, be it a mount, in one, or above one.
func TestMounts(t *testing.T) {
	t.Parallel()
	attack(t, "extends = [\"default\"]\n[project]\nprotect = [\"deploy/hook\", \"deploy/later\"]\nhide = [\"secrets/\", \".env\"]\n[filesystem]\nread = [\"$O\"]", []row{
		{name: "a file system of its own", do: `cat a/file && echo x >a/made-x && cat a/made-x`, says: `^a\nx$`},
		{name: "another directory", do: `cat b/file && echo y >b/in/ours`, says: `^outside$`},
		{name: "hooks", do: `touch .git/hooks/made-hook`, denied: held},
		{name: "a hook", do: `echo evil >>.git/hooks/pre-commit`, denied: held},
		{name: "a file", do: `echo evil >>.envrc`, denied: held},
		{name: "in a file system", do: `echo evil >>.vscode/tasks.json`, denied: held},
		{name: "beside it there", do: `touch .vscode/made-x`, denied: held},
		{name: "a name below one", do: `echo evil >>deploy/hook`, denied: held},
		{name: "the same, replaced", do: `echo evil >deploy/made-h && mv -f deploy/made-h deploy/hook`, denied: held},
		{name: "an absent one", do: `echo evil >deploy/later`, denied: held, control: copied(`echo evil >deploy/later`)},
		{name: "move them", do: `for n in .git .git/hooks .envrc .vscode deploy secrets .env; do "$inside" try rename $n made-n && exit; done`, denied: held, control: copied(`mv .git made-n`)},
		{name: "unmount them", do: `for n in .git/hooks .envrc .vscode deploy secrets .env; do "$inside" try umount "$P/$n" && exit; done`, denied: `EPERM`, control: none},
		{name: "hidden ones", do: `cat secrets/one secrets/deep/two .env`, denied: `No such file`},
		{name: "what is shown read-only", do: `cat "$O/sub/file" && echo x >>"$O/sub/file"`, denied: `below\n.*Read-only`, control: `echo x >>"$O/file"`},
		{name: "git works", do: `git status --short >/dev/null && git add file && git commit -qm second --allow-empty --no-verify`},
	}, mounted)
}

// TestMountsReadOnly: they are read-only where the project is.
func TestMountsReadOnly(t *testing.T) {
	t.Parallel()
	attack(t, `extends = ["look"]`, []row{
		{name: "they are seen", do: `cat a/file b/file`, says: `^a\noutside$`},
		{name: "a file system of its own", do: `touch a/made-x`, denied: `Read-only file system`},
		{name: "another directory", do: `echo y >b/in/ours`, denied: `Read-only file system`, control: `echo y >"$O/directory/in/ours"`},
		{name: "a file", do: `echo y >>.envrc`, denied: `Read-only file system`},
		{name: "to write again", do: `"$inside" try remount-rw "$P/a"`, denied: `EPERM`, control: none},
	}, mounted)
}

// TestMountsOverlaid: of a project with mounts there can be no view without them.
func TestMountsOverlaid(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, "extends = [\"default\"]\n[project]\naccess = \"overlay\"")
		mounted(t, &l)
		l.Run(t, "echo", "ran").Refused(t, "a view of the project", l.Project+"/a is mounted below it")
	})
}
