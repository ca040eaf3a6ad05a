package probe

import (
	"context"
	"path"
	"slices"

	"golang.org/x/sys/unix"

	"bwrapgen/gen/plan"
)

// Lack says which of some needs is missing here, or nothing: a program, in a place where
// launchers look for theirs, and a device that is open to the caller (pasta(1) and
// slirp4netns(1)).
func (h Host) Lack(needs []plan.Need) (lack, remedy string) {
	missing := func(program string) bool { return h.launchers(program) == "" }
	for _, n := range needs {
		if !slices.ContainsFunc(n.Programs, func(program string) bool { return !missing(program) }) {
			return "the package " + n.Packages + ", which is not installed", "install " + n.Packages
		}
	}
	if h.oldPasta() && missing("nft") {
		return "the package nftables, since this passt is older than October 2024", "install nftables"
	}
	if unix.Access(h.real("/dev/net/tun"), unix.R_OK|unix.W_OK) != nil {
		return "/dev/net/tun, which is not open to you", "as root: modprobe tun; chmod 0666 /dev/net/tun"
	}
	return "", ""
}

// oldPasta reports whether pasta is older than October 2024: it lacks an option then, which
// not every later one names in its help.
func (h Host) oldPasta() bool {
	at := h.launchers("pasta")
	if at == "" {
		return false
	}
	c, end := h.command(context.Background(), at, "--host-lo-to-ns-lo", "--version")
	defer end()
	return c.Run() != nil
}

// launchers gives a program in a place where launchers look for theirs.
func (h Host) launchers(program string) string {
	for _, place := range []string{"/usr/sbin", "/usr/bin", "/sbin", "/bin", "/run/current-system/sw/bin"} {
		if at := path.Join(place, program); h.executable(at) {
			return at
		}
	}
	return ""
}
