package inside

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// attempt is something that a shell cannot do.
type attempt struct {
	name string
	do   func(arguments []string) error
}

const high = 1 << 32 // bits of an argument that the kernel does not read

var attempts = [...]attempt{
	{"unshare-user", start(syscall.SysProcAttr{Unshareflags: unix.CLONE_NEWUSER})},
	{"unshare-user-high", start(syscall.SysProcAttr{Unshareflags: unix.CLONE_NEWUSER | high})},
	{"unshare-mount", start(syscall.SysProcAttr{Unshareflags: unix.CLONE_NEWNS})},
	{"clone-user", start(syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER})},
	{"clone-user-high", start(syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER | high})},
	{"clone3-user", clone3},
	{"setns", func([]string) error { return setns("/proc/self/ns/user") }},
	{"setns-mount", func([]string) error { return setns("/proc/self/ns/mnt") }},

	{"mount", func([]string) error { return unix.Mount("none", "/tmp", "tmpfs", 0, "") }},
	{"mount-bind", func(a []string) error { return unix.Mount(a[0], a[1], "", unix.MS_BIND, "") }},
	{"remount-rw", func(a []string) error { return unix.Mount("none", a[0], "", unix.MS_REMOUNT|unix.MS_BIND, "") }},
	{"umount", func(a []string) error { return unix.Unmount(a[0], unix.MNT_DETACH) }},
	{"pivot-root", func([]string) error { return unix.PivotRoot("/tmp", "/tmp") }},
	{"chroot", func([]string) error { return unix.Chroot("/tmp") }},
	{"open-tree", func(a []string) error {
		_, err := unix.OpenTree(unix.AT_FDCWD, a[0], unix.OPEN_TREE_CLONE|unix.AT_RECURSIVE)
		return err
	}},
	{"move-mount", func(a []string) error {
		return unix.MoveMount(unix.AT_FDCWD, a[0], unix.AT_FDCWD, "/tmp", 0)
	}},
	{"mount-setattr", func(a []string) error {
		return unix.MountSetattr(unix.AT_FDCWD, a[0], 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
	}},
	{"fsopen", func([]string) error { _, err := unix.Fsopen("tmpfs", 0); return err }},

	{"io-uring", func([]string) error { return zeroed(unix.SYS_IO_URING_SETUP, 8, 1, 120) }},
	{"ptrace-first", func([]string) error { return unix.PtraceSeize(1) }},
	{"write-first", func([]string) error {
		word := make([]byte, 1)
		_, err := unix.ProcessVMWritev(1, []unix.Iovec{{Base: &word[0], Len: 1}}, []unix.RemoteIovec{{Base: 4096, Len: 1}}, 0)
		return err
	}},
	{"ptrace", sibling(func(pid int) error { return unix.PtraceSeize(pid) })},
	{"process-vm-readv", sibling(readMemory)},
	{"pidfd-getfd", func(a []string) error { return steal(a[0], a[1]) }},
	{"keyctl", func([]string) error { _, err := unix.KeyctlJoinSessionKeyring("bwrapgen-test"); return err }},
	{"add-key", func([]string) error {
		_, err := unix.AddKey("user", "bwrapgen-test", []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
		return err
	}},
	{"bpf", raw(unix.SYS_BPF, 0, 0, 0)},
	{"userfaultfd", raw(unix.SYS_USERFAULTFD, 1)}, // UFFD_USER_MODE_ONLY
	{"perf", func([]string) error {
		_, err := unix.PerfEventOpen(&unix.PerfEventAttr{
			Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Size: unix.PERF_ATTR_SIZE_VER1,
			Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
		}, 0, -1, -1, 0)
		return err
	}},
	{"init-module", raw(unix.SYS_INIT_MODULE, 0, 0, 0)},
	{"kexec", raw(unix.SYS_KEXEC_LOAD, 0, 0, 0, 0)},
	{"reboot", raw(unix.SYS_REBOOT, 0, 0, 0)},
	{"open-by-handle", func(a []string) error { return openByHandle(a[0]) }},
	{"sethostname", func([]string) error { return unix.Sethostname([]byte("bwrapgen-test")) }},
	{"mknod", func(a []string) error { return unix.Mknod(a[0], unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))) }},
	{"fifo", func([]string) error {
		return unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0)
	}},
	{"watch", func([]string) error { _, err := unix.FanotifyInit(unix.FAN_CLASS_NOTIF, 0); return err }},
	{"capable", func(a []string) error { // version 2, cap_net_raw=ep
		return unix.Setxattr(a[0], "security.capability", []byte{1, 0, 0, 2, 0, 0x20, 19: 0}, 0)
	}},
	{"loopback", func([]string) error { return loopback() }},
	{"port", func([]string) error {
		l, err := net.Listen("tcp", "127.0.0.1:81")
		if err == nil {
			_ = l.Close()
		}
		return err
	}},
	{"shared-memory", func(a []string) error {
		key, err := strconv.Atoi(a[0])
		if err == nil {
			_, err = unix.SysvShmGet(key, 0, 0)
		}
		return err
	}},
	{"vsock", func([]string) error { _, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0); return err }},
	{"packet", func([]string) error { _, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0); return err }},

	{"tiocsti", inject("/dev/stdin", unix.TIOCSTI)},
	{"tiocsti-tty", inject("/dev/tty", unix.TIOCSTI)},
	{"tiocsti-high", inject("/dev/stdin", unix.TIOCSTI|high)},
	{"tioclinux", inject("/dev/stdin", unix.TIOCLINUX)},
	{"tioclinux-high", inject("/dev/stdin", unix.TIOCLINUX|high)},
	{"exclusive", func([]string) error { return call(unix.SYS_IOCTL, [6]uintptr{0, unix.TIOCEXCL}) }},
	{"discipline", func([]string) error {
		null := 27 // N_NULL, which passes nothing on
		return call(unix.SYS_IOCTL, [6]uintptr{0, unix.TIOCSETD, uintptr(unsafe.Pointer(&null))})
	}},
	{"stop-output", func([]string) error { return call(unix.SYS_IOCTL, [6]uintptr{0, unix.TCXONC, 0}) }},
	{"winsize", func([]string) error { _, err := unix.IoctlGetWinsize(0, unix.TIOCGWINSZ); return err }},

	{"rename", func(a []string) error { return unix.Rename(a[0], a[1]) }},
	{"exchange", func(a []string) error {
		return unix.Renameat2(unix.AT_FDCWD, a[0], unix.AT_FDCWD, a[1], unix.RENAME_EXCHANGE)
	}},
	{"link", func(a []string) error { return unix.Link(a[0], a[1]) }},
	{"write-at", func(a []string) error { return writeAt(a[0], a[1]) }},
	{"detach-rename", func(a []string) error { return detachRename(a[0]) }},
	{"detached", func([]string) error { return detached() }},
}

// raw makes one system call with fixed arguments.
func raw(number uintptr, arguments ...uintptr) func([]string) error {
	var a [6]uintptr
	copy(a[:], arguments)
	return func([]string) error { return call(number, a) }
}

func call(number uintptr, a [6]uintptr) error {
	if _, _, errno := unix.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

// zeroed makes a call whose argument at a position points to zeroed bytes.
func zeroed(number, first uintptr, position, size int) error {
	buffer := make([]byte, size)
	a := [6]uintptr{first}
	a[position] = uintptr(unsafe.Pointer(&buffer[0]))
	return call(number, a)
}

// start makes a process in a namespace of its own.
func start(how syscall.SysProcAttr) func([]string) error {
	return func([]string) error {
		c := exec.Command("true")
		c.SysProcAttr = &how
		return c.Run()
	}
}

func clone3([]string) error {
	arguments := [11]uint64{0: unix.CLONE_NEWUSER, 4: uint64(unix.SIGCHLD)}
	pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&arguments)), unsafe.Sizeof(arguments), 0)
	if errno != 0 {
		return errno
	}
	if pid == 0 {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	_, err := unix.Wait4(int(pid), nil, 0, nil)
	return err
}

func setns(file string) error {
	fd, err := unix.Open(file, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return unix.Setns(fd, 0)
}

// sibling does something to another process of the same user.
func sibling(do func(pid int) error) func([]string) error {
	return func([]string) error {
		c := exec.Command("sleep", "60")
		if err := c.Start(); err != nil {
			return err
		}
		err := do(c.Process.Pid)
		_ = c.Process.Kill()
		_ = c.Wait()
		return err
	}
}

// readMemory reads where the other process's program begins.
func readMemory(pid int) error {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return err
	}
	var start uint64
	if _, err := fmt.Sscanf(string(maps), "%x-", &start); err != nil {
		return err
	}
	buffer := make([]byte, 4)
	local := []unix.Iovec{{Base: &buffer[0], Len: 4}}
	_, err = unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: uintptr(start), Len: 4}}, 0)
	return err
}

// steal takes a descriptor of another process.
func steal(pid, descriptor string) error {
	p, err := strconv.Atoi(pid)
	if err != nil {
		return err
	}
	d, err := strconv.Atoi(descriptor)
	if err != nil {
		return err
	}
	fd, err := unix.PidfdOpen(p, 0)
	if err != nil {
		return err
	}
	_, err = unix.PidfdGetfd(fd, d, 0)
	return err
}

// openByHandle opens a file past all mounts above it.
func openByHandle(name string) error {
	handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, name, 0)
	if err != nil {
		return err
	}
	at, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	_, err = unix.OpenByHandleAt(at, handle, unix.O_RDONLY)
	return err
}

// inject puts a character into a terminal's input, as if it had been typed.
func inject(file string, request uintptr) func([]string) error {
	return func([]string) error {
		fd, err := unix.Open(file, unix.O_RDWR|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		character := []byte{' ', 0}
		return call(unix.SYS_IOCTL, [6]uintptr{uintptr(fd), request, uintptr(unsafe.Pointer(&character[0]))})
	}
}

// writeAt makes a file in the directory that an inherited descriptor is open on.
func writeAt(descriptor, name string) error {
	d, err := strconv.Atoi(descriptor)
	if err != nil {
		return err
	}
	fd, err := unix.Openat(d, name, unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}
