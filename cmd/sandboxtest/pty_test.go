package sandboxtest

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal with somebody in front of it.
type terminal struct {
	master, slave *os.File

	mutex sync.Mutex
	said  string // all that came
	read  int    // of which this much was expected already
}

// newTerminal opens one that belongs to the account.
func newTerminal(t *testing.T, a account) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	var number int
	control(t, master, func(fd int) (err error) {
		number, err = unix.IoctlGetInt(fd, unix.TIOCGPTN)
		return err
	})
	control(t, master, func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0) })
	name := "/dev/pts/" + itoa(number)
	slave, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	a.give(t, name)
	x := &terminal{master: master, slave: slave}
	t.Cleanup(func() { _ = master.Close(); _ = slave.Close() })
	x.resize(t, 80, 24)
	x.keeps(t)
	go x.listen()
	return x
}

// control does something with a descriptor and leaves it as it is: Fd would
// make it one that cannot be closed while somebody reads.
func control(t *testing.T, file *os.File, do func(fd int) error) {
	t.Helper()
	c, err := file.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	if err := c.Control(func(fd uintptr) { failed = do(int(fd)) }); err != nil {
		t.Fatal(err)
	}
	if failed != nil {
		t.Fatal(failed)
	}
}

func (x *terminal) listen() {
	buffer := make([]byte, 4096)
	for {
		n, err := x.master.Read(buffer)
		x.mutex.Lock()
		x.said += string(buffer[:n])
		x.mutex.Unlock()
		if err != nil {
			return
		}
	}
}

// start starts a command as the leader of a session on this terminal.
func (x *terminal) start(t *testing.T, c *exec.Cmd) {
	t.Helper()
	c.Stdin, c.Stdout, c.Stderr = x.slave, x.slave, x.slave
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	c.SysProcAttr.Setsid, c.SysProcAttr.Setctty, c.SysProcAttr.Ctty = true, true, 0
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL); _ = c.Process.Kill() })
}

// types types.
func (x *terminal) types(t *testing.T, keys string) {
	t.Helper()
	if _, err := x.master.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// expect waits for something on the screen, and gives what came up to its end.
func (x *terminal) expect(t *testing.T, pattern string) string {
	t.Helper()
	wanted := regexp.MustCompile(pattern)
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		x.mutex.Lock()
		rest := x.said[x.read:]
		if at := wanted.FindStringIndex(rest); at != nil {
			x.read += at[1]
			x.mutex.Unlock()
			return rest[:at[1]]
		}
		x.mutex.Unlock()
		if time.Now().After(end) {
			t.Fatalf("no %q on the terminal, but %q", pattern, rest)
		}
	}
}

// count says how often something is on the screen.
func (x *terminal) count(word string) int {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	return strings.Count(x.said, word)
}

func (x *terminal) resize(t *testing.T, columns, rows uint16) {
	t.Helper()
	control(t, x.master, func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows})
	})
}

// keeps has the terminal pass on what is said and typed while it makes a
// signal of a key: otherwise it drops what it holds then, also an answer to
// the signal.
func (x *terminal) keeps(t *testing.T) {
	t.Helper()
	settings := x.settings(t)
	settings.Lflag |= unix.NOFLSH
	control(t, x.master, func(fd int) error { return unix.IoctlSetTermios(fd, unix.TCSETS, &settings) })
}

// settings are what stty shows.
func (x *terminal) settings(t *testing.T) (settings unix.Termios) {
	t.Helper()
	control(t, x.master, func(fd int) error {
		found, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err == nil {
			settings = *found
		}
		return err
	})
	return settings
}
