package sandboxtest

import (
	"slices"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// builtinRows are what no built-in profile allows, whatever it is for. The
// project and home may be elsewhere.
func builtinRows() []row {
	rows := []row{
		{name: "secrets", do: `grep -rs the-secret "$H/.ssh" "$H/.gnupg" "$H/.aws" "$H/.netrc" "$H/.config/gh" ~/.ssh ~/.gnupg ~/.aws ~/.netrc ~/.config/gh`, denied: `^$`},
		{name: "variables", do: `printenv SECRET_TOKEN SSH_AUTH_SOCK LD_LIBRARY_PATH NODE_OPTIONS || exit 3`, denied: `^$`},
		{name: "variables of other processes", do: `cat /proc/[0-9]*/environ | tr '\0' '\n' | grep the-secret`, denied: `^$|No such file`},
		{name: "a process of the host", do: `kill -0 "$PID"`, denied: `No such process`},
		{name: "a directory left open", do: `"$inside" try write-at 7 made-x`, denied: `EBADF`},
		{name: "another project", do: `echo x >>"$H/code/other/file"`, denied: `No such file|Read-only`},
		{name: "the system", do: `touch /usr/made-x`, denied: `Read-only`, control: `touch "$O/made-x"`},
		{name: "a hook", do: `touch .git/hooks/made-hook`, denied: held},
		{name: "git's settings", do: `echo x >>.git/config`, denied: held},
		{name: "to move .git", do: `"$inside" try rename .git made-git`, denied: held, control: `cp -a . ../copy && cd ../copy && mv .git made-git`},
		{name: "what an editor runs", do: `echo x >>.vscode/tasks.json || rm -rf .vscode`, denied: held, control: `rm -rf ../copy/.vscode`},
		{name: "what a shell runs", do: `echo x >>.envrc`, denied: held},
		{name: "no capabilities", do: `grep -E '^(NoNewPrivs:.1|Cap(Inh|Prm|Eff|Bnd|Amb):.0+|Seccomp:.2)$' /proc/self/status | wc -l`, says: `^7$`},
		{name: "the kernel's settings", do: `: >/proc/sys/kernel/core_pattern`, denied: `Read-only|denied`, control: `test -w /proc/sys/kernel/core_pattern`, who: "root"},
	}
	for _, attempt := range []string{"unshare-user", "clone-user", "clone3-user", "io-uring", "keyctl", "add-key", "userfaultfd", "pidfd-getfd $$ 0", "vsock"} {
		rows = append(rows, row{name: attempt, do: `"$inside" try ` + attempt, denied: `^(EPERM|ENOSPC|ENOSYS)$`})
	}
	return append(rows, row{name: "process 1", do: `"$inside" try ptrace-first`, denied: `^EPERM$`, control: none})
}

// TestBuiltin: what holds in all built-in profiles.
func TestBuiltin(t *testing.T) {
	t.Parallel()
	for _, a := range harness.Accounts() {
		controlled(t, a, rowsOf(builtinRows(), a), nil)
	}
	for i, name := range (profile.Loader{Builtin: profiles.FS}).Names() {
		t.Run(name, func(t *testing.T) {
			harness.Turn(t, i, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, "command = []\nextends = [\""+name+"\"]")
				l.Project = "" // rows are done where the launcher starts
				rows := rowsOf(builtinRows(), s.Account)
				kept := func() harness.State { // a profile may make a place for its agent in home
					return harness.StateOf(t, w.Outside, w.Home+"/.ssh", w.Home+"/.bashrc", w.Home+"/code/other",
						w.Project+"/.git/hooks", w.Project+"/.git/config", w.Project+"/.envrc", w.Project+"/.vscode")
				}
				before := kept()
				judge(t, rows, l.rows(t, rows))
				if r := l.Run(t, "printenv", "PYTHONPATH"); (r.Status == 0) != passes(t, name, "PYTHONPATH") {
					t.Errorf("PYTHONPATH is %q", r.Stdout)
				}
				before.Same(t, kept())
			})
		})
	}
}

// passes reports whether a built-in profile passes a variable through.
func passes(t *testing.T, name, variable string) bool {
	t.Helper()
	p, err := profile.Loader{Builtin: profiles.FS}.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(p.Environment.Pass, func(i profile.Item) bool { return i.Text == variable })
}
