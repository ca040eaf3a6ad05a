package readmetest

import (
	"os"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestDemo runs what README.md says first. Its build cache is its own: another
// build on this machine may change the usual one at the same time. So it builds
// the standard library, which is too long for each "go test ./...".
func TestDemo(t *testing.T) {
	if !trial.Required() {
		t.Skip("make test runs it")
	}
	trial.Here(t)
	environment := append(os.Environ(), "GOCACHE="+t.TempDir(), "MAKEFLAGS=", "MAKELEVEL=")
	said := run(t, root, environment, "make", "demo")
	if !strings.Contains(said, "\nNo name, size, time, owner or mode has changed") {
		t.Errorf("make demo proves nothing:\n%s", said)
	}
}
