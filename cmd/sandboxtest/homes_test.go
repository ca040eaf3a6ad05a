package sandboxtest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestOtherHomes: in the host base other people's homes are out of sight, in
// whatever way one's own is there, and nothing can be written in their place. So are
// /run and the temporary files. All else of the host is there.
func TestOtherHomes(t *testing.T) {
	t.Parallel()
	if harness.Homes() != "/home" {
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
				{name: "list /run", do: `ls -A /run | grep -vxE 'user|systemd|resolvconf|NetworkManager|bwrapgen' | grep .`, denied: `^$`},
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

// TestHomesElsewhere: so are homes that are elsewhere, by what passwd(5) says.
func TestHomesElsewhere(t *testing.T) {
	t.Parallel()
	if harness.Homes() != "/home" {
		t.Skip("only root can make another's home")
	}
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[filesystem]\nbase = \"host\"\n")
		dir, err := os.MkdirTemp("/srv", "bwrapgen-other-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		key, known := filepath.Join(dir, "bob/key"), filepath.Join(w.Top, "passwd")
		if err := errors.Join(os.Mkdir(filepath.Dir(key), 0o755), os.Symlink("/usr", filepath.Join(dir, "tools")), os.WriteFile(key, []byte("another's key\n"), 0o644), os.Chmod(dir, 0o755)); err != nil {
			t.Fatal(err)
		}
		for who, line := range map[string]string{
			"nobody's": "", "a system's": "bob:x:321:321::" + dir + "/bob:/bin/sh\n", "root's": "bob:x:4321:4321::/:/bin/sh\n", "an ancestor": "bob:x:4321:4321::/home:/bin/sh\n",
			"a link to the system": "bob:x:4321:4321::" + dir + "/tools:/bin/sh\n", "none": "bob:x:4321:4321:::/bin/sh\n",
		} {
			w.Put(t, known, []byte("root:x:0:0:root:/root:/bin/bash\n"+line))
			l.InNamespace(`mount --bind "$1" /etc/passwd`, known).Run(t, "cat", key, "/usr/bin/env").Succeeds(t, who)
		}
		w.Put(t, known, []byte("bob:x:4321:4321::"+dir+"/bob:/bin/sh\nzoe:x:4322:4322::/nowhere:/bin/sh\n"))
		r := l.InNamespace(`mount --bind "$1" /etc/passwd`, known).Run(t, "sh", "-c", `! cat "$1" && ls -A "${1%/*}" && ! touch "${1%/*}/x" && ls file`, "sh", key)
		r.Says(t, "No such file").Says(t, "Read-only file system").Expect(t, "another's", 0, "file\n")
	})
}

// TestClosedHome: a HOME that the caller cannot enter, as after sudo without -H,
// is refused like one that is none.
func TestClosedHome(t *testing.T) {
	t.Parallel()
	harness.Ordinary().Everywhere(t, func(t *testing.T, s harness.Setting) {
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
		l.Run(t, "echo", "ran").Refused(t, "a closed one", "HOME is not a home directory", closed)
	})
}
