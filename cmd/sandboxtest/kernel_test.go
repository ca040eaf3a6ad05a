package sandboxtest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// inNamespace is how attempts are controlled that would harm the host: they work
// in namespaces that outside everybody can make.
func inNamespace(attempt string) string { return `unshare -Urm "$inside" try ` + attempt }

// TestKernel: calls of the kernel that lead out, or have no business inside.
func TestKernel(t *testing.T) {
	t.Parallel()
	refused := `^(EPERM|ENOSPC|ENOSYS)$`
	eperm := `^EPERM$`
	var rows []row
	for _, d := range []struct{ name, attempt, denied, control string }{
		{"E1 unshare", "unshare-user", refused, ""},
		{"E1 unshare, high bits", "unshare-user-high", refused, none},
		{"E1 clone", "clone-user", refused, ""},
		{"E1 clone, high bits", "clone-user-high", refused, ""},
		{"E1 clone3", "clone3-user", refused, ""},
		{"E1 a namespace of mounts", "unshare-mount", eperm, inNamespace("unshare-mount")},
		{"E2 mount", "mount", eperm, inNamespace("mount")},
		{"E2 mount --bind", `mount-bind "$P" /tmp`, eperm, inNamespace(`mount-bind "$P" /tmp`)},
		{"E2 remount", `remount-rw /usr`, eperm, none},
		{"E2 remount what is held", `remount-rw .git/config`, eperm, none},
		{"E2 umount", `umount "$P/.git/config"`, eperm, none},
		{"E2 umount of /proc", `umount /proc`, eperm, none},
		{"E2 pivot_root", "pivot-root", eperm, none},
		{"E2 chroot", "chroot", eperm, inNamespace("chroot")},
		{"E2 open_tree", `open-tree "$P"`, eperm, inNamespace(`open-tree "$P"`)},
		{"E2 move_mount", `move-mount "$P"`, eperm, none},
		{"E2 mount_setattr", `mount-setattr "$P"`, eperm, none},
		{"E2 fsopen", "fsopen", eperm, inNamespace("fsopen")},
		{"E2 setns", "setns", `^EPERM|EACCES|EINVAL$`, none},
		{"E2 setns, mounts", "setns-mount", `^EPERM|EACCES|EINVAL$`, none},
		{"E3 io_uring", "io-uring", eperm, ""},
		{"pidfd_getfd", `pidfd-getfd $$ 0`, eperm, ""},
		{"E5 a keyring", "keyctl", eperm, ""},
		{"E5 a key", "add-key", eperm, ""},
		{"E6 bpf", "bpf", eperm, none},
		{"E6 userfaultfd", "userfaultfd", eperm, ""},
		{"E6 perf", "perf", eperm, none},
		{"E6 a module", "init-module", eperm, none},
		{"E6 another kernel", "kexec", eperm, none},
		{"reboot", "reboot", eperm, none},
		{"sethostname", "sethostname", eperm, `unshare -Uru "$inside" try sethostname`},
		{"E8 vsock", "vsock", `^EPERM$`, ""},
		{"packet sockets", "packet", eperm, `unshare -Urn "$inside" try packet`},
	} {
		rows = append(rows, row{name: d.name, do: `"$inside" try ` + d.attempt, denied: d.denied, control: d.control})
	}
	rows = append(rows,
		row{name: "E4 ptrace of a sibling, as the default has it", do: `"$inside" try ptrace && "$inside" try process-vm-readv`},
		row{name: "the attempts are known", do: `"$inside" try rename file made-file && "$inside" try rename made-file file`},
	)
	attack(t, `extends = ["default"]`, rows)
}

// TestKernelStrict: what the strict filter refuses besides.
func TestKernelStrict(t *testing.T) {
	t.Parallel()
	attack(t, "extends = [\"default\"]\n[kernel]\nseccomp = \"strict\"", []row{
		{name: "E4 ptrace", do: `"$inside" try ptrace`, denied: `EPERM`},
		{name: "E4 process_vm_readv", do: `"$inside" try process-vm-readv`, denied: `EPERM`},
		{name: "programs run", do: `git status --short && go version`},
	})
}

// TestKernelNested: where the profile lets namespaces nest, they do. What that
// costs is said: an ordinary user can undo what is protected.
func TestKernelNested(t *testing.T) {
	t.Parallel()
	attack(t, "extends = [\"default\"]\n[kernel]\nnested-userns = true", []row{
		{name: "unshare", do: `"$inside" try unshare-user`},
		{name: "io_uring", do: `"$inside" try io-uring`, denied: `EPERM`},
		{name: "without a trick, it is held", do: `mv .git .gx`, denied: held, control: `cp -a . ../copy && cd ../copy && mv .git .gx`},
	})
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, "extends = [\"default\"]\n[kernel]\nnested-userns = true")
		if said := strings.Join(strings.Fields(l.Run(t, "--sandbox-explain").Ends(t, 0).Stdout), " "); !strings.Contains(said, "the command can uncover what is protected") {
			t.Errorf("it is not said: %s", said)
		}
		l.Run(t, l.programs+"/inside", "try", "detach-rename", l.Project)
		if s.UID != 0 && !harness.Exists(l.Project+"/.git-moved") {
			t.Error("what is said is not so any more: .git is held, namespaces or not")
		}
	})
}
