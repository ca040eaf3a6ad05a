package harness

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// What launchers are made from lies outside of worlds, too: a /nix/store that some
// test makes is in every launcher that another one writes meanwhile, be it in
// another package. So who changes something there is alone, and who needs it to
// stay as it is says so. The lock is on the root directory, which everybody can
// open, and nobody else locks.

// ChangesSystem waits until nobody needs the system as it is, and lets nobody
// else change or need it until the test ends.
func ChangesSystem(t *testing.T) {
	t.Helper()
	lockSystem(t, unix.LOCK_EX)
}

// NeedsSystem keeps others from changing the system until the test ends.
func NeedsSystem(t *testing.T) {
	t.Helper()
	lockSystem(t, unix.LOCK_SH)
}

func lockSystem(t *testing.T, how int) {
	t.Helper()
	root, err := os.Open("/")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	err = unix.EINTR
	for errors.Is(err, unix.EINTR) {
		err = unix.Flock(int(root.Fd()), how)
	}
	if err != nil {
		t.Fatal(err)
	}
}
