package sandboxtest

import (
	"os"
	"path/filepath"
	"testing"

	"bwrapgen/cmd/harness"
)

// ruins are what leaves the caller's terminal useless after the command's end:
// nobody else can open it, nothing is passed on any more, nothing is shown.
var ruins = []string{"exclusive", "discipline", "stop-output"}

// TestRuined: the terminal is of use after the command's end, whatever that has
// asked the kernel for.
func TestRuined(t *testing.T) {
	t.Parallel()
	for name, profile := range map[string]string{
		"job control": `extends = ["default"]`,
		"new session": "extends = [\"default\"]\n[terminal]\nmode = \"new-session\"",
	} {
		t.Run(name, func(t *testing.T) {
			harness.Ends(t, func(t *testing.T, s harness.Setting) {
				x := newWorld(t, s).launch(t, profile).terminal(t)
				for _, attempt := range ruins {
					x.Types(t, `"$L" "$inside" try `+attempt+"; echo ended\n")
					x.Expect(t, `\nEPERM\r\n`)
					x.Expect(t, `ended\r\nprompt> $`)
				}
			})
		})
	}
}

// TestRuinedOutside is the control: without a sandbox the kernel does it.
func TestRuinedOutside(t *testing.T) {
	for _, a := range harness.Accounts() {
		settings := a.Settings(t)
		for _, attempt := range ruins {
			w := newWorld(t, settings[0])
			said := filepath.Join(w.Project, "said")
			w.launch(t, `extends = ["look"]`).terminal(t).Types(t, `"$inside" try `+attempt+" >said\n")
			harness.Eventually(t, attempt, func() bool {
				data, _ := os.ReadFile(said)
				return string(data) == "ok\n"
			})
		}
	}
}
