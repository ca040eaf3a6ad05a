package harness

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Listen greets whoever connects, until the test ends. Anybody may connect to
// a socket in the file system; its directory is made.
func Listen(t *testing.T, network, address, greeting string) net.Addr {
	t.Helper()
	file := network == "unix" && !strings.HasPrefix(address, "@")
	if file {
		if err := os.MkdirAll(filepath.Dir(address), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen(network, address)
	if err == nil && file {
		err = errors.Join(err, os.Chmod(address, 0o777))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go greet(l, greeting)
	return l.Addr()
}

func greet(l net.Listener, greeting string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = io.WriteString(c, greeting)
		_ = c.Close()
	}
}
