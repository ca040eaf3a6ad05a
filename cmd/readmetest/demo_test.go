package readmetest

import (
	"os"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestDemo runs what README.md says first. That is too long for each "go test ./...".
func TestDemo(t *testing.T) {
	if !harness.Required() {
		t.Skip("make test runs it")
	}
	harness.Here(t)
	environment := append(os.Environ(), "GOCACHE="+buildCache(t), "MAKEFLAGS=", "MAKELEVEL=")
	said := run(t, root, environment, "make", "demo")
	if !strings.Contains(said, "\nNo name, size, time, owner or mode has changed") {
		t.Errorf("make demo proves nothing:\n%s", said)
	}
}

// buildCache is one of its own: another build on this machine may change the usual
// one at the same time. It holds what was built or used there of late, which is
// this repository and the standard library. What vanishes while it is copied, or is
// copied by half, the demo builds.
func buildCache(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run(t, root, os.Environ(), "bash", "-c", `cd "$(go env GOCACHE)" && find ??/ -type f -mmin -120 -exec cp --parents -t "$0" {} + || :`, dir)
	return dir
}
