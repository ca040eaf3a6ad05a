package main

import (
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// calls are system calls that the filter refuses, which the kernel, or what there is
// at the other end, would answer in another way; their numbers differ by
// architecture. None changes anything where it is let through.
var calls = map[string]func() unix.Errno{
	"ioctl TIOCSTI": func() unix.Errno {
		var b byte
		return raw(unix.SYS_IOCTL, 0, unix.TIOCSTI, uintptr(unsafe.Pointer(&b)))
	},
	"unshare CLONE_NEWUSER": func() unix.Errno { return raw(unix.SYS_UNSHARE, unix.CLONE_NEWUSER, 0, 0) }, // a thread cannot
	"io_uring_setup":        func() unix.Errno { return raw(unix.SYS_IO_URING_SETUP, 1, 0, 0) },
	"keyctl":                func() unix.Errno { return raw(unix.SYS_KEYCTL, unix.KEYCTL_GET_KEYRING_ID, 0, 0) },
	"pidfd_getfd":           func() unix.Errno { return raw(unix.SYS_PIDFD_GETFD, ^uintptr(0), 0, 0) },
	"open_tree":             func() unix.Errno { return raw(unix.SYS_OPEN_TREE, ^uintptr(0), 0, 0) },
	"ptrace process 1":      func() unix.Errno { return raw(unix.SYS_PTRACE, unix.PTRACE_PEEKDATA, 1, 0) },
	"AF_ALG":                func() unix.Errno { return raw(unix.SYS_SOCKET, unix.AF_ALG, ^uintptr(0), 0) },
	"fchmod S_ISUID":        func() unix.Errno { return raw(unix.SYS_FCHMOD, ^uintptr(0), unix.S_ISUID, 0) },
}

func raw(number, a, b, c uintptr) unix.Errno {
	_, _, errno := unix.Syscall(number, a, b, c)
	return errno
}

// refusals gives the calls that are refused, in order.
func refusals() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		if calls[name]() == unix.EPERM {
			all = append(all, name)
		}
	}
	return all
}

// filtered: the filter knows this machine's numbers. In a session of its own, a
// command has no terminal to type into.
func (l *launcher) filtered(o observation) {
	all := slices.Sorted(maps.Keys(calls))
	if l.session {
		all = slices.DeleteFunc(all, func(name string) bool { return name == "ioctl TIOCSTI" })
	}
	if !slices.Equal(all, o.Refused) {
		l.wrong("system calls", fmt.Sprintf("of %q only %q are refused", all, o.Refused))
	}
}
