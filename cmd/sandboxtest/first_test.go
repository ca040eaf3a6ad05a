package sandboxtest

import (
	"os"
	"path/filepath"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/cmd/harness/inside"
)

// TestOwnBwrap: process 1 of a sandbox is bwrap, whose file lies outside. Where
// that is the caller's own, as all files are root's, it cannot be changed through
// /proc either, nor by a process that process 1 was made to start.
func TestOwnBwrap(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		program, err := os.ReadFile(filepath.Join(s.Bwrap, "bwrap"))
		if err != nil {
			t.Fatal(err)
		}
		own := filepath.Join(w.Home, "bin/bwrap")
		w.Put(t, own, program)
		w.Give(t, filepath.Dir(own))
		for _, text := range []string{`extends = ["default"]`, "extends = [\"default\"]\n[kernel]\nseccomp = \"strict\"\n"} {
			l := w.launch(t, text)
			l.Set("PATH=" + filepath.Dir(own) + ":" + s.Path())
			before := harness.StateOf(t, own)
			r := l.Run(t, "bash", "-c", `exec 2>/dev/null
				cp /usr/bin/sleep made-sleep
				./made-sleep 100 &
				until [[ /proc/$!/exe -ef made-sleep ]]; do sleep 0.01; done
				chmod 700 "/proc/$!/exe" && echo its own
				for p in /proc/[0-9]*; do [[ $p == "/proc/$!" ]] || { chmod 700 "$p/exe" && echo "$p"; }; done
				for attempt in ptrace-first write-first; do "$0" try $attempt; done; rm made-sleep`, filepath.Join(w.programs, inside.Name))
			r.Expect(t, text, 0, "its own\nEPERM\nEPERM\n")
			before.Same(t, harness.StateOf(t, own))
		}
	})
}
