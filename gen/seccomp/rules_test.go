package seccomp

import (
	"bytes"
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func TestRulesAreTold(t *testing.T) {
	for _, v := range variants() {
		seen := map[[2]string]bool{}
		for _, r := range Rules(v.level, v.o) {
			key := [2]string{r.Syscall, r.When}
			if seen[key] {
				t.Errorf("%v%+v: %q is refused twice", v.level, v.o, key)
			}
			seen[key] = true
			if r.Syscall == "" || r.Why == "" || r.Errno != "EPERM" && r.Errno != "ENOSYS" {
				t.Errorf("%v%+v: incomplete: %+v", v.level, v.o, r)
			}
		}
	}
}

// TestRulesOfOptions is about what each option adds or takes away.
func TestRulesOfOptions(t *testing.T) {
	tests := []struct {
		name  string
		level Level
		o     Options
		with  []string
		lacks []string
	}{
		{"default", Default, Options{},
			[]string{"any", "ioctl", "clone", "clone3", "setns", "mount", "open_tree_attr", "io_uring_setup", "pidfd_getfd", "socket", "ptrace"},
			[]string{"process_vm_readv", "personality", "listmount", "statmount", "seccomp", "umount", "vm86"}},
		{"by name", Default, Options{Terminal: true},
			[]string{
				"ioctl", "clone", "clone3", "unshare", "setns", "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key",
				"mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr", "move_mount", "mount_setattr", "fsopen", "fsconfig", "fsmount", "fspick",
				"io_uring_setup", "io_uring_enter", "io_uring_register", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "socket", "any",
			}, nil},
		{"terminal", Default, Options{Terminal: true}, []string{"ioctl"}, nil},
		{"nested", Default, Options{NestedUserns: true},
			[]string{"any", "pidfd_getfd", "bpf", "keyctl"},
			[]string{"clone", "clone3", "unshare", "ptrace", "setns", "mount", "umount2", "pivot_root", "chroot", "mount_setattr", "sethostname"}},
		{"foreign", Default, Options{ForeignArch: true}, []string{"clone", "umount", "vm86"}, []string{"any"}},
		{"strict", Strict, Options{},
			[]string{"any", "clone", "ptrace", "process_vm_readv", "process_vm_writev", "personality", "kcmp", "syslog", "memfd_secret"},
			[]string{"get_mempolicy", "seccomp"}},
		{"nothing", None, Options{}, nil, []string{"any", "ioctl"}},
		{"none", None, Options{Terminal: true}, []string{"ioctl"}, []string{"any", "clone", "socket", "keyctl"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var calls []string
			for _, r := range Rules(test.level, test.o) {
				calls = append(calls, r.Syscall)
			}
			for _, name := range test.with {
				if !slices.Contains(calls, name) {
					t.Errorf("%s is not refused", name)
				}
			}
			for _, name := range test.lacks {
				if slices.Contains(calls, name) {
					t.Errorf("%s is refused", name)
				}
			}
		})
	}
}

// TestRulesOfFile is about what TOML leaves open: a rule that no filter has, a test that
// compares with nothing, a key that is misspelt.
func TestRulesOfFile(t *testing.T) {
	var file rulesFile
	if err := toml.NewDecoder(bytes.NewReader(rulesText)).DisallowUnknownFields().Decode(&file); err != nil {
		t.Error(err)
	}
	var told []Rule
	for _, v := range variants() {
		told = append(told, Rules(v.level, v.o)...)
	}
	for _, r := range rules() {
		if !slices.Contains(told, r.Rule) {
			t.Errorf("no filter has the rule for %q", r.asks)
		}
		if (r.When == "") != (len(r.tests) == 0) {
			t.Errorf("%s: a condition is told and tested, or neither", r.Syscall)
		}
		for _, one := range r.tests {
			lists := 0
			for _, values := range [][]uint32{one.Equal, one.Unequal, one.Bits} {
				lists += min(len(values), 1)
			}
			if lists != 1 {
				t.Errorf("%s: a test compares with one list of values: %+v", r.Syscall, one)
			}
		}
	}
}
