package probe

import (
	"path"
	"slices"

	"golang.org/x/sys/unix"

	"bwrapgen/gen/plan"
)

// Lack says which of some needs is missing here, or nothing: a program, in a place where
// launchers look for theirs, and a device that is open to the caller (pasta(1) and
// slirp4netns(1)).
func (h Host) Lack(needs []plan.Need) string {
	for _, n := range needs {
		if !slices.ContainsFunc(n.Programs, h.launchers) {
			return "the package " + n.Packages + ", which is not installed"
		}
	}
	if unix.Access(h.real("/dev/net/tun"), unix.R_OK|unix.W_OK) != nil {
		return "/dev/net/tun, which is not open to you"
	}
	return ""
}

// launchers reports whether a program lies where launchers look for theirs.
func (h Host) launchers(program string) bool {
	l := newLinks(h.Root)
	places := []string{"/usr/sbin", "/usr/bin", "/sbin", "/bin", "/run/current-system/sw/bin"}
	return slices.ContainsFunc(places, func(place string) bool { return h.executable(l, path.Join(place, program)) })
}
