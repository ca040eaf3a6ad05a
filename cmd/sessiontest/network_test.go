package sessiontest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"bwrapgen/cmd/harness"
)

// connects ends with 0 if somebody listens at the socket that perl's expression
// behind it names.
const connects = `perl -MIO::Socket::UNIX -e 'exit !IO::Socket::UNIX->new(Peer => eval shift)' `

// TestProfilesNetwork looks for listeners of the host, one of them without a
// path.
func TestProfilesNetwork(t *testing.T) {
	t.Parallel()
	each(t, once, func(t *testing.T, w world, name string) {
		port := harness.Listen(t, "tcp", "127.0.0.1:0", "").(*net.TCPAddr).Port
		r := w.bash(t, fmt.Sprint("exec 2>/dev/null; : </dev/tcp/127.0.0.1/", port))
		shared := name == "pikuri" || name == "trusted-maintenance"
		if (r.Status == 0) != shared {
			t.Errorf("connecting ends with %d", r.Status)
		}
		abstract := filepath.Base(w.Top)
		harness.Listen(t, "unix", "@"+abstract, "")
		if r := w.bash(t, connects+`'"\0`+abstract+`"'`); (r.Status == 0) != shared {
			t.Errorf("connecting to a socket without a path ends with %d", r.Status)
		}
	})
}

// TestProfilesSockets has a socket in every place that is in sight or was.
func TestProfilesSockets(t *testing.T) {
	t.Parallel()
	each(t, once, func(t *testing.T, w world, _ string) {
		path := filepath.Join(runtime(t), filepath.Base(w.Top))
		harness.Listen(t, "unix", path, "")
		w.bash(t, "[[ ! -e "+path+" && ! -e /var"+path+" ]]").Ends(t, 0)
	})
}

// runtime is a directory at or below /run where the tests can make a socket.
func runtime(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{"/run", "/run/lock", "/run/user/" + strconv.Itoa(os.Getuid())} {
		if unix.Access(dir, unix.W_OK) == nil {
			return dir
		}
	}
	t.Skip("an ordinary user can write nowhere below /run here: there is no socket of such a user to look for")
	return ""
}

// TestSocketOfTheHost connects to sockets of the host, where the host's root is
// shown: those below /run are out of reach, another one shows that the question
// is a good one.
func TestSocketOfTheHost(t *testing.T) {
	t.Parallel()
	harness.Need(t, "perl")
	for _, name := range []string{"agent-code", "trusted-maintenance"} {
		t.Run(name, func(t *testing.T) {
			ends(t, func(t *testing.T, w world) {
				control := "/opt/" + filepath.Base(w.Top)
				if os.Getuid() != 0 {
					control = w.Project + "/socket"
				}
				t.Cleanup(func() { _ = os.Remove(control) })
				below := filepath.Join(runtime(t), filepath.Base(w.Top))
				for _, path := range []string{control, below} {
					harness.Listen(t, "unix", path, "")
					if err := os.Chmod(path, 0o777); err != nil {
						t.Fatal(err)
					}
				}
				w = w.launch(t, `extends = ["`+name+`"]`)
				w.bash(t, connects+`'"`+control+`"'`).Ends(t, 0)
				w.outside(t, connects+`'"`+below+`"'`).Ends(t, 0)
				if r := w.bash(t, connects+`'"`+below+`"'`); r.Status == 0 {
					t.Error("the host's socket was reached")
				}
			})
		})
	}
}
