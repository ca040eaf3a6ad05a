package sandboxtest

import (
	"os"
	"testing"

	"bwrapgen/cmd/trial"
)

// TestMain lets the test binary be the program that runs inside.
func TestMain(m *testing.M) { os.Exit(trial.Main(m)) }
