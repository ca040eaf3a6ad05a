package golden_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// judged gives a script to a program that must find nothing to say about it.
func judged(t *testing.T, script []byte, program string, args ...string) {
	t.Helper()
	if said := opinion(t, script, program, args...); said != "" {
		t.Error(said)
	}
}

// opinion is what a program says about a script, or "". One that is not installed is
// passed over, but not in CI: there a run would be green because nobody looked. With
// -short, nobody does.
func opinion(t *testing.T, script []byte, program string, args ...string) string {
	t.Helper()
	if testing.Short() {
		return ""
	}
	name, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Errorf("%s is not installed", program)
		}
		return ""
	}
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		return fmt.Sprintf("%s: %v\n%s", program, err, out)
	}
	return ""
}
