package sockettest

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestTroubles starts a launcher on hosts that let it down: a bwrap that says
// what real ones say there, and a /proc/sys that was prepared. The command must
// not run; the sentence and the fix must come, after a start and when asked.
func TestTroubles(t *testing.T) {
	tests := []struct{ name, words, setting, value, what string }{
		{"ubuntu", "setting up uid map: Permission denied", "kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor forbids"},
		{"ubuntu, no network", "loopback: Failed RTM_NEWADDR: Operation not permitted", "kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor forbids"},
		{"debian", "No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.", "kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=0"},
		{"rhel", "Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)", "user/max_user_namespaces", "0", "user.max_user_namespaces=0"},
		{"wsl 1", "Creating new namespace failed: Invalid argument", "kernel/osrelease", "4.4.0-19041-Microsoft", "WSL 1"},
		{"unknown", "Creating new namespace failed: Operation not permitted", "", "", "make no namespaces"},
		{"proc", "Can't mount proc on /newroot/proc: Operation not permitted", "", "", "hides parts of /proc"},
		{"set-uid", "setuid use of bubblewrap is not supported", "", "", "installed set-uid"},
		{"capabilities", "Unexpected capabilities but not setuid, old file caps config?", "", "", "or with capabilities"},
		{"link", "Can't mount on symlink destination /home/u/.cache", "", "", "on a symbolic link"},
		{"old", "Unknown option --disable-userns", "", "", "too old"},
		{"something else", "Can't find source path /x: No such file or directory", "", "", "bwrap could not make the sandbox"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t, "/usr/bin", os.Getuid())
			stub := p.dir + "/stub/bwrap"
			p.write(stub, "#!/bin/bash\n[[ $1 == --help ]] && echo --ro-bind && exit\necho 'bwrap: "+strings.ReplaceAll(test.words, "'", `'\''`)+"' >&2\nexit 1\n")
			p.environment["PATH"] = p.dir + "/stub:" + p.environment["PATH"]
			l := p.launcher("extends = [\"look\"]\n[toolchains]\nuse = []\n")
			for _, args := range [][]string{{"touch", p.dir + "/ran"}, {"--sandbox-doctor"}} {
				c := p.command(l, args...)
				if test.setting != "" {
					c = p.host(test.setting, test.value, l, args...)
				}
				text, err := c.CombinedOutput()
				if c.ProcessState.ExitCode() != 125 || !strings.Contains(string(text), "bwrap: "+test.words) ||
					!strings.Contains(string(text), test.what) || !strings.Contains(string(text), "launcher: hint: ") {
					t.Errorf("%q: got %v\n%s", args, err, text)
				}
			}
			if _, err := os.Stat(p.dir + "/ran"); err == nil {
				t.Error("the command has run")
			}
		})
	}
}

// host runs a program where a setting of the kernel has another value.
func (p *place) host(setting, value, program string, args ...string) *exec.Cmd {
	p.t.Helper()
	if os.Getuid() != 0 {
		p.t.Skip("only root can prepare /proc/sys; its tests do")
	}
	table, _, _ := strings.Cut(setting, "/")
	p.write(p.dir+"/sys/"+setting, value+"\n")
	return p.command("unshare", append([]string{"--mount", "sh", "-c", `mount --bind "$0" "$1" && shift && exec "$@"`,
		p.dir + "/sys/" + table, "/proc/sys/" + table, program}, args...)...)
}

// TestDoctor asks where all is well, about a project with a hard link.
func TestDoctor(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		p.write(p.dir+"/outside", "x")
		if err := os.Link(p.dir+"/outside", p.project+"/inside"); err != nil {
			t.Fatal(err)
		}
		got, err := p.run(p.launcher(`extends = ["default"]`), "--sandbox-doctor")
		if err != nil || !strings.Contains(got, "a sandbox can be made here") || !strings.Contains(got, p.project+"/inside: ") {
			t.Errorf("got %q, %v", got, err)
		}
		if strings.Contains(got, "client") {
			t.Errorf("a file with one name is listed: %q", got)
		}
	})
}

// TestArguments gives more words than bwrap takes.
func TestArguments(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		got, err := p.run(p.launcher(`extends = ["look"]`), append([]string{"echo"}, strings.Split(strings.Repeat("x", 9000), "")...)...)
		if err == nil || !strings.Contains(got, "bwrap takes 9000 words") {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

// TestSubmount puts a mount below a cache: an ordinary user can make no overlay
// of that.
func TestSubmount(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount something there; its tests do")
	}
	for _, bwrap := range bwraps(t) {
		p := newPlace(t, bwrap, ordinary())
		p.environment["GOMODCACHE"] = p.home + "/mod"
		p.write(p.home+"/mod/file", "")
		l := p.launcher("extends = [\"default\"]\n[toolchains]\nuse = [\"go\"]\n")
		id := strconv.Itoa(p.uid)
		p.uid = 0
		text, _ := p.command("unshare", "--mount", "sh", "-c", `mkdir "$0" && mount -t tmpfs x "$0" && exec "$@"`, p.home+"/mod/below",
			"setpriv", "--reuid", id, "--regid", id, "--clear-groups", l, "true").CombinedOutput()
		if !strings.Contains(string(text), "/mod/below is mounted below it") {
			t.Errorf("%s: got %s", bwrap, text)
		}
	}
}
