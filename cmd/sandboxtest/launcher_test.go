package sandboxtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// launcher is a launcher in a world, and how to start it.
type launcher struct {
	world
	harness.Start
}

// launch writes the launcher of a profile. $P, $O and $H in the text are the
// world's directories.
func (w world) launch(t *testing.T, text string) launcher {
	t.Helper()
	file := filepath.Join(w.Top, harness.Name)
	w.Put(t, file, w.generate(t, text))
	return launcher{w, harness.Start{As: w.Account, Program: file, Dir: w.Project, Environment: w.environment()}}
}

// generate makes the script of a profile. The programs for inside are visible
// whatever it says.
func (w world) generate(t *testing.T, text string) []byte {
	t.Helper()
	return w.Launcher(t, harness.Profile{Text: text, Visible: w.programs, Environment: append(w.environment(), w.variables...)})
}

// claim is what must hold in the home directory inside: a script that succeeds.
type claim struct{ name, do string }

// holds tries claims, each in a shell of its own, in one sandbox.
func (l launcher) holds(t *testing.T, what string, claims []claim) {
	t.Helper()
	var script strings.Builder
	for _, c := range claims {
		fmt.Fprintf(&script, "said=$( { cd && %s; } 2>&1) || printf '%%s: %%s\\n' '%s' \"$said\"\n", c.do, c.name)
	}
	l.Run(t, "bash", "-c", script.String()+"echo all").Expect(t, what, 0, "all\n")
}
