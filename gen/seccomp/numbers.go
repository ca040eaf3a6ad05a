package seccomp

// machine is what a kernel of one architecture runs.
type machine struct {
	native, foreign abi
}

// abi is one way into the kernel.
type abi struct {
	audit  uint32 // AUDIT_ARCH_*, include/uapi/linux/audit.h
	column int    // of numbers
	x32    bool   // it also takes the numbers of x32
}

var machines = map[string]machine{
	"x86_64":  {abi{0xc000003e, 0, true}, abi{0x40000003, 2, false}},
	"aarch64": {abi{0xc00000b7, 1, false}, abi{0x40000028, 3, false}},
}

// x32Bit marks the calls of x32, which share their AUDIT_ARCH with x86_64.
const x32Bit = 0x40000000

// x32Numbers holds the calls whose x32 number is not the one of x86_64.
// Source: arch/x86/entry/syscalls/syscall_64.tbl, entries of abi "x32".
var x32Numbers = map[string]uint32{
	"ioctl":             514,
	"ptrace":            521,
	"kexec_load":        528,
	"move_pages":        533,
	"process_vm_readv":  539,
	"process_vm_writev": 540,
}

// numbers returns those of a call: none, one, or with x32 two.
func (e abi) numbers(call string, x32 bool) []uint32 {
	n := numbers[call][e.column]
	switch {
	case n == 0:
		return nil
	case !x32, !e.x32:
		return []uint32{n}
	}
	if other, ok := x32Numbers[call]; ok {
		return []uint32{n, x32Bit + other}
	}
	return []uint32{n, x32Bit + n}
}

// Number returns the number of a call that some rule names, on one of Arches; 0
// where there is none.
func Number(arch, call string) uint32 {
	return numbers[call][machines[arch].native.column]
}

// onlyForeign says whether no machine has the call in its native numbers.
func onlyForeign(call string) bool {
	n := numbers[call]
	return n[0] == 0 && n[1] == 0
}

// numbers holds the numbers of all calls that a rule names, on x86_64,
// aarch64, i386 and arm (EABI). 0 means that there is none: the calls that
// have this number are refused nowhere.
//
// Source: the syscall.tbl files and include/uapi/asm-generic/unistd.h of Linux
// 7.2; a number is never reused. From 424 on they are the same everywhere.
var numbers = map[string][4]uint32{
	"ioctl":                   {16, 29, 54, 54},
	"clone":                   {56, 220, 120, 120},
	"unshare":                 {272, 97, 310, 337},
	"clone3":                  {435, 435, 435, 435},
	"setns":                   {308, 268, 346, 375},
	"mount":                   {165, 40, 21, 21},
	"umount":                  {0, 0, 22, 0},
	"umount2":                 {166, 39, 52, 52},
	"pivot_root":              {155, 41, 217, 218},
	"chroot":                  {161, 51, 61, 61},
	"open_tree":               {428, 428, 428, 428},
	"open_tree_attr":          {467, 467, 467, 467},
	"move_mount":              {429, 429, 429, 429},
	"mount_setattr":           {442, 442, 442, 442},
	"fsopen":                  {430, 430, 430, 430},
	"fsconfig":                {431, 431, 431, 431},
	"fsmount":                 {432, 432, 432, 432},
	"fspick":                  {433, 433, 433, 433},
	"reboot":                  {169, 142, 88, 88},
	"sethostname":             {170, 161, 74, 74},
	"setdomainname":           {171, 162, 121, 121},
	"socket":                  {41, 198, 359, 281},
	"socketpair":              {53, 199, 360, 288},
	"pidfd_getfd":             {438, 438, 438, 438},
	"io_uring_setup":          {425, 425, 425, 425},
	"io_uring_enter":          {426, 426, 426, 426},
	"io_uring_register":       {427, 427, 427, 427},
	"add_key":                 {248, 217, 286, 309},
	"request_key":             {249, 218, 287, 310},
	"keyctl":                  {250, 219, 288, 311},
	"bpf":                     {321, 280, 357, 386},
	"perf_event_open":         {298, 241, 336, 364},
	"lookup_dcookie":          {212, 18, 253, 249},
	"userfaultfd":             {323, 282, 374, 388},
	"kexec_load":              {246, 104, 283, 347},
	"kexec_file_load":         {320, 294, 0, 401},
	"init_module":             {175, 105, 128, 128},
	"finit_module":            {313, 273, 350, 379},
	"delete_module":           {176, 106, 129, 129},
	"create_module":           {174, 0, 127, 0},
	"get_kernel_syms":         {177, 0, 130, 0},
	"query_module":            {178, 0, 167, 0},
	"swapon":                  {167, 224, 87, 87},
	"swapoff":                 {168, 225, 115, 115},
	"acct":                    {163, 89, 51, 51},
	"quotactl":                {179, 60, 131, 131},
	"quotactl_fd":             {443, 443, 443, 443},
	"settimeofday":            {164, 170, 79, 79},
	"nfsservctl":              {180, 42, 169, 169},
	"_sysctl":                 {156, 0, 149, 149},
	"iopl":                    {172, 0, 110, 0},
	"ioperm":                  {173, 0, 101, 0},
	"uselib":                  {134, 0, 86, 86},
	"vm86":                    {0, 0, 166, 0},
	"vm86old":                 {0, 0, 113, 0},
	"personality":             {135, 92, 136, 136},
	"ptrace":                  {101, 117, 26, 26},
	"process_vm_readv":        {310, 270, 347, 376},
	"process_vm_writev":       {311, 271, 348, 377},
	"process_madvise":         {440, 440, 440, 440},
	"kcmp":                    {312, 272, 349, 378},
	"chmod":                   {90, 0, 15, 15},
	"fchmod":                  {91, 52, 94, 94},
	"fchmodat":                {268, 53, 306, 333},
	"fchmodat2":               {452, 452, 452, 452},
	"mknod":                   {133, 0, 14, 14},
	"mknodat":                 {259, 33, 297, 324},
	"creat":                   {85, 0, 8, 8},
	"open":                    {2, 0, 5, 5},
	"openat":                  {257, 56, 295, 322},
	"openat2":                 {437, 437, 437, 437},
	"syslog":                  {103, 116, 103, 103},
	"name_to_handle_at":       {303, 264, 341, 370},
	"open_by_handle_at":       {304, 265, 342, 371},
	"fanotify_init":           {300, 262, 338, 367},
	"fanotify_mark":           {301, 263, 339, 368},
	"mbind":                   {237, 235, 274, 319},
	"set_mempolicy":           {238, 237, 276, 321},
	"set_mempolicy_home_node": {450, 450, 450, 450},
	"migrate_pages":           {256, 238, 294, 400},
	"move_pages":              {279, 239, 317, 344},
	"vhangup":                 {153, 58, 111, 111},
	"memfd_secret":            {447, 447, 447, 0},
	"modify_ldt":              {154, 0, 123, 0},
	"ustat":                   {136, 0, 62, 62},
	"sysfs":                   {139, 0, 135, 135},
}
