package golden_test

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// judged gives a script to a program that must find nothing to say about it.
// One that is not installed is passed over, but not in CI: there a run would
// be green because nobody looked. With -short, nobody does.
func judged(t *testing.T, script []byte, program string, args ...string) {
	t.Helper()
	if testing.Short() {
		return
	}
	name, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Errorf("%s is not installed", program)
		}
		return
	}
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%s: %v\n%s", program, err, out)
	}
}
