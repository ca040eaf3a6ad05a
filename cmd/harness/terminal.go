package harness

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Terminal is a pseudo-terminal with somebody in front of it.
type Terminal struct {
	master, slave *os.File

	closed chan struct{} // when all has come

	mutex sync.Mutex
	said  string // all that came
	read  int    // of which this much was expected already
}

// NewTerminal opens one that belongs to the account.
func NewTerminal(t *testing.T, a Account) *Terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		Unable(t, "there are no pseudo-terminals: "+err.Error())
	}
	var number int
	control(t, master, func(fd int) (err error) {
		number, err = unix.IoctlGetInt(fd, unix.TIOCGPTN)
		return err
	})
	control(t, master, func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0) })
	name := "/dev/pts/" + strconv.Itoa(number)
	slave, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	a.Give(t, name)
	x := &Terminal{master: master, slave: slave, closed: make(chan struct{})}
	t.Cleanup(func() { _ = master.Close(); _ = slave.Close() })
	x.Resize(t, 80, 24)
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

func (x *Terminal) listen() {
	defer close(x.closed)
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

// Start starts a command as the leader of a session on this terminal.
func (x *Terminal) Start(t *testing.T, c *exec.Cmd) {
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

// Types types.
func (x *Terminal) Types(t *testing.T, keys string) {
	t.Helper()
	if _, err := x.master.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// Expect waits for something on the screen, and gives what came up to its end.
func (x *Terminal) Expect(t *testing.T, pattern string) string {
	t.Helper()
	said, ok := x.sees(pattern, Patience)
	if !ok {
		t.Fatalf("no %q on the terminal, but %q", pattern, said)
	}
	return said
}

// Insists types keys until something is on the screen, a few times: a program
// that looks at a signal just before it sleeps may sleep in spite of it, as vim
// and less do. The keys must not matter to what they bring about.
func (x *Terminal) Insists(t *testing.T, keys, pattern string) {
	t.Helper()
	const often = 5
	for range often {
		x.Types(t, keys)
		if _, ok := x.sees(pattern, Patience/often); ok {
			return
		}
	}
	t.Fatalf("no %q on the terminal after %q", pattern, keys)
}

// sees waits for something on the screen. It gives what came up to its end, or
// else all that came.
func (x *Terminal) sees(pattern string, patience time.Duration) (said string, ok bool) {
	wanted := regexp.MustCompile(pattern)
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		x.mutex.Lock()
		rest := x.said[x.read:]
		if at := wanted.FindStringIndex(rest); at != nil {
			x.read += at[1]
			x.mutex.Unlock()
			return rest[:at[1]], true
		}
		x.mutex.Unlock()
		if time.Now().After(end) {
			return rest, false
		}
	}
}

// Count says how often something is on the screen.
func (x *Terminal) Count(word string) int {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	return strings.Count(x.said, word)
}

// End waits for a command that was started here, and gives all that came and
// its exit status. After that the terminal is closed.
func (x *Terminal) End(t *testing.T, c *exec.Cmd) (said string, status int) {
	t.Helper()
	late := time.AfterFunc(Patience, func() { _ = c.Process.Kill() })
	status = Status(t, c.Wait())
	if !late.Stop() {
		t.Fatalf("it did not end in %v: %q", Patience, x.said)
	}
	_ = x.slave.Close()
	<-x.closed
	return x.said, status
}

// Hangup closes the terminal, as when its window is closed.
func (x *Terminal) Hangup() {
	_ = x.slave.Close()
	_ = x.master.Close()
}

// Rests waits until nothing more is said. A program that still draws may look at
// a signal before it reads a key, and sleep in spite of the signal: less does.
func (x *Terminal) Rests() {
	for said := -1; ; time.Sleep(100 * time.Millisecond) {
		x.mutex.Lock()
		before := said
		said = len(x.said)
		x.mutex.Unlock()
		if said == before {
			return
		}
	}
}

// Resize changes its size, as when its window is dragged.
func (x *Terminal) Resize(t *testing.T, columns, rows uint16) {
	t.Helper()
	control(t, x.master, func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows})
	})
}

// keeps has the terminal pass on what is said and typed while it makes a
// signal of a key: otherwise it drops what it holds then, also an answer to
// the signal.
func (x *Terminal) keeps(t *testing.T) {
	t.Helper()
	settings := x.Settings(t)
	settings.Lflag |= unix.NOFLSH
	control(t, x.master, func(fd int) error { return unix.IoctlSetTermios(fd, unix.TCSETS, &settings) })
}

// Settings are what stty shows.
func (x *Terminal) Settings(t *testing.T) (settings unix.Termios) {
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
