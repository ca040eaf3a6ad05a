package sessiontest

import (
	"errors"
	"os"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

const credentialed = `extends = ["base"]
[project]
at = "/workspace"
[home]
at = "/home/sandbox"
[filesystem]
credential = [
  { path = "$O/token", at = "~/.token", why = "the test reads it" },
  { path = "~/.ssh/key", at = "/home/sandbox/.ssh/key", why = "the test reads it" },
  { path = "$O/token", at = "./covered", why = "the test reads it" },
  { path = "$O/absent", at = "~/absent", optional = true, why = "the test misses it" },
]
`

func TestCredential(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		secret := w.write(t, "outside/token", "token\n")
		key := w.write(t, "home/.ssh/key", "key\n")
		w.write(t, "home/code/p/covered", "")
		w = w.launch(t, credentialed)
		w.Run(t, "true").Ends(t, 125).Says(t, "refusing the credential "+secret+": others may read it").Says(t, "chmod 600 "+secret)
		for _, file := range []string{secret, key} {
			if err := os.Chmod(file, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w.bash(t, "cat ~/.token ~/.ssh/key covered; ls -A ~/.ssh; ls ~/absent 2>/dev/null").Ends(t, 2).Prints(t, "token\nkey\ntoken\nkey\n")
		w.bash(t, "echo x >~/.token || echo x >covered || rm -f covered || mv ~/.token ~/t || mv covered c || ls "+w.Outside).Ends(t, 2)
		if got := harness.Read(t, secret) + harness.Read(t, w.Project+"/covered"); got != "token\n" {
			t.Errorf("the host has %q", got)
		}
		w.Run(t, "--sandbox-where", key).Ends(t, 0).Prints(t, "/home/sandbox/.ssh/key\n")

		for _, break_ := range []func() error{
			func() error { return os.Remove(w.Project + "/covered") },
			func() error { return os.Symlink(secret, w.Project+"/covered") },
		} {
			if err := break_(); err != nil {
				t.Fatal(err)
			}
			w.Run(t, "true").Ends(t, 125).Says(t, "there is no file "+w.Project+"/covered")
		}
	})
}

func TestCredentialRefused(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, "extends = [\"base\"]\n[filesystem]\ncredential = [{ path = \"$O/c\", at = \"~/c\", why = \"a test\" }]\n")
		refused := func() {
			t.Helper()
			w.Run(t, "true").Ends(t, 125).Says(t, "refusing the credential "+w.Outside+"/c: it is not a regular file of yours").Says(t, "filesystem.credential")
			_ = os.Remove(w.Outside + "/c")
		}
		refused()
		for _, wrong := range []error{os.Symlink("file", w.Outside+"/c"), os.Symlink("absent", w.Outside+"/d"), os.Mkdir(w.Outside+"/e", 0o700)} {
			if wrong != nil {
				t.Fatal(wrong)
			}
		}
		refused()
		_ = os.Rename(w.Outside+"/d", w.Outside+"/c")
		refused()
		_ = os.Rename(w.Outside+"/e", w.Outside+"/c")
		refused()
		for _, place := range []string{"/etc/c", "$O/c2", "/tmp/c"} {
			if _, err := w.plan(t, "extends = [\"base\"]\n[filesystem]\ncredential = [{ path = \"$O/c\", at = \""+place+"\", why = \"a test\" }]\n"); err == nil {
				t.Errorf("%s is taken", place)
			}
		}
	})
}

// TestFileElsewhere shows single files at other places, over what is there.
func TestFileElsewhere(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w.write(t, "outside/hosts", "127.0.0.1 here\n")
		w = w.launch(t, `extends = ["base"]
[filesystem]
read = [{ path = "$O/hosts", at = "/etc/hosts" }, { path = "$O/file", at = "~/.config/tool" }, { path = "$O/file", at = "./file" }]
`)
		w.bash(t, "cat /etc/hosts ~/.config/tool file; echo x >/etc/hosts || echo x >file").Ends(t, 1).
			Prints(t, "127.0.0.1 here\noutside\noutside\n")
		if got := harness.Read(t, w.Project+"/file"); got != "project\n" {
			t.Errorf("the project has %q", got)
		}
		if err := os.Remove(w.Project + "/file"); err != nil {
			t.Fatal(err)
		}
		w.Run(t, "true").Ends(t, 125).Says(t, "there is no "+w.Project+"/file to mount something on")
		if _, err := os.Stat(w.Project + "/file"); err == nil {
			t.Error("a mount point was left behind")
		}
	})
}

// TestFileOnHost shows files over what the host's root has, be it a link; where
// there is nothing, nothing can stand.
func TestFileOnHost(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newHostWorld(t, s)
		hosts := w.write(t, "outside/hosts", "127.0.0.1 here\n")
		for _, at := range []string{"/etc/hosts", w.Top + "/link", w.Home + "/way/file"} {
			if err := errors.Join(os.RemoveAll(w.Top+"/link"), os.Symlink("outside/file", w.Top+"/link"), os.RemoveAll(w.Home+"/way"), os.Symlink(w.Outside, w.Home+"/way")); err != nil {
				t.Fatal(err)
			}
			w.Give(t, w.Top)
			w = w.launch(t, "extends = [\"agent-code\"]\n[filesystem]\nread = [{ path = \""+hosts+"\", at = \""+at+"\" }]\n")
			w.bash(t, "cat "+at+"; echo x >"+at).Ends(t, 1).Prints(t, "127.0.0.1 here\n")
		}
		if got := harness.Read(t, w.Outside+"/file"); got != "outside\n" {
			t.Errorf("the host has %q", got)
		}
		w = w.launch(t, "extends = [\"agent-code\"]\n[filesystem]\nread = [{ path = \"$O/hosts\", at = \"/etc/new\" }, { path = \"$O/hosts\", at = \"/run/new\" }]\n")
		w.Run(t, "true").Refused(t, "no place", "there is no /etc/new to mount something on")
		w.launch(t, "extends = [\"agent-code\"]\n[filesystem]\nread = [{ path = \"$O/hosts\", at = \"/run/new\" }]\n").bash(t, "cat /run/new").Ends(t, 0).Prints(t, "127.0.0.1 here\n")
	})
}

// TestFileOverAccounts replaces what the launcher writes itself.
func TestFileOverAccounts(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w.write(t, "outside/passwd", "me:x:7:7::/:/bin/sh\n")
		const read = "[filesystem]\nread = [{ path = \"$O/passwd\", at = \"/etc/passwd\" }]\n"
		if _, err := w.plan(t, "extends = [\"base\"]\n"+read); err == nil || !strings.Contains(err.Error(), "the launcher makes a /etc/passwd of its own") || !strings.Contains(err.Error(), "drop.filesystem.read") {
			t.Errorf("got %v", err)
		}
		w = w.launch(t, "extends = [\"base\"]\n[drop.filesystem]\nread = [\"/etc/passwd\", \"/etc/group\"]\n"+read)
		w.Run(t, "cat", "/etc/passwd").Ends(t, 0).Prints(t, "me:x:7:7::/:/bin/sh\n")
	})
}
