package sandboxtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestArguments: rows 1 and 2.
func TestArguments(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		hostile := []string{"a b", "", "$'x\ny'", "x\ny", "*", "$HOME", "it's", `"`, `\`, "`id`", "$(id)", "-n", "--", "--sandbox-print", "\xff\xfe", "\u202e", "~", "{a,b}", "!", strings.Repeat("x", 5000)}
		want := strings.Join(hostile, "\x00") + "\x00"
		l.Run(t, append([]string{"printf", `%s\0`}, hostile...)...).Expect(t, "arguments", 0, want)
		l.Run(t, "--", "printf", "%s", "--help").Expect(t, "after --", 0, "--help")
		l.Run(t, "printf", "%s", "--sandbox-help").Expect(t, "the launcher's option", 0, "--sandbox-help")
		l.Run(t, "git", "--exec-path", "--version").Expect(t, "an option of the command", 0, l.Run(t, "git", "--exec-path").Stdout)
	})
}

// TestManyArguments: 40 and beyond, a message where bwrap's limit is passed.
func TestManyArguments(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		many := append([]string{"sh", "-c", `echo $#`, "sh"}, strings.Split(strings.Repeat("x ", 8000), " ")[:8000]...)
		l.Run(t, many...).Expect(t, "8000 arguments", 0, "8000\n")
		l.Run(t, append(many, many...)...).Refused(t, "16000 arguments")
		l.Run(t, "sh", "-c", "echo ${#1}", "sh", strings.Repeat("y", 120_000)).Expect(t, "a long argument", 0, "120000\n")
	})
}

// TestStatus: rows 3 to 5, and D14.
func TestStatus(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		for command, want := range map[string]int{
			"true": 0, "false": 1, "exit 7": 7, "exit 42": 42, "exit 125": 125, "exit 126": 126, "exit 127": 127, "exit 255": 255,
			"kill -TERM $$": 143, "kill -KILL $$": 137, "kill -HUP $$": 129, "kill -INT $$": 130, "kill -SEGV $$": 139,
		} {
			l.Run(t, "sh", "-c", command).Expect(t, command, want, "")
		}
		unknown := l.Run(t, "no-such-command", "x")
		unknown.Expect(t, "an unknown command", 127, "")
		if !strings.Contains(unknown.Stderr, "no-such-command") {
			t.Errorf("an unknown command is not named: %q", unknown.Stderr)
		}
		l.Run(t, "./file").Expect(t, "not executable", 126, "")
		l.Run(t, "./a").Expect(t, "a directory", 126, "")
		l.Run(t, "sh", "-c", `mkdir x=y && printf '#!/bin/sh\necho "ran $*"\n' >x=y/say && chmod +x x=y/say`).Ends(t, 0)
		l.Run(t, "./x=y/say", "true").Expect(t, "a path with =", 0, "ran true\n")
		l.Run(t, "x=y", "true").Expect(t, "a word with =", 127, "")
		l.Run(t, "--sandbox-nonsense").Refused(t, "an unknown option", "nonsense")
	})
}

// TestStreams: D15, 10 and 11.
func TestStreams(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		l.RunWith(t, strings.NewReader("in\n"), "cat").Expect(t, "a pipe", 0, "in\n")
		big := strings.Repeat("0123456789abcdef", 1<<16)
		if r := l.RunWith(t, strings.NewReader(big), "cat"); r.Stdout != big || r.Status != 0 {
			t.Errorf("a megabyte: status %d, %d bytes", r.Status, len(r.Stdout))
		}
		l.Run(t, "sh", "-c", "cat; echo end").Expect(t, "nothing to read", 0, "end\n")
		for what, c := range map[string]struct{ script, want string }{
			"a process substitution": {`"$L" cat <(echo hi)`, "hi\n"},
			"two of them":            {`"$L" cat <(echo a) <(echo b)`, "a\nb\n"},
			"closed early":           {`"$L" yes | head -n 1`, "y\n"},
			"no standard error":      {`"$L" sh -c 'echo x' 2>&-`, "x\n"},
			"both streams":           {`"$L" sh -c 'echo x >&2' 2>&1 >/dev/null`, "x\n"},
			"umask 027":              {`umask 027; "$L" sh -c 'echo >made-u; stat -c %a made-u; umask'`, "640\n0027\n"},
			"/dev/fd/0":              {`echo x | "$L" cat /dev/fd/0 /dev/null`, "x\n"},
			"a heredoc":              {"\"$L\" cat <<'E'\nx\nE", "x\n"},
			"a file":                 {`"$L" cat <file`, "project\n"},
		} {
			t.Run(what, func(t *testing.T) { l.from(t, c.script).Expect(t, what, 0, c.want) })
		}
	})
}

// from runs a launcher, $L, by way of bash.
func (l launcher) from(t *testing.T, script string, environment ...string) harness.Result {
	t.Helper()
	shell := l
	shell.Environment = append(harness.With(l.Environment, environment...), "L="+l.Program)
	shell.Program = "/bin/bash"
	return shell.Run(t, "-c", script)
}

// TestPlaces: 33, C10, C12 and C15, where a launcher is started.
func TestPlaces(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `ln -s code/p "$H/shortcut"; ln -s "$P/a" "$H/deep"; mkdir "$H/gone"`)
		for _, dir := range []string{"/", "/etc", "/usr", "/usr/lib", "/tmp", "/home", "/proc", "/dev", "/var/tmp", "/root", "/boot", "/media", "/mnt", "/opt", "/run", "/srv", "/sys", "/var", "/var/lib", "/var/lib/dpkg", w.Home, w.Top, filepath.Dir(w.Top)} {
			if _, err := os.Stat(dir); err == nil && (dir != "/root" || s.UID == 0) {
				l.Dir = dir
				l.Run(t, "echo", "ran").Refused(t, dir)
			}
		}
		for script, want := range map[string]string{
			`cd "$HOME/code/p" && "$L" pwd`:                                w.Project + "\n",
			`cd "$HOME/code/p/a" && "$L" pwd`:                              w.Project + "/a\n",
			`cd "$HOME/code/p/a" && "$L" sh -c 'cat ../file; cat file'`:    "project\na\n",
			`cd "$HOME/shortcut" && "$L" sh -c 'echo x >made-s; cat file'`: "project\n",
			`cd "$HOME/shortcut" && "$L" sh -c pwd`:                        w.Project + "\n",
			`cd "$HOME/shortcut/a" && "$L" sh -c 'pwd; cat ../file'`:       w.Project + "/a\nproject\n",
			`cd "$HOME/shortcut" && PWD="$HOME//shortcut" "$L" sh -c pwd`:  w.Project + "\n",
			`cd "$HOME/deep" && "$L" cat file`:                             "a\n",
		} {
			l.Dir = w.Project
			l.from(t, script).Expect(t, script, 0, want)
		}
		l.from(t, `"$L" echo ran`, "HOME").Refused(t, "no HOME", "HOME")
		l.from(t, `"$L" echo ran`, "HOME=").Refused(t, "an empty HOME", "HOME")
		l.from(t, `"$L" echo ran`, "HOME=work").Refused(t, "a relative HOME", "HOME")
		l.from(t, `"$L" echo ran`, "HOME=/").Refused(t, "HOME=/", "HOME is not a home directory")
		l.from(t, `"$L" echo ran`, "HOME=/usr/..").Refused(t, "HOME=/usr/..", "HOME is not a home directory")
		l.from(t, `"$L" echo ran`, "HOME="+l.Program).Refused(t, "HOME is a file", "HOME is not a home directory")
		l.from(t, `"$L" echo ran`, "HOME="+w.Project).Refused(t, "HOME is the project", "home")
		l.from(t, `"$L" echo ran`, "HOME="+w.Project+"/a/..").Refused(t, "HOME is the project, by another name", "home")
		l.from(t, `"$L" echo ran`, "HOME="+w.Project+"/a").Refused(t, "HOME is in the project", "home")
	})
}

// TestShut: 32 and 33, below a directory that nobody may list a project is as
// any other, and where there is no directory at all nothing runs.
func TestShut(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `mkdir -p "$H/shut/project/.vscode" && cp -a .git "$H/shut/project"`)
		w.Give(t, w.Home)
		l.shell(t, `chmod 0311 "$H/shut"`)
		l.from(t, `cd "$HOME/shut/project" && "$L" sh -c 'echo x >made && cat made && pwd && ! touch .vscode/x 2>&1 | grep -v Read-only'`).
			Expect(t, "below what cannot be listed", 0, "x\n"+w.Home+"/shut/project\n")
		l.from(t, `mkdir "$HOME/gone" && cd "$HOME/gone" && rmdir "$HOME/gone" && "$L" echo ran`).Refused(t, "a directory that is gone", "the working directory was removed or cannot be entered")
		if s.UID != 0 {
			l.from(t, `mkdir "$HOME/closed" && cd "$HOME/closed" && chmod 0 "$HOME/closed" && "$L" echo ran`).Refused(t, "a directory that is closed", "the working directory was removed or cannot be entered")
		}
	})
}

// TestOddNames: C11, projects with names that shells stumble over.
func TestOddNames(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		for _, name := range []string{"a b", `q"uote`, "it's", "[a]*", `back\slash`, "new\nline", "\xff\xfe", "-dash", "$(touch made)", "`touch made`", "co:lon,comma", "~", "# hash", "trailing ", "tab\tbed", "\u202e", "%s%n", "a=b", "\\040x"} {
			dir := filepath.Join(w.Home, "work", name)
			if err := os.MkdirAll(filepath.Join(dir, ".git/hooks"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, ".git/config"), []byte("[core]\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			w.Give(t, dir)
			l.Dir = dir
			l.Run(t, "bash", "-c", `printf %s "$PWD"; echo x >made-x; (echo x >>.git/config) 2>/dev/null && echo changed`).Expect(t, name, 1, dir)
			if data, err := os.ReadFile(filepath.Join(dir, "made-x")); err != nil || string(data) != "x\n" {
				t.Errorf("%q: %q, %v", name, data, err)
			}
		}
	})
}

// TestStarts: a launcher may be reached and started in any way.
func TestStarts(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		odd := filepath.Join(w.Top, `o'd "d $(id) [x]* `)
		if err := os.MkdirAll(odd, 0o755); err != nil {
			t.Fatal(err)
		}
		script, err := os.ReadFile(l.Program)
		if err != nil {
			t.Fatal(err)
		}
		w.Put(t, filepath.Join(odd, `l a'u"n$ch`), script)
		l.shell(t, `ln -s "$P/../../../L" "$H/link" && ln -s link "$H/link2"`)
		l.shell(t, `echo 'cd() { echo EVIL; }; unset() { echo EVIL; }; shopt -s extdebug' >"$O/functions"`)
		environment := l.Environment
		check := `sh -c 'pwd; cat file; printenv SECRET_TOKEN EVIL'`
		want := w.Project + "\nproject\n"
		for what, c := range map[string][]string{
			"from cron":             {`env -i HOME="$HOME" PATH=/usr/bin:/bin "$L" ` + check},
			"without PATH":          {`env -i HOME="$HOME" ` + `bash -p "$L" ` + check},
			"an odd path":           {`"$HOME/.."/o*/l* ` + check},
			"through a link":        {`"$HOME/link" ` + check},
			"through two links":     {`"$HOME/link2" ` + check},
			"through PATH":          {`PATH="$HOME:$PATH"; link2 ` + check},
			"by a relative path":    {`../../../L ` + check},
			"by bash":               {`bash -p "$L" ` + check},
			"by its name alone":     {`cp "$L" l && bash -p l ` + check},
			"IFS":                   {`"$L" ` + check, "IFS=:/"},
			"CDPATH":                {`"$L" ` + check, "CDPATH=/tmp:/"},
			"BASH_ENV":              {`"$L" ` + check, "BASH_ENV=" + filepath.Join(w.Outside, "evil"), "ENV=" + filepath.Join(w.Outside, "evil")},
			"functions":             {`"$L" ` + check, "BASH_FUNC_exec%%=() { echo EVIL; }", "BASH_FUNC_env%%=() { echo EVIL; }", "BASH_FUNC_cd%%=() { echo EVIL; }", "BASH_FUNC_printf%%=() { echo EVIL; }", "BASH_FUNC_read%%=() { echo EVIL; }", "BASH_FUNC_die%%=() { echo EVIL; }"},
			"by bash, functions":    {`bash "$L" ` + check, "BASH_FUNC_exec%%=() { echo EVIL; }", "BASH_FUNC_set%%=() { echo EVIL; }", "BASH_FUNC_unset%%=() { echo EVIL; }", "BASH_FUNC_printf%%=() { echo EVIL; }", "BASH_FUNC_trap%%=() { echo EVIL; }", "BASH_FUNC_cd%%=() { echo EVIL; }"},
			"by bash, options":      {`bash "$L" ` + check, "SHELLOPTS=noglob", "BASHOPTS=extglob:nullglob:failglob", "GLOBIGNORE=*"},
			"by bash, BASH_ENV":     {`bash "$L" ` + check, "BASH_ENV=" + filepath.Join(w.Outside, "functions")},
			"options of the shell":  {`"$L" ` + check, "SHELLOPTS=xtrace:noglob:verbose", "BASHOPTS=extglob:nullglob:failglob", "GLOBIGNORE=*"},
			"a trace":               {`"$L" ` + check, "PS4=$(touch " + w.Outside + "/made-trace)", "BASH_XTRACEFD=1"},
			"a Turkish locale":      {`"$L" ` + check, "LC_ALL=tr_TR.UTF-8"},
			"names of the launcher": {`"$L" ` + check, "mounts=EVIL", "bwrap=/bin/echo", "namespaces=EVIL", "project=/", "home=/", "action=print", "path=/evil", "builder=EVIL", "filter=EVIL", "self=EVIL", "status=3", "line=exit-code", "REPLY=x", "held=/", "protected=/"},
			"reserved names":        {`"$L" ` + check, "TMOUT=1", "OPTIND=9", "PROMPT_COMMAND=echo EVIL", "EVIL="},
			"a wrong PWD":           {`"$L" ` + check, "PWD=/etc", "OLDPWD=/etc"},
			"files by default":      {`ulimit -c 0; "$L" ` + check},
		} {
			t.Run(what, func(t *testing.T) {
				l.Environment = environment
				l.from(t, c[0], c[1:]...).Expect(t, what, 1, want)
			})
		}
	})
}

// TestHelp: 71 and the options that create nothing.
func TestHelp(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, thrown)
		before := w.state(t)
		if r := l.from(t, `PATH=/nowhere; /bin/bash -p "$L" --sandbox-help`); r.Status != 0 || !strings.Contains(r.Stdout, "--sandbox-print") {
			t.Errorf("--sandbox-help: status %d: %s%s", r.Status, r.Stdout, r.Stderr)
		}
		for _, option := range []string{"--sandbox-help", "--sandbox-print", "--sandbox-explain", "--sandbox-doctor"} {
			if r := l.from(t, `"$L" `+option+` touch ran >/dev/full`); r.Status != 125 || !strings.Contains(r.Stderr, "No space left on device\n") || !strings.Contains(r.Stderr, ": hint: ") {
				t.Errorf("%s, to what is full: status %d: %s", option, r.Status, r.Stderr)
			}
		}
		printed := l.Run(t, "--sandbox-print", "sh", "-c", `echo "$1"; printenv HOME; echo x >made-p`, "sh", "it's")
		if printed.Status != 0 || len(printed.Stdout) < 100 {
			t.Fatalf("--sandbox-print: status %d: %s", printed.Status, printed.Stderr)
		}
		before.Same(t, w.state(t))
		l.from(t, printed.Stdout).Expect(t, "what --sandbox-print prints", 0, "it's\n"+w.Home+"\n")
		if r := l.Run(t, "--sandbox-explain", filepath.Join(w.Home, ".ssh")); r.Status != 0 || r.Stdout == "" {
			t.Errorf("--sandbox-explain: status %d: %s%s", r.Status, r.Stdout, r.Stderr)
		}
		for _, way := range []string{filepath.Join(w.Home, "code/other"), "../other", "./a/..//../other/."} {
			if r := l.Run(t, "--sandbox-explain", way); r.Stdout != filepath.Join(w.Home, "code/other")+": empty and read-only\n" {
				t.Errorf("--sandbox-explain %s: status %d: %s%s", way, r.Status, r.Stdout, r.Stderr)
			}
		}
		l.Run(t, "--sandbox-explain", "/").Expect(t, "--sandbox-explain /", 0, "/: nothing of the host\n")
		l.shell(t, `mkdir "$H/tools"; ln -s tools "$H/goroot"; ln -s /usr "$H/hidden"`)
		for path, answer := range map[string]string{"/etc/passwd": "made by this launcher, read-only", w.Home + "/go/pkg/mod": "copy-on-write; changes are discarded", w.Home + "/goroot/x": "read-only", w.Home + "/hidden/bin": "empty and temporary",
			"/dev/null": "a few devices; the sandbox's own terminals and shared memory", "/proc/self/fd": "the sandbox's own processes",
			w.Project + "/.envrc": "read-only", w.Project + "/file": "read-write",
			w.Project + "/.mcp.json": "read-write; a protected name that is absent: the command can create it, which is reported"} {
			m := l
			m.Environment = harness.With(l.Environment, "GOROOT="+w.Home+"/goroot")
			m.Run(t, "--sandbox-explain", path).Expect(t, "--sandbox-explain", 0, path+": "+answer+"\n")
		}
		l.Run(t, "--sandbox-explain", "/bin/no").Expect(t, "behind a link", 0, "/bin/no: read-only\n")
		l.Run(t, "--sandbox-explain", "/usr", "/\x1b]0;x\a").Expect(t, "several, and one with control bytes", 0,
			"/usr: read-only\n$'/\\E]0;x\\a': nothing of the host\n")
		if r := l.RunWith(t, strings.NewReader("echo from a shell; exit 3\n"), "--sandbox-shell"); r.Status != 3 || !strings.Contains(r.Stdout, "from a shell") {
			t.Errorf("--sandbox-shell: status %d: %s%s", r.Status, r.Stdout, r.Stderr)
		}
		l.Run(t, "--sandbox-shell", "-c", `echo "$0 $1"; exit 4`, "a", "b").Expect(t, "--sandbox-shell with arguments", 4, "a b\n")
	})
}

// TestSameBytes: 62 and 63.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	harness.NeedsSystem(t)
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		first, second := w.generate(t, `extends = ["default"]`), w.generate(t, `extends = ["default"]`)
		if !bytes.Equal(first, second) {
			t.Error("the same profile and facts give other bytes")
		}
		text := strings.ReplaceAll(string(first), w.programs, "")
		if name, err := os.Hostname(); err == nil && len(name) > 4 && strings.Contains(text, name) {
			t.Errorf("the launcher names the host %s", name)
		}
		for _, word := range []string{w.Home, w.Top} {
			if strings.Contains(text, word) {
				t.Errorf("the launcher holds %q", word)
			}
		}
	})
}

// TestHostileProfile: 72, texts of a profile never run.
func TestHostileProfile(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]
about = "$(touch made-1) `+"`touch made-2`"+`"
command = ["printf", "%s|", "$(touch made-3)", "it's", "a\nb", "-n", "", "\"", "\\"]
[filesystem]
read = [{ path = "/no/$(touch made-4)", optional = true }, "/no/it's \"x\"?"]
[environment]
set = { A = "$(touch made-5)", B = "a\nb", C = "it's", D = "-x", E = "" }
`)
		l.Run(t, "$(touch made-6)").Expect(t, "the command", 0, "$(touch made-3)|it's|a\nb|-n||\"|\\|$(touch made-6)|")
		l.from(t, `ls -A | grep made-; "$L" --sandbox-shell -c 'printf "%s|" "$A" "$B" "$C" "$D" "${E-unset}"'`).Expect(t, "the variables", 0, "$(touch made-5)|a\nb|it's|-x||")
		if names := l.shell(t, `ls -A . .. "$H" | grep made- || true`); names != "" {
			t.Errorf("something has run: %s", names)
		}
	})
}

// TestHosttype: tcsh exports names that bash knows as its own.
func TestHosttype(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["default"]`)
		l.Environment = harness.With(l.Environment, "HOSTTYPE=x86_64-linux", "MACHTYPE=x", "OSTYPE=linux")
		l.Run(t, "true").Expect(t, "the environment of tcsh", 0, "")
	})
}
