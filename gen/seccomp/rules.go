package seccomp

import "slices"

// rule is a Rule with what the assembler and the options need to know.
type rule struct {
	Rule
	tests []test // all must hold; none: the call is refused always
	from  source
}

// source says which level or option asks for a rule.
type source uint8

const (
	always   source = iota // every level but None
	userns                 // the same, unless namespaces may nest
	nested                 // the same, only if namespaces may nest
	terminal               // the option Terminal, at every level
	relaxed                // only the level Default: Strict has another rule for the same
	strict                 // only the level Strict
)

// selected returns the rules of a filter, in the order of the table.
func selected(level Level, o Options) []rule {
	asked := map[source]bool{
		always:   level != None,
		userns:   level != None && !o.NestedUserns,
		nested:   level != None && o.NestedUserns,
		terminal: o.Terminal,
		relaxed:  level == Default,
		strict:   level == Strict,
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r rule) bool {
		return !asked[r.from] || !o.ForeignArch && onlyForeign(r.Syscall)
	})
}

// foreignRule is in the head of a program, not in the table.
var foreignRule = Rule{
	Syscall: "any",
	Errno:   "ENOSYS",
	When:    "a call of another word size (i386, x32, arm)",
	Why:     "has other numbers, which would evade every rule below",
}

// The constants of the kernel that conditions compare with. They are the same
// on every architecture here.
const (
	tiocsti   = 0x5412
	tioclinux = 0x541c
	tiocsetd  = 0x5423
	tiocexcl  = 0x540c
	tcxonc    = 0x540a

	tcooff = 0

	afUnix      = 1
	afInet      = 2
	afInet6     = 10
	afNetlink   = 16
	afPacket    = 17
	afCan       = 29
	afBluetooth = 31
	afAlg       = 38
	afVsock     = 40

	netlinkRoute = 0

	// CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and
	// NEWNET. For clone, NEWTIME lies within the number of the exit signal,
	// where no signal reaches it.
	cloneNew = 0x7e020080

	sIsuid  = 0o4000
	created = 0x400040 // O_CREAT, and what sets O_TMPFILE apart: a mode follows

	personaLinux = 0
	personaQuery = 0xffffffff
)

// rules is the whole table. ENOSYS is for calls that programs try first and
// have a substitute for; everything else is EPERM, which is also what the
// kernel says to a caller without capabilities.
var rules = slices.Concat(
	[]rule{
		{Rule{"ioctl", "EPERM", "request TIOCSTI",
			"types commands into the caller's terminal"},
			[]test{{1, equal, []uint32{tiocsti}}}, terminal},
		{Rule{"ioctl", "EPERM", "request TIOCLINUX",
			"pastes into the caller's console"},
			[]test{{1, equal, []uint32{tioclinux}}}, terminal},
		{Rule{"ioctl", "EPERM", "request TIOCSETD",
			"takes the line discipline from the caller's terminal, for good"},
			[]test{{1, equal, []uint32{tiocsetd}}}, always},
		{Rule{"ioctl", "EPERM", "request TIOCEXCL",
			"keeps others from opening the caller's terminal, for good"},
			[]test{{1, equal, []uint32{tiocexcl}}}, always},
		{Rule{"ioctl", "EPERM", "request TCXONC, TCOOFF",
			"stops what is written to the caller's terminal, for good"},
			[]test{{1, equal, []uint32{tcxonc}}, {2, equal, []uint32{tcooff}}}, always},

		{Rule{"clone", "EPERM", "flags CLONE_NEW*",
			"makes namespaces, in which hidden and protected paths can be uncovered"},
			[]test{{0, bits, []uint32{cloneNew}}}, userns},
		{Rule{"unshare", "EPERM", "flags CLONE_NEW*",
			"makes namespaces, in which hidden and protected paths can be uncovered"},
			[]test{{0, bits, []uint32{cloneNew}}}, userns},
	},
	refuse(userns, "ENOSYS", "hides its flags from a filter; the C library falls back to clone",
		"clone3"),
	refuse(userns, "EPERM", "enters other namespaces",
		"setns"),
	refuse(userns, "EPERM", "changes what is mounted where",
		"mount", "umount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr",
		"move_mount", "mount_setattr", "fsopen", "fsconfig", "fsmount", "fspick"),
	refuse(userns, "EPERM", "manages a machine",
		"reboot", "sethostname", "setdomainname"),

	[]rule{
		{Rule{"socket", "EPERM", "family AF_ALG",
			"reaches the kernel's cryptography, through which read-only files were written (CVE-2026-31431)"},
			[]test{{0, equal, []uint32{afAlg}}}, always},
		{Rule{"socket", "EPERM", "family AF_VSOCK",
			"reaches the hypervisor and other virtual machines, whatever the network's mode"},
			[]test{{0, equal, []uint32{afVsock}}}, always},
		{Rule{"socket", "EPERM", "a rare family, as AF_TIPC, AF_RDS, AF_RXRPC or AF_SMC",
			"has the kernel load a module that few programs use and few people test"},
			[]test{{0, unequal, []uint32{afUnix, afInet, afInet6, afNetlink, afPacket, afCan, afBluetooth}}}, relaxed},
		{Rule{"socketpair", "EPERM", "a family other than AF_UNIX",
			"has the kernel load a module that few programs use and few people test"},
			[]test{{0, unequal, []uint32{afUnix}}}, always},
	},
	refuse(always, "EPERM", "takes descriptors out of other processes, such as the launcher's locks",
		"pidfd_getfd"),
	refuse(always, "EPERM", "does system calls that no filter sees; event loops fall back to epoll",
		"io_uring_setup", "io_uring_enter", "io_uring_register"),
	refuse(always, "EPERM", "reaches the keys of the caller's session",
		"add_key", "request_key"),
	refuse(userns, "EPERM", "reaches the keys of the caller's session",
		"keyctl"),
	refuse(nested, "ENOSYS", "reaches the keys of the caller's session; runc and crun go on without",
		"keyctl"),
	refuse(always, "EPERM", "runs programs in the kernel or watches it at work",
		"bpf", "perf_event_open", "lookup_dcookie"),
	refuse(always, "EPERM", "stops the kernel in the middle of a copy, a common step of exploits",
		"userfaultfd"),
	refuse(always, "EPERM", "replaces or extends the kernel",
		"kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module",
		"create_module", "get_kernel_syms", "query_module"),
	refuse(always, "EPERM", "manages a machine",
		"swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "settimeofday", "nfsservctl",
		"_sysctl", "iopl", "ioperm"),
	refuse(always, "ENOSYS", "is obsolete, and absent from many kernels",
		"uselib", "vm86", "vm86old"),

	[]rule{
		{Rule{"socket", "EPERM", "a family other than AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK",
			"reaches parts of the kernel that few programs use and few people test"},
			[]test{{0, unequal, []uint32{afUnix, afInet, afInet6, afNetlink}}}, strict},
		{Rule{"socket", "EPERM", "family AF_NETLINK, protocol other than NETLINK_ROUTE",
			"talks to the kernel about more than addresses and routes"},
			[]test{{0, equal, []uint32{afNetlink}}, {2, unequal, []uint32{netlinkRoute}}}, strict},
		{Rule{"personality", "EPERM", "anything but a query or PER_LINUX",
			"turns off address randomization or imitates other systems"},
			[]test{{0, unequal, []uint32{personaLinux, personaQuery}}}, strict},
	},
	refuse(strict, "EPERM", "reads or steers other processes, as debuggers do",
		"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp"),
	[]rule{ // behind those for all processes, of which these are a part
		{Rule{"ptrace", "EPERM", "process 1", ofFirst}, []test{{1, equal, []uint32{1}}}, userns},
		{Rule{"process_vm_writev", "EPERM", "process 1", ofFirst}, []test{{0, equal, []uint32{1}}}, userns},
	},
	refuseSetUID("chmod", 1), refuseSetUID("fchmod", 1), refuseSetUID("fchmodat", 2), refuseSetUID("fchmodat2", 2),
	refuseSetUID("mknod", 1), refuseSetUID("mknodat", 2), refuseSetUID("creat", 1),
	refuseSetUID("open", 2, test{1, bits, []uint32{created}}), refuseSetUID("openat", 3, test{2, bits, []uint32{created}}),
	refuse(userns, "ENOSYS", "hides its mode from a filter; programs fall back to openat",
		"openat2"),
	refuse(strict, "EPERM", "reads the kernel's log",
		"syslog"),
	refuse(strict, "EPERM", "opens files by number, past every directory above them",
		"name_to_handle_at", "open_by_handle_at"),
	refuse(strict, "EPERM", "watches whole file systems",
		"fanotify_init", "fanotify_mark"),
	refuse(strict, "EPERM", "places memory on the nodes of large machines",
		"mbind", "set_mempolicy", "set_mempolicy_home_node", "migrate_pages", "move_pages"),
	refuse(strict, "EPERM", "hangs up the terminal",
		"vhangup"),
	refuse(strict, "ENOSYS", "is rare, and absent from many kernels",
		"memfd_secret", "modify_ldt", "ustat", "sysfs"),
)

// ofFirst says why nothing of process 1 may be touched.
const ofFirst = "steers bwrap, whose program lies outside and may be the caller's own"

// refuseSetUID returns a rule about a call whose argument arg is a file's mode, where
// first hold. systemd refuses the same (systemd.exec(5), RestrictSUIDSGID=), and
// directories that give their group on, which git makes: those are left alone.
func refuseSetUID(call string, arg uint32, first ...test) []rule {
	return []rule{{Rule{call, "EPERM", "a mode with S_ISUID", "leaves a program that others run outside as the caller"},
		append(first, test{arg, bits, []uint32{sIsuid}}), userns}}
}

// refuse returns rules without a condition for several calls.
func refuse(from source, errno, why string, calls ...string) []rule {
	list := make([]rule, 0, len(calls))
	for _, call := range calls {
		list = append(list, rule{Rule: Rule{Syscall: call, Errno: errno, Why: why}, from: from})
	}
	return list
}
