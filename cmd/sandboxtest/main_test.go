package sandboxtest

import (
	"os"
	"path/filepath"
	"testing"

	"bwrapgen/cmd/sandboxtest/inside"
)

// TestMain lets the test binary be the program that runs inside, too: it needs
// no compiler where the tests run.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == inside.Name {
		os.Exit(inside.Main(os.Args[1:]))
	}
	status := m.Run()
	if dir, err := programs(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(status)
}
