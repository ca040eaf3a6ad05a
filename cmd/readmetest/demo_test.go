package readmetest

import (
	"os"
	"strings"
	"testing"
)

// TestDemo runs what README.md says first. Its build cache is its own: another
// build on this machine may change the usual one at the same time.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	needSandbox(t)
	environment := append(os.Environ(), "GOCACHE="+t.TempDir(), "MAKEFLAGS=", "MAKELEVEL=")
	said := run(t, root, environment, "make", "demo")
	if !strings.Contains(said, "\nNo name, size, time, owner or mode has changed") {
		t.Errorf("make demo proves nothing:\n%s", said)
	}
}
