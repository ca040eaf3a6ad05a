package matrixtest

// releases are userlands as they are.
func releases() []Machine {
	return []Machine{
		{Name: "Debian 11", Userland: "bullseye", Cut: true},
		{Name: "Debian 12", Userland: "bookworm"},
		{Name: "Debian 13", Userland: "trixie"},
		{Name: "Debian unstable", Userland: "sid", Cut: true},
		{Name: "Ubuntu 20.04", Userland: "focal"},
		{Name: "Ubuntu 22.04", Userland: "jammy"},
		{Name: "Ubuntu 24.04", Userland: "noble"},
	}
}

// tools are userlands in which some programs are others.
func tools() []Machine {
	return []Machine{
		{
			Name: "bash 4.4", Userland: "bullseye",
			Prepare: lines(`cp "$userlands/bionic/bin/bash" "$root/bin/bash"`, `cp "$userlands"/bionic/lib/*/libtinfo.so.5 "$root/usr/lib/"`),
		},
		{Name: "bash 5.0", Userland: "bullseye", Prepare: `cp "$userlands/focal/bin/bash" "$root/bin/bash"`},
		{Name: "busybox for all but bash", Userland: "sid", Cut: true, Prepare: busybox},
		{Name: "busybox, old bubblewrap", Userland: "bullseye", Prepare: busybox},
		{
			Name: "bubblewrap 0.2", Userland: "bullseye", Prepare: `cp "$userlands/bionic/usr/bin/bwrap" "$root/usr/bin/bwrap"`,
			Refuses: map[string]string{"": "this version of bwrap is too old for the profile"},
		},
		{
			Name: "bubblewrap set-uid root", Userland: "bullseye", Prepare: `chmod u+s "$root/usr/bin/bwrap"`,
			Refuses: map[string]string{"": "refusing /usr/bin/bwrap: it is set-uid"},
		},
		{Name: "coreutils in Rust", Userland: "sid", Prepare: lines(
			`for file in "$root"/usr/lib/cargo/bin/coreutils/*; do`,
			`  name=${file##*/}`,
			`  [[ ! -e $root/usr/bin/$name ]] || ln -sf "/usr/lib/cargo/bin/coreutils/$name" "$root/usr/bin/$name"`,
			`done`,
		)},
	}
}

// busybox takes the place of every program that it has, but for that which the
// tests enter the userland with.
var busybox = lines(
	`for name in $(chroot "$root" busybox --list); do`,
	`  for dir in usr/bin usr/sbin; do`,
	`    [[ $name == @(setpriv|busybox) || ! -e $root/$dir/$name ]] || ln -sf /bin/busybox "$root/$dir/$name"`,
	`  done`,
	`done`,
)

// nests are places inside other sandboxes.
func nests() []Machine {
	proc := []string{"bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc"}
	hidden := map[string]string{"": "this container hides parts of /proc, so no new one can be mounted"}
	return []Machine{
		{
			Name: "no user namespaces", Userland: "sid", Cut: true,
			Within: []string{
				"unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c",
				`echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --ambient-caps=-all "$@"`, "sh",
			},
			Refuses: map[string]string{"": "this host forbids user namespaces (user.max_user_namespaces=0)"},
		},
		{Name: "inside another bubblewrap", Userland: "sid", Cut: true, Only: "user", Within: append(proc, "--")},
		{
			Name: "the same, of root, which hides parts of /proc", Userland: "sid", Only: "root",
			Within: append(proc, "--"), Refuses: hidden,
		},
		{
			Name: "inside a launcher, without kernel.nested-userns", Userland: "sid", Cut: true,
			Within:  []string{"sh", "-c", `cd ~/code/p && exec "$@"`, "sh", "/usr/local/lib/bwrapgen-matrix/default"},
			Refuses: map[string]string{"": "this host does not let bwrap create namespaces"},
		},
		{
			Name: "a container without root, with all of /proc", Userland: "sid", Cut: true, Only: "user",
			Within: []string{"unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc"},
		},
		{
			Name: "a container that hides parts of /proc", Userland: "sid", Cut: true,
			Within: append(proc, "--tmpfs", "/proc/irq", "--ro-bind", "/proc/sys", "/proc/sys", "--"), Refuses: hidden,
		},
	}
}
