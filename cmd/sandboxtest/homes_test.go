package sandboxtest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestOtherHomes: in the host base other people's homes are out of sight, in
// whatever way one's own is there, and nothing can be written in their place. So are
// /run and the temporary files. All else of the host is there.
func TestOtherHomes(t *testing.T) {
	if trial.Homes() != "/home" {
		t.Skip("only root can make another's home")
	}
	other := map[string]string{} // a directory with a file, in each of these
	for _, in := range []string{"/home", "/run", "/tmp", "/var/tmp"} {
		dir, err := os.MkdirTemp(in, "bwrapgen-other-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "key"), []byte("another's key\n"), 0o644), os.Chmod(dir, 0o755)); err != nil {
			t.Fatal(err)
		}
		other[in] = filepath.Join(dir, "key")
	}
	for _, mode := range []string{"host", "empty"} {
		t.Run(mode, func(t *testing.T) {
			attack(t, "extends = [\"default\"]\n[filesystem]\nbase = \"host\"\n[home]\nmode = \""+mode+"\"", []row{
				{name: "read another's file", do: `cat "` + other["/home"] + `"`, denied: `No such file`},
				{name: "read another's file in /run", do: `cat "` + other["/run"] + `"`, denied: `No such file`},
				{name: "the same through /var/run", do: `cat "/var` + other["/run"] + `"`, denied: `No such file`},
				{name: "list /run", do: `ls -A /run | grep -vxE 'user|systemd|resolvconf|NetworkManager' | grep .`, denied: `^$`},
				{name: "D11 read another's file in /tmp", do: `cat "` + other["/tmp"] + `"`, denied: `No such file`},
				{name: "D11 in /var/tmp", do: `cat "` + other["/var/tmp"] + `"`, denied: `No such file`},
				{name: "D11 write there", do: `echo x >/tmp/made-x && echo x >/var/tmp/made-x`},
				{name: "list the homes", do: `ls /home | grep -v "$(basename "${H%/home}")" | grep -v bwrapgen-programs | grep .`, denied: `^$`},
				{name: "write among them", do: `touch /home/made-x`, denied: `Read-only file system`, control: none},
				{name: "list root's", do: `ls -A /root | grep .`, denied: `^$|Permission denied`, control: none},
				{name: "the rest is there", do: `test -e /etc/debian_version && ls /usr/bin/env`},
				{name: "one's own is there", do: `test "$(ls "$H/code/p/file")" && echo x >"$P/made-x"`},
			})
		})
	}
}

// TestClosedHome: a HOME that the caller cannot enter, as after sudo without -H,
// is refused like one that is none.
func TestClosedHome(t *testing.T) {
	trial.Ordinary().Everywhere(t, func(t *testing.T, s trial.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		closed := filepath.Join(w.Outside, "closed")
		w.Write(t, map[string]string{"outside/closed/file": "ours\n"})
		w.Give(t, w.Top)
		l.Set("HOME=" + closed)
		l.Run(t, "echo", "ran").Expect(t, "the control: one that can be entered", 0, "ran\n")
		if err := os.Chmod(closed, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(closed, 0o700) })
		l.Run(t, "echo", "ran").Refused(t, "a closed one", "HOME is no home directory", closed)
	})
}
