// Probe makes system calls by number and tells what the kernel answers.
//
//	probe call                       reads lines "NUMBER ARG...", writes an errno for each
//	probe under FILTER COMMAND...    runs COMMAND under the filter in the file FILTER
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

func main() {
	var err error
	switch os.Args[1] {
	case "call":
		err = calls()
	case "under":
		err = under(os.Args[2], os.Args[3:])
	default:
		err = fmt.Errorf("neither call nor under: %q", os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(125)
	}
}

func calls() error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var words [7]uintptr
		for i, word := range strings.Fields(lines.Text()) {
			n, err := strconv.ParseUint(word, 0, 64)
			if err != nil {
				return err
			}
			words[i] = uintptr(n)
		}
		fmt.Println(int(call(words)))
	}
	return lines.Err()
}

// call returns the errno. A child that the call made ends at once.
func call(w [7]uintptr) syscall.Errno {
	before, _, _ := syscall.RawSyscall(syscall.SYS_GETPID, 0, 0, 0)
	_, _, errno := syscall.RawSyscall6(w[0], w[1], w[2], w[3], w[4], w[5], w[6])
	if now, _, _ := syscall.RawSyscall(syscall.SYS_GETPID, 0, 0, 0); now != before {
		syscall.RawSyscall(syscall.SYS_EXIT, 0, 0, 0)
	}
	return errno
}

// under installs the filter as bwrap does, and becomes the command.
func under(file string, command []string) error {
	program, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	instructions := make([]syscall.SockFilter, len(program)/8)
	for i := range instructions {
		b := program[8*i:]
		instructions[i] = syscall.SockFilter{
			Code: binary.LittleEndian.Uint16(b),
			Jt:   b[2],
			Jf:   b[3],
			K:    binary.LittleEndian.Uint32(b[4:]),
		}
	}
	prog := syscall.SockFprog{Len: uint16(len(instructions)), Filter: &instructions[0]}
	const setNoNewPrivs, setSeccomp, modeFilter = 38, 22, 2
	runtime.LockOSThread()
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, setNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return fmt.Errorf("no_new_privs: %w", errno)
	}
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, setSeccomp, modeFilter, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return syscall.Exec(command[0], command, os.Environ())
}
