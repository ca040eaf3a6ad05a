package matrixtest

// Kernel is a release with its own kernel, which systemd starts in a virtual
// machine.
type Kernel struct {
	Name     string // in the table
	Userland string // which .ci/userland makes, without +kernel and +arm64
	Arch     string // as Go calls it; empty: amd64

	// Prepare is what its root does first, in bash.
	Prepare string

	// Refuses is what launchers say that do not run there, by who starts them;
	// Machine.Refuses says how.
	Refuses map[string]map[string]string
}

// Kernels are all of them, in the order of the table.
func Kernels() []Kernel {
	return []Kernel{
		{Name: "Debian 11", Userland: "bullseye", Refuses: both(viewless)},
		{Name: "Debian 12", Userland: "bookworm"},
		{Name: "Debian 13", Userland: "trixie"},
		{Name: "Debian 13 on arm64", Userland: "trixie", Arch: "arm64"},
		{Name: "Debian unstable", Userland: "sid"},
		{Name: "Ubuntu 20.04", Userland: "focal", Refuses: both(viewless)},
		{Name: "Ubuntu 22.04", Userland: "jammy"},
		{Name: "Ubuntu 24.04", Userland: "noble", Refuses: map[string]map[string]string{"user": {
			"": "AppArmor does not let bwrap create user namespaces (apparmor_restrict_unprivileged_userns=1)",
		}}},
		{Name: "Ubuntu 24.04, as the hint says", Userland: "noble", Prepare: hinted},
	}
}

// viewless is what launchers with writable views say before Linux 5.11.
var viewless = map[string]string{"default": noView, "keep": noView}

const noView = "no view of ~/.cache/go-build can be made: it is an overlay of an overlay, its file system is unfit (as vfat is), or the kernel lets users make none (before Linux 5.11; under Ubuntu's AppArmor profile bwrap-userns-restrict with a bwrap before 0.11)"

func both(words map[string]string) map[string]map[string]string {
	return map[string]map[string]string{"root": words, "user": words}
}

// hinted does what the hint of a launcher says.
var hinted = lines(
	`hint=$(cd ~bwrapgen-test/code/p && as bwrapgen-test "$at/look" true 2>&1 | sed -n 's/^look: hint: //p')`,
	`eval "${hint//sudo /}" >/dev/null`, // a console may hang up, and tee would fail
)

// Row says what the README.md beside it has of it, for one who starts launchers.
func (k Kernel) Row(user string) Row {
	m := Machine{Name: k.Name, Only: user, Refuses: k.Refuses[user]}
	return m.Row()
}

// Script is what root runs there: the version of the kernel in the first line, and
// then a report of root and one of the user.
func (k Kernel) Script() string {
	return lines(
		"at="+visible,
		"export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		`as() {`,
		`  local name uid gid home`,
		`  IFS=: read -r name _ uid gid _ home _ < <(getent passwd "$1")`,
		`  setpriv --reuid "$uid" --regid "$gid" --init-groups --inh-caps=-all -- env -i HOME="$home" USER="$name" \`,
		`    XDG_RUNTIME_DIR="/run/user/$uid" LANG=C.UTF-8 TERM=dumb PATH="$PATH" "${@:2}"`,
		`}`,
		`systemctl is-system-running --wait >&2`,
		`for user in root bwrapgen-test; do`,
		`  IFS=: read -r _ _ uid gid _ home _ < <(getent passwd "$user")`,
		`  systemctl start "user@$uid"`,
		`  "$at/judge" world "$home" "$home/code/p" "$uid" "$gid"`,
		`done`,
		`systemd-run --quiet --scope true`,
		`udevadm settle`,
		`systemctl stop systemd-udevd.service systemd-udevd-kernel.socket systemd-udevd-control.socket '*.timer' >&2`,
		`sleep 5`,
		k.Prepare,
		`uname -r`,
		`for user in root bwrapgen-test; do as "$user" "$at/judge" check ''; done`,
	)
}
