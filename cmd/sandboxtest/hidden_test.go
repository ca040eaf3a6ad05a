package sandboxtest

import (
	"path/filepath"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestHiddenNames: C5, what is hidden is so under each of its names: where an entry is
// a link to what holds it, where its own name leads through one, and where two
// names lead to one file. What lies beside it is shown.
func TestHiddenNames(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/d/x/hidden": secret, "home/d/x/other": "other\n", "home/d/x/deep/hidden": secret})
		w.shell(t, `cd "$H"; ln -s d/x linked; ln -s "$H/d/x" d/round; ln -s d/x/hidden one; ln -s d/x/hidden two`)
		w.Give(t, w.Home)
		for _, test := range []struct{ name, entry, hide string }{
			{"the entry is a link", "linked", `"~/d/x/hidden", "~/d/x/deep"`},
			{"the name leads through a link", "d", `"~/linked/hidden", "~/linked/deep"`},
			{"both", "linked", `"~/d/round/hidden", "~/d/round/deep"`},
			{"two names of one file", "d", `"~/one", "~/two", "~/d/x/hidden", "~/d/x/deep"`},
		} {
			for _, kind := range []string{"read", "write", "overlay", `base = "host"; write`} {
				text := "extends = [\"default\"]\n[toolchains]\nuse = []\n[filesystem]\n"
				if kind == `base = "host"; write` {
					text, kind = text+"base = \"host\"\n", "write"
				}
				l := w.launch(t, text+kind+` = ["~/`+test.entry+`"]`+"\nhide = ["+test.hide+"]\n")
				what := test.name + ", " + kind
				l.Run(t, "bash", "-c", `cd; exec 2>/dev/null; cat linked/* d/x/* linked/deep/* d/x/deep/* | sort -u; echo x >linked/hidden; echo x >d/x/hidden; mv linked/deep linked/made`).
					Expect(t, what, 1, "other\n")
				if got := harness.Read(t, filepath.Join(w.Home, "d/x/hidden")); got != secret {
					t.Errorf("%s: on the host it holds %q", what, got)
				}
			}
		}
	})
}
