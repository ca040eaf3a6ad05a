package inside

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Hello is what the listeners of the tests say to whoever connects.
const Hello = "hello from the host\n"

// connect reaches a listener, network and address, and wants to be greeted.
func connect(arguments []string) error {
	said, err := dial(arguments)
	if err == nil && said != Hello {
		err = fmt.Errorf("said %q", said)
	}
	return err
}

// hear prints what a listener says, or why it cannot be heard.
func hear(arguments []string) int {
	said, err := dial(arguments)
	if err != nil {
		return say(err)
	}
	fmt.Println(said)
	return 0
}

func dial(arguments []string) (said string, err error) {
	if len(arguments) != 2 {
		return "", errUnknown
	}
	c, err := net.DialTimeout(arguments[0], arguments[1], patience)
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(c, 100))
	return string(text), err
}

// echo is both ends of a connection on the loopback, or on a unix socket.
func echo(arguments []string) error {
	if len(arguments) != 2 {
		return errUnknown
	}
	l, err := net.Listen(arguments[0], arguments[1])
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	go func() {
		if c, err := l.Accept(); err == nil {
			_, _ = c.Write([]byte(Hello))
			_ = c.Close()
		}
	}()
	return connect([]string{arguments[0], l.Addr().String()})
}

// serve greets whoever connects to one of some addresses of TCP, until its parent ends.
func serve(addresses []string) error {
	if err := endWithParent(); err != nil {
		return err
	}
	broken := make(chan error)
	for _, address := range addresses {
		l, err := net.Listen("tcp", address)
		if err != nil {
			return err
		}
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					broken <- err
					return
				}
				_, _ = c.Write([]byte(Hello))
				_ = c.Close()
			}
		}()
	}
	return <-broken
}

// endWithParent ends this program when its parent does.
func endWithParent() error {
	runtime.LockOSThread() // the parent's end is told to the thread that asks for it
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}

// signals says which signals come, a line each, until TERM or the line "end".
func signals() int {
	came := make(chan os.Signal, 8)
	signal.Notify(came, unix.SIGINT, unix.SIGTERM, unix.SIGWINCH, unix.SIGHUP, unix.SIGCONT, unix.SIGQUIT)
	ended := make(chan bool)
	go func() {
		line := make([]byte, 100)
		for {
			n, err := os.Stdin.Read(line)
			if errors.Is(err, io.EOF) || strings.HasPrefix(string(line[:n]), "end") {
				ended <- true
				return
			}
		}
	}()
	fmt.Println("ready")
	for {
		select {
		case s := <-came:
			fmt.Println("came", unix.SignalName(s.(unix.Signal)))
		case <-ended:
			fmt.Println("ended")
			return 9
		}
	}
}
