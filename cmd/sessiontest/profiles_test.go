package sessiontest

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// guests are the profiles that follow other systems.
func guests() []string {
	return []string{"pikuri", "agent-code", "public-bot", "trusted-maintenance"}
}

// each runs a test for each profile.
func each(t *testing.T, in func(*testing.T, func(*testing.T, world)), test func(t *testing.T, w world, name string)) {
	t.Helper()
	for _, name := range guests() {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w world) {
				test(t, w.launch(t, "extends = [\""+name+"\"]"), name)
			})
		})
	}
}

// TestProfiles has what holds in all four: each line is a question that the
// command inside answers with yes, and the host with no.
func TestProfiles(t *testing.T) {
	t.Parallel()
	each(t, everywhere, func(t *testing.T, w world, name string) {
		w.Set("SECRET_TOKEN=secret", "SSH_AUTH_SOCK=/run/"+filepath.Base(w.Top))
		process := exec.Command("sleep", "300")
		w.Become(process)
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = process.Process.Kill(); _ = process.Wait() }()
		marker := "/tmp/" + filepath.Base(w.Top)
		w.Put(t, marker, nil)
		t.Cleanup(func() { _ = os.Remove(marker) })
		named := `[[ $(getent passwd $UID) == *:$UID:* ]]`
		if _, err := user.LookupId(strconv.Itoa(w.UID)); err != nil && (name == "agent-code" || name == "trusted-maintenance") {
			named = "! " + named // they show the host's list as it is
		}
		all := []question{
			{"X1 the caller's environment is nowhere", `! grep -qz SECRET /proc/*/environ && ! env | grep SECRET`, ""},
			{"X2 no value stands in an argument list", `[[ ! -e /proc/1/cmdline ]] || tr '\0' '\n' </proc/1/cmdline | grep -qx -e --ro-bind && ! tr '\0' '\n' </proc/1/cmdline | grep -x -e --setenv -e SECRET_TOKEN=.*`, ""},
			{"X3 the host's processes are out of sight", `! kill -0 ` + strconv.Itoa(process.Process.Pid) + ` && (($(echo /proc/[0-9]* | wc -w) < 10))`, ""},
			{"X6 the root directory cannot be written", `: >/dev/shm/x && ! : >/rootfile`, `[[ ! -e /rootfile ]]`},
			{"X7 a mask cannot be written", `! : >$H/.ssh/new`, ""},
			{"X10 /tmp is private", `[[ ! -e /tmp/$(basename $W) && -z $(ls -A /tmp) ]] && : >/tmp/x`, ""},
			{"X23 secrets of home cannot be read", `! grep -qrs secret $H/.ssh`, ""},
			{"X23 the password files cannot be read", `! grep -s : /etc/shadow /etc/gshadow /etc/shadow- /etc/gshadow-`, `((UID)) || grep -q : /etc/shadow`},
			{"X24 the caller has a name, and there are certificates", named + ` && [[ -n $(ls /etc/ssl/certs /etc/pki 2>/dev/null) || ! -e /etc/ssl ]]`, `[[ -r /etc/passwd ]]`},
			{"X25 awk behind its link runs", `awk 'BEGIN { exit 0 }'`, `awk 'BEGIN { exit 0 }'`},
			{"X28 there are no nested user namespaces", `! unshare -Ur true`, ""},
			{"X32 memory has a limit", `[[ $(ulimit -d) != unlimited ]]`, ""},
			{"X34 git's hooks and settings cannot change", `! : >.git/hooks/x && ! : >>.git/config && mkdir -p ok`, ""},
		}
		w.answers(t, all)
		for _, path := range []string{"/rootfile", w.Home + "/.ssh/new", w.Project + "/.git/hooks/x"} {
			if harness.Exists(path) {
				t.Errorf("%s is on the host", path)
			}
		}
		w.controls(t, all)
	})
}

// TestProfilesTerminal starts commands on a terminal, which none can type into;
// without a sandbox it can.
func TestProfilesTerminal(t *testing.T) {
	t.Parallel()
	each(t, ends, func(t *testing.T, w world, _ string) {
		const script = "if : >/dev/tty; then echo typed; else echo none; fi 2>/dev/null"
		for want, c := range map[string]*exec.Cmd{
			"none": w.Command(t.Context(), "--", "bash", "-c", script), "typed": w.host().Command(t.Context(), "-c", script),
		} {
			x := harness.NewTerminal(t, w.Account)
			x.Start(t, c)
			if seen, exit := x.End(t, c); exit != 0 || seen != want+"\r\n" {
				t.Errorf("X11: %d, %q, want %q", exit, seen, want)
			}
		}
	})
}

// TestProfilesRun has the limits and options that all four share.
func TestProfilesRun(t *testing.T) {
	t.Parallel()
	each(t, once, func(t *testing.T, w world, name string) {
		// Nothing has to be done within a second: a slow machine begins late.
		r, got := w.capture(t, "sleep 300", "--sandbox-timeout", "1")
		if r.Ends(t, 124); !got.TimedOut {
			t.Error("the report does not say timed out")
		}
		w.Run(t, "--sandbox-timeout", "600", "true").Ends(t, 0)
		for _, beyond := range []string{"0", "601"} {
			w.Run(t, "--sandbox-timeout", beyond, "true").Ends(t, 125).Says(t, "out of range: "+beyond+"\n").Says(t, "hint: from 1s to 600s")
		}
		w.Run(t, "bash", "-c", "exit 42").Ends(t, 42)
		w.Run(t, "--no-sandbox", "true").Ends(t, 125).Says(t, "--no-sandbox is neither a command nor an option of L\n")
		if r := w.Run(t, "--sandbox-help").Ends(t, 0); !strings.Contains(r.Stdout, "--sandbox-report FILE") {
			t.Error("the help does not name the options")
		}
		w.Set("BASH_ENV=" + w.Outside + "/file")
		w.Run(t, "echo", "--sandbox-help").Ends(t, 0).Prints(t, "--sandbox-help\n")
	})
}

// baseline is what pikuri-code shows of /etc, where the host has it.
const baseline = "/etc/ssl/certs /etc/ca-certificates /etc/pki/tls/certs /etc/resolv.conf /etc/nsswitch.conf /etc/localtime /etc/hosts"

// TestPikuri looks for what pikuri-code shows, and hides.
func TestPikuri(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		for _, name := range []string{
			".cargo/registry/index", ".m2/repository/a", ".gradle/caches/a", "go/pkg/mod/a", ".cache/pip/a", ".npm/_cacache/a",
			".gradle/gradle.properties", ".gradle/init.d/a", ".m2/settings.xml", ".cargo/credentials.toml", ".ivy2/.credentials", ".rustup/toolchains/a",
		} {
			w.write(t, "home/"+name, "secret\n")
		}
		w.write(t, "home/code/p/go.mod", "module p\n")
		w = w.launch(t, `extends = ["pikuri"]`)
		w.bash(t, `cd; cat .cargo/registry/index .m2/repository/a .gradle/caches/a go/pkg/mod/a .cache/pip/a .npm/_cacache/a .rustup/toolchains/a`).
			Ends(t, 0).Prints(t, strings.Repeat("secret\n", 7))
		w.bash(t, `cd; ls .gradle/gradle.properties .gradle/init.d .m2/settings.xml .cargo/credentials.toml .ivy2/.credentials 2>/dev/null`).
			Ends(t, 2).Prints(t, "")
		w.bash(t, `cd; echo x >>.m2/repository/a && echo x >go/pkg/mod/b && mkdir -p .gradle/daemon .nuget/packages/x && ! echo x >.rustup/toolchains/b`).Ends(t, 0).Says(t, ".rustup/toolchains/b: Read-only file system")
		w.outside(t, `ls -d `+baseline+` 2>/dev/null; :`).Prints(t, w.bash(t, `ls -d `+baseline+` 2>/dev/null; :`).Stdout)
		w.bash(t, `cat /etc/nsswitch.conf /etc/hosts /etc/localtime >/dev/null && grep -q CERTIFICATE /etc/ssl/certs/*.*`).Ends(t, 0)
		for _, name := range []string{".bashrc", ".profile", ".bash_profile"} {
			w.write(t, "home/"+name, "echo a startup file\n")
		}
		w.outside(t, "bash -lc :").Prints(t, "a startup file\n")
		w.Run(t, "bash", "-lc", "echo x").Ends(t, 0).Prints(t, "x\n")
		if harness.Read(t, w.Home+"/.m2/repository/a") != "secret\n" || harness.Read(t, w.Home+"/go/pkg/mod/b") != "" {
			t.Error("the host's caches have changed")
		}
		w.bash(t, `wc -l </etc/passwd; getent passwd $UID | cut -d: -f6; ls /etc/shadow /etc/ssh /etc/NetworkManager 2>/dev/null`).
			Ends(t, 2).Prints(t, "1\n"+w.Home+"\n")
		for _, left := range []string{".gradle/daemon", ".nuget"} {
			if _, err := os.Stat(filepath.Join(w.Home, left)); err == nil {
				t.Errorf("%s was left on the host", left)
			}
		}
	})
}

// TestAgentCode looks for what agent-code shows, and hides.
func TestAgentCode(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w.write(t, "home/.aws/credentials", "secret\n")
		w.write(t, "home/notes", "notes\n")
		w = w.launch(t, `extends = ["agent-code"]`)
		w.bash(t, `cat ~/notes; ls -A ~/.ssh ~/.aws; echo x >~/.cache/agent-code/x && ! echo x >~/new && ! echo x >/opt/marker && echo y >file && pwd`).
			Ends(t, 0).Prints(t, "notes\n"+w.Home+"/.aws:\n\n"+w.Home+"/.ssh:\n"+w.Project+"\n")
		if harness.Read(t, w.Home+"/.cache/agent-code/x") != "x\n" || harness.Read(t, w.Project+"/file") != "y\n" || harness.Read(t, "/opt/marker")+harness.Read(t, w.Home+"/new") != "" {
			t.Error("the host is not as it should be")
		}
		w.bash(t, `sed -i s/a/b/ .git/config`).Ends(t, 4)
		w.write(t, "home/.netrc", "secret\n")
		w.bash(t, `cat ~/.netrc; [[ -f ~/.netrc && ! -s ~/.netrc ]]`).Ends(t, 0).Prints(t, "")
	})
}

// TestPublicBot looks for what the preset of that name shows, and hides.
func TestPublicBot(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w.Set("PATH=" + w.Path() + ":/home/alice/.cargo/bin:" + w.Outside + ":/tmp/test-bin:relative::/usr/local/sbin")
		w = w.launch(t, `extends = ["public-bot"]`)
		path := "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin"
		if w.Bwrap == "/usr/bin" {
			path = "/usr/bin:/usr/local/bin:/bin:/usr/local/sbin" // it came first, and stands there once
		}
		w.bash(t, `echo $PATH; pwd; echo $HOME; echo x >~/x; echo y >file`).Ends(t, 0).
			Prints(t, path+"\n/workspace\n/home/sandbox\n")
		w.bash(t, `ls -A ~ /var/tmp /srv 2>/dev/null; ls `+w.Home+` `+w.Project).Ends(t, 2)
		w.bash(t, `ulimit -n; ulimit -t`).Ends(t, 0).Prints(t, "4096\n600\n")
		w.Run(t, "--sandbox-where", "file").Ends(t, 0).Prints(t, "/workspace/file\n")
		if harness.Read(t, w.Project+"/file") != "y\n" {
			t.Error("the project was not written")
		}
	})
}

// TestTrustedMaintenance looks for what the preset of that name shows, and
// hides.
func TestTrustedMaintenance(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w.Set("XDG_CACHE_HOME=" + w.Home + "/.other")
		w = w.launch(t, `extends = ["trusted-maintenance"]`)
		root := "/home/sandbox/.local/share/bwrapgen-maintenance/"
		w.bash(t, `pwd; printf '%s\n' $HOME $TMPDIR $XDG_CACHE_HOME $XDG_CONFIG_HOME $XDG_STATE_HOME; echo x >$XDG_CACHE_HOME/x; echo y >$XDG_STATE_HOME/y; ls -A ~`).
			Ends(t, 0).Prints(t, w.Project+"\n/home/sandbox\n/tmp\n"+root+"xdg-cache\n/home/sandbox/.config\n"+root+"xdg-state\n.local\n")
		kept := w.Home + "/.local/share/bwrapgen-maintenance/"
		if harness.Read(t, kept+"xdg-cache/x")+harness.Read(t, kept+"xdg-state/y") != "x\ny\n" {
			t.Error("the root for caches does not last")
		}
		w.bash(t, `[[ -r /etc/hostname || ! -e /etc/hostname ]] && ! echo x >/etc/x && [[ -z $(ls -A /root /run /var/tmp | grep -v -e : -e NetworkManager -e systemd -e resolvconf -e bwrapgen -e '^user$') && -z $(ls -A /run/user/*) ]]; echo $?; ls `+w.Home).
			Ends(t, 0).Prints(t, "0\ncode\n")
		w.bash(t, `cat /etc/shadow && [[ ! -s /etc/shadow ]]`).Ends(t, 0).Prints(t, "")
		w.Run(t, "--sandbox-where", "/usr/bin").Ends(t, 0).Prints(t, "/usr/bin\n")
		w.Run(t, "--sandbox-where", "/etc/shadow").Ends(t, 1)
	})
}
