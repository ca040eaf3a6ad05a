package sandboxtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestShellVariables: what bash would believe of the environment, or would
// change its ways by, changes nothing.
func TestShellVariables(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		const look = `id -u; id -g; pwd; echo "$HOME"; cat file; echo x >>.git/config; exit 5`
		want := l.from(t, `"$L" sh -c '`+look+`' 2>/dev/null`)
		want.Ends(t, 5).Prints(t, fmt.Sprintf("%d\n%d\n%s\n%s\nproject\n", s.UID, s.GID, w.Project, w.Home))
		for _, set := range []string{
			"IFS=/", "CDPATH=/:/usr", "TMOUT=1", "OPTIND=7", "BASHOPTS=nocasematch:dotglob:failglob", "SHELLOPTS=noglob:noexec", "GLOBIGNORE=*", "REPLY=x", "PWD=/", "OLDPWD=/etc", "HOSTTYPE=x", "MACHTYPE=x",
			"BASH_ENV=" + w.Outside + "/file", "ENV=" + w.Outside + "/file", "PS4=$(touch made-x)", "LC_ALL=xx_YY.UTF-8", "HOSTNAME=x",
			"path=/", "project=/", "mounts=x", "known=x", "lacks=x", "status=9", "absent=x", "held=x", "name=x", "i=9", "self=x", "home=/", "made=x", "git_dir=/", "caller_path=/", "caches=x", "pass=SECRET_TOKEN", "network=host",
		} {
			m := l
			m.Program, m.Words = "/usr/bin/env", []string{set, l.Program}
			got := m.Run(t, "sh", "-c", look)
			if got.Status != want.Status || got.Stdout != want.Stdout {
				t.Errorf("%s: status %d, %q; it said %q", set, got.Status, got.Stdout, got.Stderr)
			}
		}
	})
}

// TestFewProcesses: what bash itself fails at ends with the launcher's own status,
// and not with bash's, which a command can have, too.
func TestFewProcesses(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		l.Run(t, "bash", "-c", "exit 254").Ends(t, 254)
		if s.UID == 0 { // has no such limit
			return
		}
		l.from(t, `ulimit -u 1; exec "$L" true`).Refused(t, "could not go on", "above")
	})
}

// TestOldEnv: where env has no --default-signal, as busybox's, the command
// runs, Ctrl-C ends it, and a command that is not there is 127.
func TestOldEnv(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		real, err := os.ReadFile("/usr/bin/env")
		if err != nil {
			t.Fatal(err)
		}
		w.Put(t, filepath.Join(w.Outside, "env"), []byte("#!/bin/sh\ncase \"$*\" in\n*--default-signal=*) echo 'env: no such option' >&2; exit 125 ;;\n--help) echo 'usage: env' ;;\n*) exec /usr/local/bin/"+envName+" \"$@\" ;;\nesac\n"))
		w.Put(t, filepath.Join(w.Outside, "local", envName), real)
		l.Start = l.InNamespace(`mount -t tmpfs none /dev/shm && chmod 1777 /dev/shm && mount --bind "$1" /usr/local/bin && mount --bind "$2" /usr/bin/env`,
			filepath.Join(w.Outside, "local"), filepath.Join(w.Outside, "env"))
		l.Run(t, "sh", "-c", "echo ran; exit 9").Expect(t, "a command", 9, "ran\n")
		if r := l.Run(t, "no-such-command"); r.Status != 127 || !strings.Contains(r.Stderr, "no-such-command") {
			t.Errorf("an unknown command: %d, %s", r.Status, r.Stderr)
		}
		x := harness.NewTerminal(t, l.Account)
		c := l.Command(t.Context(), "bash", "-c", "echo rea\"\"dy; sleep 300")
		x.Start(t, c)
		x.Expect(t, `ready\r\n`)
		x.Types(t, "\x03")
		if said, status := x.End(t, c); status != 130 {
			t.Errorf("Ctrl-C: status %d: %q", status, said)
		}
	})
}

const envName = "env-of-the-host"

// TestSetuidBwrap: G3, a set-uid bwrap is refused with what to do.
func TestSetuidBwrap(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		own := filepath.Join(w.Home, "bin/bwrap")
		program, err := os.ReadFile(filepath.Join(s.Bwrap, "bwrap"))
		if err != nil {
			t.Fatal(err)
		}
		w.Put(t, own, program)
		w.Give(t, filepath.Dir(own))
		path := "PATH=" + filepath.Dir(own) + ":" + s.Path()
		l.from(t, `"$L" echo ran`, path).Expect(t, "the same one without", 0, "ran\n")
		if err := os.Chmod(own, 0o755|os.ModeSetuid); err != nil {
			t.Fatal(err)
		}
		l.from(t, `"$L" echo ran`, path).Refused(t, "a set-uid bwrap", "set-uid", "chmod u-s "+own)
	})
}

// TestLinkedHome: a home directory that is a symbolic link is there by both its names, the command
// runs in the real project, and what is protected stays so.
func TestLinkedHome(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `ln -s "$H" "$O/../moved"; ln -s code/p "$H/short"`)
		for place, want := range map[string]string{"/code/p": "", "/code/p/a": "/a", "/short": "", "/short/a": "/a"} {
			r := l.from(t, `cd "$HOME`+place+`" && "$L" sh -c 'echo "$PWD"; cd / && cd "$OLDPWD" && pwd; git rev-parse --git-dir >/dev/null && echo git; (echo x >>$(git rev-parse --git-dir)/config) 2>/dev/null || echo held; cat file "$HOME/code/p/file" >/dev/null && echo x >made-l && echo works'`, "HOME="+w.Top+"/moved")
			r.Expect(t, place, 0, strings.Repeat(w.Project+want+"\n", 2)+"git\nheld\nworks\n")
		}
	})
}

// TestHardLinks: A5, the doctor lists files with several hard links, and prints
// nothing if there are none.
func TestHardLinks(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `mkdir a/deep && ln "$O/file" a/deep/hard`) // is not looked for
		r := l.Run(t, "--sandbox-doctor")
		if r.Status != 0 || !strings.Contains(r.Stdout, w.Project+"/hard: this file has other names (hard links)") || strings.Count(r.Stdout, "hard links") != 1 {
			t.Errorf("the doctor: %d: %s%s", r.Status, r.Stdout, r.Stderr)
		}
		l.shell(t, `rm hard`)
		if r := l.Run(t, "--sandbox-doctor"); r.Status != 0 || strings.Contains(r.Stdout, "hard links") {
			t.Errorf("without: %d: %s%s", r.Status, r.Stdout, r.Stderr)
		}
	})
}

// TestLinkedRepository: B18, .git is a link to a repository: nothing runs, and the way
// out is said, or hooks and settings are the host's, by whatever name, and no repository
// of the command's own stands in the link's place.
func TestLinkedRepository(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		for _, target := range []string{"$O/repository", "$H/code/repository", "$P/a/repository"} {
			w := newWorld(t, s)
			l := w.launch(t, `extends = ["default"]`)
			l.shell(t, `mv .git "`+target+`" && ln -s "`+target+`" .git`)
			w.Give(t, w.Top)
			at := w.expand(target)
			before := harness.StateOf(t, at+"/hooks", at+"/config")
			r := l.Run(t, "bash", "-c", `for f in "$0"/hooks/made "$0"/config "$0"/hooks/pre-commit .git/hooks/made .git/config; do (echo evil >>$f); done 2>/dev/null; mv "$0"/hooks "$0"/h; mkdir -p "$0"/hooks; echo x >"$0"/hooks/pre-commit
				mv .git made-git; git init -q . && git config core.fsmonitor "touch made-pwned; false"; echo x >made-x; true`, at)
			if r.Status == 125 {
				r.Refused(t, target, w.Project+"/.git")
			} else if r.Status != 0 || harness.Read(t, w.Project+"/made-x") != "x\n" {
				t.Errorf("%s: %d, %s", target, r.Status, r.Stderr)
			}
			before.Same(t, harness.StateOf(t, at+"/hooks", at+"/config"))
			l.shell(t, `git status >/dev/null 2>&1; [ ! -e made-pwned ]`)
		}
	})
}

// TestKilledCommit: B23, what is killed inside a commit leaves no more than
// git's own lock, and the next commit works when that is gone.
func TestKilledCommit(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `rm -r .git/hooks; echo changed >file; git add file`)
		w.Give(t, w.Top)
		entries := func() string {
			return l.shell(t, `find . -path ./.git/objects -prune -o -path ./.git/logs -prune -o -path ./.git/hooks -empty -o -print | sort`)
		}
		before := entries()
		word := l.word("commit")
		c := l.Command(t.Context(), "bash", "-c", `export GIT_EDITOR="echo started; sleep 300 #"; git commit`, word)
		harness.Begin(t, c, "started")
		harness.Complete(t, word)
		if err := c.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		harness.Eventually(t, "no process is left", func() bool { return len(harness.Running(t, word)) == 0 })
		l.shell(t, `rm -f .git/index.lock`)
		l.Run(t, "git", "commit", "-qm", "second").Succeeds(t, "the next commit")
		if now := entries(); strings.TrimSpace(strings.ReplaceAll(now, "./.git/COMMIT_EDITMSG\n", "")) != strings.TrimSpace(strings.ReplaceAll(before, "./.git/COMMIT_EDITMSG\n", "")) {
			t.Errorf("something is left: %s, was %s", now, before)
		}
	})
}

// TestSigns: gpg signs by the restricted socket of the host's agent, which
// keeps the key.
func TestSigns(t *testing.T) {
	t.Parallel()
	harness.Need(t, "gpg-agent")
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[sockets]\npass = [\"gpg-agent\"]")
		host := l
		host.Program = "/bin/bash"
		gpg := func(script string) harness.Result {
			t.Helper()
			return host.Run(t, "-euc", script).Ends(t, 0)
		}
		gpg(`rm -f ~/.gnupg/*; chmod 700 ~/.gnupg; gpg -q --batch --passphrase '' --quick-gen-key somebody@example.org ed25519 sign && gpg --export >made-public`)
		t.Cleanup(func() { gpg(`gpgconf --kill all`) })
		gpg(`gpg-connect-agent /bye >/dev/null`)
		l.Run(t, "sh", "-euc", `gpg -q --import made-public; gpg --batch -q --detach-sign -o made-signature file`).Succeeds(t, "gpg --detach-sign")
		gpg(`gpg -q --verify made-signature file`)
		if r := l.Run(t, "sh", "-c", `gpg -q --import made-public; gpg --batch -q --export-secret-keys | grep .`); r.Status == 0 {
			t.Errorf("the key itself is given away: %q", r.Stdout)
		}
		gpg(`gpg --batch -q --export-secret-keys | grep -q .`)
	})
}

// TestTmpdir: where the caller's temporary directory is, in the project maybe,
// where another sandbox could get at them, the launcher puts no files.
func TestTmpdir(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[limits]\noutput = \"30KiB\"")
		for _, place := range []string{w.Project + "/absent", "/proc", "relative", ""} {
			l.Set("TMPDIR=" + place)
			r := l.Run(t, "--sandbox-capture", "sh", "-c", `echo "$TMPDIR" && mktemp >/dev/null`)
			r.Expect(t, "TMPDIR="+place, 0, "/tmp\n")
		}
		for _, asks := range []string{"pass", "require"} {
			l := w.launch(t, "[filesystem]\nread = [\"/usr\", \"/bin?\", \"/lib?\", \"/lib64?\"]\n[environment]\n"+asks+` = ["TMPDIR"]`)
			l.from(t, `"$L" printenv TMPDIR`, "TMPDIR=/var/tmp").Expect(t, asks, 0, "/var/tmp\n")
			l.from(t, `"$L" printenv TMPDIR`, "TMPDIR=").Expect(t, asks+", empty", 0, "\n")
			absent := l.from(t, `unset TMPDIR; temporary=x "$L" sh -c 'echo ${TMPDIR-absent}'`)
			if asks == "require" {
				absent.Refused(t, "a TMPDIR that is not set", "TMPDIR is not set")
			} else {
				absent.Expect(t, "no TMPDIR", 0, "absent\n")
			}
		}
	})
}

// TestIgnored: who ignores signals has the launcher run as anybody.
func TestIgnored(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		for _, signals := range []string{"USR1", "INT,PIPE,HUP"} {
			l.from(t, `exec env --ignore-signal=`+signals+` "$L" sh -c 'cat file; echo "$1"; exit 7' sh "a  b"`).
				Expect(t, signals, 7, "project\na  b\n")
		}
		// What a script starts in the background ignores INT; the command does, too.
		const interrupt = `sh -c 'kill -INT $$; echo survived'`
		l.from(t, `exec env --default-signal=INT "$L" `+interrupt).Ends(t, 130)
		l.from(t, `exec env --ignore-signal=INT "$L" `+interrupt).Expect(t, "INT", 0, "survived\n")
		l.from(t, `"$L" `+interrupt+` & wait $!`).Expect(t, "in the background", 0, "survived\n")
	})
}

// TestUnheard: whether somebody hears what a launcher says at the end changes nothing of
// what it does there, nor its exit status.
func TestUnheard(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, script string }{
		{"control", `"$L" sh -c "$DO" >ready; echo $?`},
		{"closed", `"$L" sh -c "$DO" >ready 2>&-; echo $?`},
		{"full", `"$L" sh -c "$DO" >ready 2>/dev/full; echo $?`},
		{"a reader that is gone", `"$L" sh -c "$DO" 2>&1 >ready | true; echo ${PIPESTATUS[0]}`},
	}
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		for _, row := range rows {
			r := l.from(t, `rm -f .git/commondir* .mcp.json; `+row.script+`; ls .git/commondir .mcp.json 2>&1`, "DO=sleep 0.2; echo >.git/commondir; echo >.mcp.json; exit 7")
			if !strings.HasPrefix(r.Stdout, "7\n") || strings.Contains(r.Stdout, "\n.git/commondir\n") || !strings.Contains(r.Stdout, "\n.mcp.json\n") {
				t.Errorf("%s: the command has made .git/commondir and ended with 7, and there is:\n%s%s", row.name, r.Stdout, r.Stderr)
			}
		}
	})
}
