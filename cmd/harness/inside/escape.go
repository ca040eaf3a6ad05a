package inside

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// detachRename undoes the mounts that hold a project's .git: a process with
// namespaces of its own keeps a descriptor of the project, detaches every mount
// there, and renames through the descriptor, where nothing is mounted any more.
func detachRename(project string) error {
	d, err := os.OpenFile(project, unix.O_PATH, 0)
	if err != nil {
		return err
	}
	c := exec.Command("/proc/self/exe", "try", "detached")
	c.Args[0] = Name
	c.ExtraFiles = []*os.File{d}
	c.SysProcAttr = &unix.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
	output, err := c.CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return fmt.Errorf("detached: %s", strings.TrimSpace(string(output)))
	}
	return err
}

// detached is the process of detachRename. Its descriptor 3 is the project.
func detached() error {
	if err := unix.Mount("none", "/tmp", "tmpfs", 0, ""); err != nil {
		return err
	}
	if err := os.Mkdir("/tmp/old", 0o700); err != nil {
		return err
	}
	if err := unix.PivotRoot("/tmp", "/tmp/old"); err != nil {
		return err
	}
	if err := unix.Unmount("/old", unix.MNT_DETACH); err != nil {
		return err
	}
	return unix.Renameat(3, ".git", 3, ".git-moved")
}
