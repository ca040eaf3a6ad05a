package probe

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
)

// Sandbox makes a sandbox, as small as it can be, in which nothing happens. It
// says whether that worked, and if not, in bwrap's words why. The flags are
// added to those that every launcher uses, so that one can learn what a host
// lacks: "--unshare-net", or "--overlay-src", "/", "--tmp-overlay", "/mnt".
func (h Host) Sandbox(ctx context.Context, flags ...string) (ok bool, words string) {
	bwrap := h.find("", "bwrap")
	if bwrap == "" {
		return false, "bwrap is not in PATH"
	}
	command := h.find("", "true")
	if command == "" {
		return false, "true is not in PATH"
	}
	ctx, cancel := context.WithTimeout(ctx, h.patience())
	defer cancel()
	words, err := h.try(ctx, bwrap, append(least(flags), "--", command))
	switch {
	case err == nil:
		return true, ""
	case ctx.Err() != nil:
		return false, "bwrap did not end in " + h.patience().String()
	}
	return false, words
}

// least is what every launcher asks for, without --die-with-parent: the thread
// that starts bwrap here may end before bwrap does.
func least(flags []string) []string {
	return append([]string{
		"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup",
		"--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
	}, flags...)
}

// try runs bwrap, and gives the last line it says on standard error.
func (h Host) try(ctx context.Context, bwrap string, arguments []string) (words string, err error) {
	var said bytes.Buffer
	c := exec.CommandContext(ctx, h.real(bwrap), arguments...)
	c.Env = []string{"LC_ALL=C", "PATH=" + h.getenv("PATH")}
	c.Dir = "/"
	c.Stderr = &said
	c.WaitDelay = h.patience() / 10
	if err = c.Run(); err == nil {
		return "", nil
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	if last := strings.TrimPrefix(lines[len(lines)-1], "bwrap: "); last != "" {
		return last, err
	}
	return "bwrap said nothing: " + err.Error(), err
}
