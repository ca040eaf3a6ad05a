package sandboxtest

import (
	"path/filepath"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestHanded: a file that the caller hands over can be opened anew, and written
// to, as README says; through a pipe it cannot.
func TestHanded(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		file := filepath.Join(w.Outside, "file")
		const attempt = `sh -c 'cat && echo evil >>/proc/self/fd/0; true'`
		l.from(t, `cat "`+file+`" | "$L" `+attempt).Expect(t, "a pipe", 0, "outside\n")
		if got := harness.Read(t, file); got != "outside\n" {
			t.Errorf("through a pipe the file became %q", got)
		}
		l.from(t, `"$L" `+attempt+` <"`+file+`"`).Expect(t, "the file", 0, "outside\n")
		if got := harness.Read(t, file); got != "outside\nevil\n" {
			t.Errorf("the control: %q", got)
		}
	})
}

// TestGroup: a signal to its own process group reaches who started the launcher,
// as it does without a sandbox and as README says, but not from a session of the
// command's own.
func TestGroup(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		const start = `"$L" sh -c 'kill -KILL 0' >/dev/null; echo "lives, $?"`
		l := w.launch(t, "extends = [\"default\"]\n[terminal]\nmode = \"new-session\"")
		l.Alone = true
		l.from(t, start).Expect(t, "a new session", 0, "lives, 137\n")
		l = w.launch(t, `extends = ["default"]`)
		l.Alone = true
		l.from(t, start).Expect(t, "the same one", 137, "")
	})
}
