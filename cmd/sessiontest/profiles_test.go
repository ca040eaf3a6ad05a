package sessiontest

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
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
// command inside answers with yes.
func TestProfiles(t *testing.T) {
	each(t, everywhere, func(t *testing.T, w world, name string) {
		w.environment = append(w.environment, "SECRET_TOKEN=secret", "SSH_AUTH_SOCK=/run/"+filepath.Base(w.dir))
		host := exec.Command("sleep", "60")
		w.become(host)
		if err := host.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = host.Process.Kill(); _ = host.Wait() }()
		pid := strconv.Itoa(host.Process.Pid)
		for question, script := range map[string]string{
			"X1 the caller's environment is nowhere":     `! grep -z SECRET /proc/*/environ && ! env | grep SECRET`,
			"X2 no value stands in an argument list":     `! tr '\0' '\n' </proc/1/cmdline | grep -x -e --setenv -e SECRET_TOKEN=.*`,
			"X3 the host's processes are out of sight":   `! kill -0 ` + pid + ` && (($(echo /proc/[0-9]* | wc -w) < 10))`,
			"X6 the root directory cannot be written":    `! : >/rootfile`,
			"X7 a mask cannot be written":                `! : >` + w.home + `/.ssh/new`,
			"X10 /tmp is private":                        `[[ ! -e ` + w.outside + `/../tmp-marker && -z $(ls -A /tmp) ]] && : >/tmp/x`,
			"X11 there is no terminal to type into":      `! : >/dev/tty`,
			"X13 bytes that are no text come through":    `printf '\377\303' | cat >/dev/null`,
			"X23 secrets of home cannot be read":         `! grep -rs secret ` + w.home + `/.ssh`,
			"X23 the password files cannot be read":      `! grep -s : /etc/shadow /etc/gshadow /etc/shadow- /etc/gshadow-`,
			"X24 the caller has a name, if not a number": `[[ -r /etc/passwd ]] && [[ -n $(ls /etc/ssl/certs /etc/pki 2>/dev/null) || ! -e /etc/ssl ]]`,
			"X25 awk behind its link runs":               `awk 'BEGIN { exit 0 }'`,
			"X28 there are no nested user namespaces":    `! unshare -Ur true`,
			"X32 memory has a limit":                     `[[ $(ulimit -d) != unlimited ]]`,
			"X34 git's hooks and settings cannot change": `! : >.git/hooks/x && ! : >>.git/config && mkdir -p ok`,
		} {
			if r := w.bash(t, script); r.status != 0 {
				t.Errorf("%s: not so: %s%s", question, r.stdout, r.stderr)
			}
		}
		for _, path := range []string{"/rootfile", w.home + "/.ssh/new", w.project + "/.git/hooks/x"} {
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s is on the host", path)
			}
		}
	})
}

// TestProfilesControl asks the same without a sandbox, where the answers are
// others.
func TestProfilesControl(t *testing.T) {
	w := newWorld(t, setting{uid: os.Getuid(), gid: os.Getgid()})
	c := exec.Command("bash", "-c", "echo x >.git/hooks/x && echo x >>.git/config && cat ../../.ssh/id_test && grep -z SECRET /proc/$$/environ")
	c.Dir, c.Env = w.project, append(os.Environ(), "SECRET_TOKEN=secret")
	if output, err := c.CombinedOutput(); err != nil || !bytes.Contains(output, []byte("secret\n")) {
		t.Fatalf("%v: %s", err, output)
	}
}

// TestProfilesNetwork looks for a listener of the host.
func TestProfilesNetwork(t *testing.T) {
	each(t, once, func(t *testing.T, w world, name string) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		r := w.bash(t, "exec 2>/dev/null; : </dev/tcp/127.0.0.1/"+port)
		if shared := name == "pikuri" || name == "trusted-maintenance"; (r.status == 0) != shared {
			t.Errorf("connecting ends with %d", r.status)
		}
	})
}

// TestProfilesSockets has a socket in every place that is in sight or was.
func TestProfilesSockets(t *testing.T) {
	each(t, once, func(t *testing.T, w world, _ string) {
		if w.uid != 0 {
			t.Skip("only root can make a socket below /run")
		}
		path := "/run/" + filepath.Base(w.dir)
		listener, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		w.bash(t, "[[ ! -e "+path+" && ! -e /var"+path+" ]]").ends(t, 0)
	})
}

// TestProfilesRun has the limits and options that all four share.
func TestProfilesRun(t *testing.T) {
	each(t, once, func(t *testing.T, w world, name string) {
		r, got := w.capture(t, "echo out; sleep 30", "--sandbox-timeout", "1")
		if r.ends(t, 124).prints(t, "out\n"); !got.TimedOut {
			t.Error("the report does not say timed out")
		}
		w.run(t, "--sandbox-timeout", "601", "true").ends(t, 125).says(t, "601")
		w.run(t, "--sandbox-timeout", "600", "true").ends(t, 0)
		w.run(t, "bash", "-c", "exit 42").ends(t, 42)
		w.run(t, "--no-sandbox", "true").ends(t, 127)
		if r := w.run(t, "--sandbox-help").ends(t, 0); !strings.Contains(r.stdout, "--sandbox-report FILE") {
			t.Error("the help does not name the options")
		}
		w.environment = append(w.environment, "BASH_ENV="+w.outside+"/file")
		w.run(t, "echo", "--sandbox-help").ends(t, 0).prints(t, "--sandbox-help\n")
	})
}

// TestPikuri looks for what pikuri-code shows, and hides.
func TestPikuri(t *testing.T) {
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
			ends(t, 0).prints(t, strings.Repeat("secret\n", 7))
		w.bash(t, `cd; ls .gradle/gradle.properties .gradle/init.d .m2/settings.xml .cargo/credentials.toml .ivy2/.credentials 2>/dev/null`).
			ends(t, 2).prints(t, "")
		w.bash(t, `cd; echo x >>.m2/repository/a && echo x >go/pkg/mod/b && mkdir -p .gradle/daemon .nuget/packages/x && ! echo x >.rustup/toolchains/b`).ends(t, 0)
		if w.read(t, w.home+"/.m2/repository/a") != "secret\n" || w.read(t, w.home+"/go/pkg/mod/b") != "" {
			t.Error("the host's caches have changed")
		}
		w.bash(t, `wc -l </etc/passwd; getent passwd $UID | cut -d: -f6; ls /etc/shadow /etc/ssh /etc/NetworkManager 2>/dev/null`).
			ends(t, 2).prints(t, "1\n"+w.home+"\n")
		for _, left := range []string{".gradle/daemon", ".nuget"} {
			if _, err := os.Stat(filepath.Join(w.home, left)); err == nil {
				t.Errorf("%s was left on the host", left)
			}
		}
	})
}

// TestAgentCode looks for what agent-code shows, and hides.
func TestAgentCode(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w.write(t, "home/.aws/credentials", "secret\n")
		w.write(t, "home/notes", "notes\n")
		w = w.launch(t, `extends = ["agent-code"]`)
		w.bash(t, `cat ~/notes; ls -A ~/.ssh ~/.aws; echo x >~/.cache/agent-code/x && ! echo x >~/new && ! echo x >/opt/marker && echo y >file && pwd`).
			ends(t, 0).prints(t, "notes\n"+w.home+"/.aws:\n\n"+w.home+"/.ssh:\n"+w.project+"\n")
		if w.read(t, w.home+"/.cache/agent-code/x") != "x\n" || w.read(t, w.project+"/file") != "y\n" || w.read(t, "/opt/marker")+w.read(t, w.home+"/new") != "" {
			t.Error("the host is not as it should be")
		}
		w.bash(t, `sed -i s/a/b/ .git/config`).ends(t, 4)
		w.write(t, "home/.netrc", "secret\n")
		w.bash(t, `cat ~/.netrc; [[ -f ~/.netrc && ! -s ~/.netrc ]]`).ends(t, 0).prints(t, "")
	})
}

// TestPublicBot looks for what the preset of that name shows, and hides.
func TestPublicBot(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		for i, e := range w.environment {
			if strings.HasPrefix(e, "PATH=") {
				w.environment[i] = e + ":/home/alice/.cargo/bin:" + w.outside + ":/tmp/test-bin:relative::/usr/local/sbin"
			}
		}
		w = w.launch(t, `extends = ["public-bot"]`)
		path := "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin"
		if w.bwrap == "/usr/bin" {
			path = "/usr/bin:/usr/local/bin:/bin:/usr/local/sbin" // it came first, and stands there once
		}
		w.bash(t, `echo $PATH; pwd; echo $HOME; echo x >~/x; echo y >file`).ends(t, 0).
			prints(t, path+"\n/workspace\n/home/sandbox\n")
		w.bash(t, `ls -A ~ /var/tmp /srv 2>/dev/null; ls `+w.home+` `+w.project).ends(t, 2)
		w.bash(t, `ulimit -n; ulimit -t`).ends(t, 0).prints(t, "4096\n600\n")
		w.run(t, "--sandbox-where", "file").ends(t, 0).prints(t, "/workspace/file\n")
		if w.read(t, w.project+"/file") != "y\n" {
			t.Error("the project was not written")
		}
	})
}

// TestTrustedMaintenance looks for what the preset of that name shows, and
// hides.
func TestTrustedMaintenance(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w.environment = append(w.environment, "XDG_CACHE_HOME="+w.home+"/.other")
		w = w.launch(t, `extends = ["trusted-maintenance"]`)
		root := "/home/sandbox/.local/share/bwrapgen-maintenance/"
		w.bash(t, `pwd; printf '%s\n' $HOME $TMPDIR $XDG_CACHE_HOME $XDG_CONFIG_HOME $XDG_STATE_HOME; echo x >$XDG_CACHE_HOME/x; echo y >$XDG_STATE_HOME/y; ls -A ~`).
			ends(t, 0).prints(t, w.project+"\n/home/sandbox\n/tmp\n"+root+"xdg-cache\n/home/sandbox/.config\n"+root+"xdg-state\n.local\n")
		kept := w.home + "/.local/share/bwrapgen-maintenance/"
		if w.read(t, kept+"xdg-cache/x")+w.read(t, kept+"xdg-state/y") != "x\ny\n" {
			t.Error("the root for caches does not last")
		}
		w.bash(t, `[[ -r /etc/hostname || ! -e /etc/hostname ]] && ! echo x >/etc/x && [[ -z $(ls -A /root /run /var/tmp | grep -v -e : -e NetworkManager -e systemd -e resolvconf -e '^user$') && -z $(ls -A /run/user/*) ]]; echo $?; ls `+w.home).
			ends(t, 0).prints(t, "0\ncode\n")
		w.bash(t, `cat /etc/shadow && [[ ! -s /etc/shadow ]]`).ends(t, 0).prints(t, "")
		w.run(t, "--sandbox-where", "/usr/bin").ends(t, 0).prints(t, "/usr/bin\n")
		w.run(t, "--sandbox-where", "/etc/shadow").ends(t, 1)
	})
}
