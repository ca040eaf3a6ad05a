package harness

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bwrapgen/cmd/harness/inside"
)

// Main runs the tests of a package. It lets the test binary be the program
// that runs inside, too: no compiler is needed where the tests run.
func Main(m *testing.M) int {
	if filepath.Base(os.Args[0]) == inside.Name {
		return inside.Main(os.Args[1:])
	}
	status := m.Run()
	if dir, err := programs(); err == nil {
		_ = os.RemoveAll(dir)
	}
	return status
}

// Programs is a directory that everybody can read, with the program for
// inside, in a package whose tests are run by Main.
func Programs(t *testing.T) string {
	t.Helper()
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp(Homes(), "bwrapgen-programs-")
	if err != nil {
		return "", err
	}
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		return dir, err
	}
	defer func() { _ = from.Close() }()
	to, err := os.OpenFile(filepath.Join(dir, inside.Name), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return dir, err
	}
	_, err = io.Copy(to, from)
	return dir, errors.Join(err, to.Close(), os.Chmod(dir, 0o755))
})
