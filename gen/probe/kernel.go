package probe

import (
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// uname gives the names of the system and of the machine, as uname(1) does.
func uname() (system, machine string) {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return "", ""
	}
	return strings.ToLower(unix.ByteSliceToString(u.Sysname[:])), unix.ByteSliceToString(u.Machine[:])
}

// timezone gives the zone file that /etc/localtime links to. One link is
// followed and no more, since the name of the zone is in the first.
func (h Host) timezone() string {
	text, err := os.Readlink(h.real("/etc/localtime"))
	switch {
	case err != nil:
		return ""
	case path.IsAbs(text):
		return path.Clean(text)
	}
	return path.Join("/etc", text)
}

// userns says whether an ordinary user may make a user namespace, as far as
// the kernel's settings tell, and if not, which one speaks against it. Only a
// try knows for sure: bwrapgen doctor makes one.
func (h Host) userns(bwrap string) (ok bool, why string) {
	switch {
	case h.setting("user/max_user_namespaces") == "":
		return false, "the kernel has no user namespaces"
	case h.setting("user/max_user_namespaces") == "0":
		return false, "user.max_user_namespaces is 0"
	case h.setting("kernel/unprivileged_userns_clone") == "0":
		return false, "kernel.unprivileged_userns_clone is 0" // Debian's patch
	case h.setting("kernel/apparmor_restrict_unprivileged_userns") == "1" && !h.profiled(bwrap):
		return false, "kernel.apparmor_restrict_unprivileged_userns is 1 and no AppArmor profile allows it to bwrap"
	}
	return true, ""
}

// profiled reports whether one of the AppArmor profiles is installed that
// distributions and manuals have for /usr/bin/bwrap. Which are loaded, only
// root may read.
func (h Host) profiled(bwrap string) bool {
	profiles := []string{"/etc/apparmor.d/bwrap", "/etc/apparmor.d/bwrap-userns-restrict"}
	return bwrap == "/usr/bin/bwrap" && slices.ContainsFunc(profiles, h.has)
}

// setting gives the value below /proc/sys; empty where the kernel has none.
func (h Host) setting(name string) string {
	text, _ := os.ReadFile(h.real("/proc/sys/" + name))
	return strings.TrimSpace(string(text))
}
