package sockettest

import (
	"os"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestMain lets the test binary be the program that runs inside.
func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
