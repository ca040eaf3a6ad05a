package matrixtest

// releases are userlands as they are.
func releases() []Machine {
	return []Machine{
		{Name: "Debian 11", Userland: "bullseye", Cut: true},
		{Name: "Debian 12", Userland: "bookworm"},
		{Name: "Debian 13", Userland: "trixie"},
		{Name: "Debian unstable", Userland: "sid", Cut: true},
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
		{Name: "busybox for all but bash", Userland: "sid", Cut: true, Prepare: busybox, Loses: interrupt},
		{Name: "coreutils in Rust", Userland: "sid", Prepare: lines(
			`for file in "$root"/usr/lib/cargo/bin/coreutils/*; do`,
			`  name=${file##*/}`,
			`  [[ ! -e $root/usr/bin/$name ]] || ln -sf "/usr/lib/cargo/bin/coreutils/$name" "$root/usr/bin/$name"`,
			`done`,
		)},
	}
}

// interrupt is what cannot be had without env --default-signal.
var interrupt = map[string]string{"Ctrl-C": "env cannot give it back to the command"}

// busybox takes the place of every program that it has, but for that which the
// tests enter the userland with.
var busybox = lines(
	`for name in $(chroot "$root" busybox --list); do`,
	`  for dir in usr/bin usr/sbin; do`,
	`    [[ $name == @(setpriv|busybox) || ! -e $root/$dir/$name ]] || ln -sf /bin/busybox "$root/$dir/$name"`,
	`  done`,
	`done`,
)

// places are userlands with other directories.
func places() []Machine {
	return []Machine{
		{Name: "/usr not merged", Userland: "bullseye", Cut: true, Prepare: split},
		{Name: "/etc of links, as NixOS has it", Userland: "sid", Cut: true, Prepare: lines(
			`mkdir -p "$root/nix/store"`,
			`mv "$root/etc" "$root/nix/store/0123-etc"`,
			`mkdir "$root/etc"`,
			`ln -s /nix/store/0123-etc "$root/etc/static"`,
			`for file in "$root"/nix/store/0123-etc/*; do ln -s "static/${file##*/}" "$root/etc/${file##*/}"; done`,
			`for name in passwd group resolv.conf; do`,
			`  rm "$root/etc/$name"`,
			`  cp "$root/nix/store/0123-etc/$name" "$root/etc/$name"`,
			`done`,
		)},
		{Name: "no /etc", Userland: "sid", Cut: true, Prepare: `rm -rf "$root/etc"`},
		{
			Name: "read-only home", Userland: "sid", Cut: true, Project: "/srv/p",
			Prepare: `mount -o remount,bind,ro "$root$home"`,
			Refuses: map[string]string{
				"agent-code": "cannot make ~/.cache/agent-code",
				"keep":       "cannot make ~/.local/state/bwrapgen/keep-#",
			},
		},
		{Name: "home in memory", Userland: "sid", Cut: true, Prepare: lines(`mount -t tmpfs tmpfs "$root$home"`, `world`)},
		{Name: "noexec /tmp", Userland: "sid", Cut: true, Prepare: `mount -o remount,noexec,nosuid,nodev "$root/tmp"`},
		{
			Name: "a locale without UTF-8", Userland: "sid", Only: "user",
			// The bytes of this name are one character, and its second byte is that of \.
			Project: "/srv/\xa5\x5c",
			Prepare: `chroot "$root" localedef --inputfile=zh_TW --charmap=BIG5 zh_TW.BIG5`,
			Within:  []string{"env", "LANG=zh_TW.BIG5"},
		},
	}
}

// split moves the files of / back from /usr, to where their packages have them.
var split = lines(
	`for name in bin sbin lib lib32 lib64 libx32; do`,
	`  [[ ! -L $root/$name ]] || { rm "$root/$name" && mkdir "$root/$name"; }`,
	`done`,
	`while read -r file; do`,
	`  [[ ! -d $root/usr$file || -L $root/usr$file ]] || mkdir -p "$root$file"`,
	`  [[ -d $root$file || ! -e $root/usr$file && ! -L $root/usr$file ]] || mv "$root/usr$file" "$root$file"`,
	`done < <(cat "$root"/var/lib/dpkg/info/*.list | grep -E '^/(bin|sbin|lib[^/]*)/' | sort -u)`,
)

// nests are places inside other sandboxes.
func nests() []Machine {
	proc := []string{"bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc"}
	hidden := map[string]string{"": "this container hides parts of /proc, so that no new one can be mounted"}
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
			Name: "inside a launcher, without kernel.nested-userns", Userland: "sid", Cut: true, Only: "user",
			Within:  []string{"sh", "-c", `cd ~/code/p && exec "$@"`, "sh", "/usr/local/lib/bwrapgen-matrix/default"},
			Refuses: map[string]string{"": "this host lets bwrap make no namespaces"},
		},
		{
			Name: "a container without root, with all of /proc", Userland: "sid", Cut: true, Only: "user",
			Within: []string{"unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc"},
		},
		{
			Name: "a container that hides parts of /proc", Userland: "sid", Cut: true, Only: "user",
			Within: append(proc, "--tmpfs", "/proc/irq", "--ro-bind", "/proc/sys", "/proc/sys", "--"), Refuses: hidden,
		},
	}
}
