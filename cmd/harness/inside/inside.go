// Package inside is what the tests of real sandboxes run in them: a list of
// shell commands, and attempts that no shell can do.
//
// It knows nothing of what is allowed: it tries, and says what the kernel
// answered. It runs the same way outside, as the control.
package inside

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// Name is what the program is called: the test binary runs Main, not its
// tests, when it is started under this name.
const Name = "inside"

// Main runs one verb and gives the exit status: 0 done, 1 refused, 2 no such
// verb.
func Main(arguments []string) int {
	if len(arguments) == 0 {
		return unknown("")
	}
	verb, rest := arguments[0], arguments[1:]
	switch verb {
	case "rows":
		return rows(os.Stdin, os.Stdout)
	case "try":
		return say(try(rest))
	case "connect":
		return say(connect(rest))
	case "hear":
		return hear(rest)
	case "echo":
		return say(echo(rest))
	case "serve":
		return say(serve(rest))
	case "names":
		return say(names())
	case "ask":
		return say(ask(rest))
	case "services":
		return say(services(rest))
	case "signals":
		return signals()
	}
	return unknown(verb)
}

func unknown(verb string) int {
	fmt.Fprintf(os.Stderr, "inside: no such verb: %q\n", verb)
	return 2
}

// say prints how a attempt ended: "ok", or the name of the errno.
func say(err error) int {
	var errno syscall.Errno
	switch {
	case err == nil:
		fmt.Println("ok")
		return 0
	case errors.Is(err, errUnknown):
		fmt.Println(err)
		return 2
	case errors.As(err, &errno) && unix.ErrnoName(errno) != "":
		fmt.Println(unix.ErrnoName(errno))
	default:
		fmt.Println(err)
	}
	return 1
}

var errUnknown = errors.New("no such attempt")

// try does one attempt of the table.
func try(names []string) error {
	if len(names) == 0 {
		return errUnknown
	}
	i := slices.IndexFunc(attempts[:], func(d attempt) bool { return d.name == names[0] })
	if i < 0 {
		return fmt.Errorf("%w: %q", errUnknown, names[0])
	}
	return attempts[i].do(names[1:])
}
