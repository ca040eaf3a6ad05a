package sockettest

import (
	"fmt"
	"io"
	"net"
	"os"
	"testing"
)

// TestMain makes the test binary serve as the program inside, too: "dial PATH"
// prints what a listener says.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "dial" {
		os.Exit(dial(os.Args[2]))
	}
	os.Exit(m.Run())
}

func dial(path string) int {
	c, err := net.Dial("unix", path)
	if err != nil {
		fmt.Println("no answer")
		return 1
	}
	defer c.Close()
	text, _ := io.ReadAll(c)
	fmt.Println(string(text))
	return 0
}

// listen answers on a socket with a name, until the test ends.
func listen(t *testing.T, path, name string) {
	t.Helper()
	os.MkdirAll(path[:len(path)-len(base(path))], 0o755)
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if err := os.Chmod(path, 0o777); err != nil && path[0] != '@' {
		t.Fatal(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			io.WriteString(c, name)
			c.Close()
		}
	}()
}

func base(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}
