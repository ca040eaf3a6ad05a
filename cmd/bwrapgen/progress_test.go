package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestProgress: generate --all says on a terminal which launcher it makes, and takes that
// back. Elsewhere, as generate-all.txtar has it, it says nothing.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "bwrapgen")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	manifest := "[[launcher]]\nprofile = \"look\"\noutput = \"one\"\n[[launcher]]\nprofile = \"base\"\noutput = \"two\"\n"
	if err := os.WriteFile(filepath.Join(dir, "all.toml"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	x := harness.NewTerminal(t, harness.Account{})
	c := exec.Command(program, "generate", "--all", "all.toml")
	c.Dir, c.Env = dir, append(os.Environ(), "TERM=vt100")
	x.Start(t, c)
	x.Expect(t, `making 1 of 2: one \.\.\.\r\x1b\[K`)
	x.Expect(t, `making 2 of 2: two \.\.\.\r\x1b\[K`)
	if said, status := x.End(t, c); status != 0 || !strings.Contains(said, "\r\x1b[Kbwrapgen: one has been written") || !strings.Contains(said, "\nbwrapgen: two has been written") {
		t.Errorf("it ended with %d: %q", status, said)
	}
}
