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
	switch {
	case !h.launchers("slirp4netns"):
		return "the package slirp4netns, which is not installed"
	case unix.Access(h.real("/dev/net/tun"), unix.R_OK|unix.W_OK) != nil:
		return "/dev/net/tun, which is not open to you"
	}
	return ""
}

// Guard says what keeping such a network to a list of hosts lacks besides
// (network.mode = "allow"), or nothing.
func (h Host) Guard() string {
	switch {
	case !h.launchers("nft"):
		return "the package nftables, which is not installed"
	case !h.launchers("dnsmasq"):
		return "the package dnsmasq-base, or dnsmasq, which is not installed"
	}
	return ""
}

// launchers reports whether a program lies where launchers look for theirs.
func (h Host) launchers(program string) bool {
	l := newLinks(h.Root)
	places := []string{"/usr/sbin", "/usr/bin", "/sbin", "/bin", "/run/current-system/sw/bin"}
	return slices.ContainsFunc(places, func(place string) bool { return h.executable(l, path.Join(place, program)) })
}
