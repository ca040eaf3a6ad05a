package sockettest

import (
	"os"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestTroubles starts a launcher on hosts that let it down: a bwrap that says
// what real ones say there, and a /proc/sys that was prepared. The command must
// not run; the sentence and the fix must come, after a start and when asked.
func TestTroubles(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, words, setting, value, what string }{
		{"ubuntu", "setting up uid map: Permission denied", "kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor does not let bwrap create"},
		{"ubuntu, no network", "loopback: Failed RTM_NEWADDR: Operation not permitted", "kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor does not let bwrap create"},
		{"debian", "No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.", "kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=0"},
		{"rhel", "Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)", "user/max_user_namespaces", "0", "user.max_user_namespaces=0"},
		{"wsl 1", "Creating new namespace failed: Invalid argument", "kernel/osrelease", "4.4.0-19041-Microsoft", "WSL 1"},
		{"unknown", "Creating new namespace failed: Operation not permitted", "", "", "does not let bwrap create namespaces"},
		{"proc", "Can't mount proc on /newroot/proc: Operation not permitted", "", "", "hides parts of /proc"},
		{"set-uid", "setuid use of bubblewrap is not supported", "", "", "installed set-uid"},
		{"capabilities", "Unexpected capabilities but not setuid, old file caps config?", "", "", "or with capabilities"},
		{"link", "Can't mount on symlink destination /home/u/.cache", "", "", "on a symbolic link"},
		{"old", "Unknown option --disable-userns", "", "", "too old"},
		{"something else", "Can't find source path /x: No such file or directory", "", "", "bwrap could not create the sandbox"},
	}
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				p := newPlace(t, s)
				p.write(p.Top+"/stub/bwrap", "#!/bin/bash\n[[ $1 == --help ]] && echo --ro-bind && exit\necho 'bwrap: "+strings.ReplaceAll(test.words, "'", `'\''`)+"' >&2\nexit 1\n")
				p.Set("PATH=" + p.Top + "/stub:" + p.Path())
				l := p.of(p.launcher("extends = [\"look\"]\n[toolchains]\nuse = []\n"))
				if table, _, ok := strings.Cut(test.setting, "/"); ok {
					p.write(p.Top+"/sys/"+test.setting, test.value+"\n")
					l = l.InNamespace(`mount --bind "$1" "$2"`, p.Top+"/sys/"+table, "/proc/sys/"+table)
				}
				for _, args := range [][]string{{"touch", p.Top + "/ran"}, {"--sandbox-doctor"}} {
					r := l.Run(t, args...).Ends(t, 125)
					for _, words := range []string{"bwrap: " + test.words, test.what, "L: hint: "} {
						if !strings.Contains(r.Stdout+r.Stderr, words) {
							t.Errorf("%q: %q is not in\n%s%s", args, words, r.Stdout, r.Stderr)
						}
					}
				}
				if harness.Exists(p.Top + "/ran") {
					t.Error("the command has run")
				}
			})
		}
	})
}

// TestDoctor asks where all is well, about a project with a hard link.
func TestDoctor(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		p.write(p.Top+"/one", "x")
		p.write(p.Project+"/alone", "x")
		if err := os.Link(p.Top+"/one", p.Project+"/inside"); err != nil {
			t.Fatal(err)
		}
		got, err := p.run(p.launcher(`extends = ["default"]`), "--sandbox-doctor")
		if err != nil || !strings.Contains(got, "sandboxes work here, with ") || !strings.Contains(got, p.Project+"/inside: ") {
			t.Errorf("got %q, %v", got, err)
		}
		if strings.Contains(got, "alone") {
			t.Errorf("a file with one name is listed: %q", got)
		}
	})
}

// TestArguments gives more words than bwrap takes.
func TestArguments(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		got, err := p.run(p.launcher(`extends = ["look"]`), append([]string{"echo"}, strings.Split(strings.Repeat("x", 9000), "")...)...)
		if err == nil || !strings.Contains(got, "9000 arguments that bwrap accepts") {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

// TestSubmount puts a mount below a cache: an ordinary user can make no overlay
// of that.
func TestSubmount(t *testing.T) {
	t.Parallel()
	harness.Ordinary().Everywhere(t, func(t *testing.T, s harness.Setting) {
		p := newPlace(t, s)
		p.Set("GOMODCACHE=" + p.Home + "/mod")
		p.write(p.Home+"/mod/file", "")
		l := p.of(p.launcher("extends = [\"default\"]\n[toolchains]\nuse = [\"go\"]\n"))
		r := l.InNamespace(`mkdir "$1" && mount -t tmpfs x "$1"`, p.Home+"/mod/below").Run(t, "true")
		if !strings.Contains(r.Stderr, "/mod/below is a mount point") {
			t.Errorf("got %+v", r)
		}
	})
}
