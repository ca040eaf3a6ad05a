package sandboxtest

import (
	"os"
	"path/filepath"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestOtherHomes: in the host base other people's homes are out of sight, in
// whatever way one's own is there, and nothing can be written in their place. All
// else of the host is there.
func TestOtherHomes(t *testing.T) {
	if trial.Homes() != "/home" {
		t.Skip("only root can make another's home")
	}
	other, err := os.MkdirTemp("/home", "bwrapgen-other-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(other) })
	file := filepath.Join(other, "key")
	if err := os.WriteFile(file, []byte("another's key\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(other, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"host", "empty"} {
		t.Run(mode, func(t *testing.T) {
			attack(t, "extends = [\"default\"]\n[filesystem]\nbase = \"host\"\n[home]\nmode = \""+mode+"\"", []row{
				{name: "read another's file", do: `cat "` + file + `"`, denied: `No such file`},
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
