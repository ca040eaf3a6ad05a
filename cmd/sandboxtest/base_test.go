package sandboxtest

import (
	"testing"

	"bwrapgen/cmd/harness"
)

// TestBaseDirectories: $XDG_CACHE_HOME and its like are where the specification has
// them while they are unset, empty or relative.
func TestBaseDirectories(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/.config/demo/file": "usual\n", "home/elsewhere/demo/file": "moved\n"})
		w.Give(t, w.Top)
		l := w.launch(t, "extends = [\"default\"]\n[filesystem]\nread = [\"$XDG_CONFIG_HOME/demo\"]\nwrite = [\"$XDG_CACHE_HOME/made!\"]")
		const read = `cat "${XDG_CONFIG_HOME:-$HOME/.config}/demo/file" && cd "${XDG_CACHE_HOME:-$HOME/.cache}/made" && echo kept >file`
		for value, want := range map[string]string{"": "usual\n", "elsewhere": "usual\n", w.Home + "/elsewhere": "moved\n"} {
			l.Environment = harness.With(l.Environment, "XDG_CONFIG_HOME="+value, "XDG_CACHE_HOME="+value)
			l.Run(t, "sh", "-c", read).Expect(t, "with "+value, 0, want)
		}
		for _, name := range []string{"home/.cache/made/file", "home/elsewhere/made/file"} {
			if got := harness.Read(t, w.Top+"/"+name); got != "kept\n" {
				t.Errorf("%s holds %q", name, got)
			}
		}
	})
}
