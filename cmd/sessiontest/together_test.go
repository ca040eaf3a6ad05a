package sessiontest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// together are parts of a profile that each work alone, and what is then where.
var together = map[string]string{
	"both moved, the home kept": `
		project = { at = "/workspace" }
		home = { at = "/home/sandbox", mode = "keep" }`,
	"the project moved, the home kept": `
		project = { at = "/workspace" }
		home = { mode = "keep" }`,
	"the project moved and overlaid, home and /tmp kept": `
		project = { at = "/workspace", access = "overlay" }
		home = { at = "/home/sandbox", mode = "keep" }
		tmp = { mode = "keep" }`,
	"a /tmp for a session, and sockets": `
		tmp = { mode = "session" }
		sockets = { pass = ["ssh-agent", "wayland", "x11", "pipewire", "pulse"] }`,
	"the same with a limit on output": `
		caches = { mode = "session" }
		tmp = { mode = "session" }
		sockets = { pass = ["wayland"] }
		limits = { output = "1KiB", timeout = "300s" }`,
}

// TestTogether: what a profile asks for does not get in the way of the rest, in a
// run and in what the launcher says of itself.
func TestTogether(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorldIn(t, s, "/var/tmp") // a layer cannot lie on an overlay
		for name, text := range together {
			w := w.launch(t, "extends = [\"default\"]\n"+text)
			for range 2 {
				r := w.Run(t, "sh", "-c", `cat file && echo x >/tmp/made && ! cat .git/hooks/made "$1" 2>/dev/null && exit 7`, "-", w.Home+"/.ssh/id_test")
				if r.Status != 7 || r.Stdout != "project\n" || r.Stderr != "" {
					t.Errorf("%s: status %d, %q, %q", name, r.Status, r.Stdout, r.Stderr)
				}
			}
			for _, option := range []string{"help", "print", "explain", "doctor", "status", "discard"} {
				w.Run(t, "--sandbox-"+option).Succeeds(t, name+": --sandbox-"+option)
			}
		}
	})
}

// TestStoresUnseen: where the host's root is shown, what other launchers keep is
// not, and the launcher's own neither.
func TestStoresUnseen(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		const home = "extends = [\"default\"]\nhome.mode = \"keep\""
		w.launch(t, home).Run(t, "sh", "-c", "echo token >~/.npmrc").Succeeds(t, "a kept home")
		kept, err := filepath.Glob(filepath.Join(w.Home, ".local/state/bwrapgen/L-*/keep/.home/.npmrc"))
		if err != nil || len(kept) != 1 || harness.Read(t, kept[0]) != "token\n" {
			t.Fatalf("%v, %v", kept, err)
		}
		for _, text := range []string{`extends = ["agent-code"]`, "extends = [\"default\"]\nfilesystem.base = \"host\"", home + "\nfilesystem.base = \"host\"\ntmp.mode = \"keep\""} {
			r := w.launch(t, text).Run(t, "sh", "-c", `cat "$@"; cat file; echo x >/tmp/x && cat /tmp/x`, "-", kept[0])
			if !strings.HasSuffix(r.Stdout, "project\nx\n") || strings.Contains(r.Stdout, "token") {
				t.Errorf("%s: %d, %q, %q", text, r.Status, r.Stdout, r.Stderr)
			}
		}
	})
}
