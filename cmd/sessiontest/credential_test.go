package sessiontest

import (
	"os"
	"testing"
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
	everywhere(t, func(t *testing.T, w world) {
		secret := w.write(t, "outside/token", "token\n")
		key := w.write(t, "home/.ssh/key", "key\n")
		w.write(t, "home/code/p/covered", "")
		w = w.launch(t, credentialed)
		w.run(t, "true").ends(t, 125).says(t, "refusing the credential "+secret+": others may read it").says(t, "chmod 600 "+secret)
		for _, file := range []string{secret, key} {
			if err := os.Chmod(file, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w.bash(t, "cat ~/.token ~/.ssh/key covered; ls -A ~/.ssh; ls ~/absent 2>/dev/null").ends(t, 2).prints(t, "token\nkey\ntoken\nkey\n")
		w.bash(t, "echo x >~/.token || echo x >covered || rm -f covered || mv ~/.token ~/t || mv covered c || ls "+w.outside).ends(t, 2)
		if got := w.read(t, secret) + w.read(t, w.project+"/covered"); got != "token\n" {
			t.Errorf("the host has %q", got)
		}
		w.run(t, "--sandbox-where", key).ends(t, 0).prints(t, "/home/sandbox/.ssh/key\n")

		for _, break_ := range []func() error{
			func() error { return os.Remove(w.project + "/covered") },
			func() error { return os.Symlink(secret, w.project+"/covered") },
		} {
			if err := break_(); err != nil {
				t.Fatal(err)
			}
			w.run(t, "true").ends(t, 125).says(t, "there is no file "+w.project+"/covered")
		}
	})
}

func TestCredentialRefused(t *testing.T) {
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, "extends = [\"base\"]\n[filesystem]\ncredential = [{ path = \"$O/c\", at = \"~/c\", why = \"a test\" }]\n")
		refused := func() {
			t.Helper()
			w.run(t, "true").ends(t, 125).says(t, "refusing the credential "+w.outside+"/c: it is no regular file of yours").says(t, "filesystem.credential")
			_ = os.Remove(w.outside + "/c")
		}
		refused()
		for _, wrong := range []error{os.Symlink("file", w.outside+"/c"), os.Symlink("absent", w.outside+"/d"), os.Mkdir(w.outside+"/e", 0o700)} {
			if wrong != nil {
				t.Fatal(wrong)
			}
		}
		refused()
		_ = os.Rename(w.outside+"/d", w.outside+"/c")
		refused()
		_ = os.Rename(w.outside+"/e", w.outside+"/c")
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
	everywhere(t, func(t *testing.T, w world) {
		w.write(t, "outside/hosts", "127.0.0.1 here\n")
		w = w.launch(t, `extends = ["base"]
[filesystem]
read = [{ path = "$O/hosts", at = "/etc/hosts" }, { path = "$O/file", at = "~/.config/tool" }, { path = "$O/file", at = "./file" }]
`)
		w.bash(t, "cat /etc/hosts ~/.config/tool file; echo x >/etc/hosts || echo x >file").ends(t, 1).
			prints(t, "127.0.0.1 here\noutside\noutside\n")
		if got := w.read(t, w.project+"/file"); got != "project\n" {
			t.Errorf("the project has %q", got)
		}
		if err := os.Remove(w.project + "/file"); err != nil {
			t.Fatal(err)
		}
		w.run(t, "true").ends(t, 125).says(t, "there is no "+w.project+"/file that something could stand at")
		if _, err := os.Stat(w.project + "/file"); err == nil {
			t.Error("a mount point was left behind")
		}
	})
}
