package probe

import (
	"path"
	"slices"

	"golang.org/x/sys/unix"
)

// Way says what a network of its own lacks here (network.mode = "private"), or
// nothing: the program that leads out of it, in a place where launchers look for
// theirs, and a device that is open to the caller (slirp4netns(1)).
func (h Host) Way() string {
	l := newLinks(h.Root)
	places := []string{"/usr/sbin", "/usr/bin", "/sbin", "/bin", "/run/current-system/sw/bin"}
	found := func(place string) bool { return h.executable(l, path.Join(place, "slirp4netns")) }
	switch {
	case !slices.ContainsFunc(places, found):
		return "the package slirp4netns, which is not installed"
	case unix.Access(h.real("/dev/net/tun"), unix.R_OK|unix.W_OK) != nil:
		return "/dev/net/tun, which is not open to you"
	}
	return ""
}
