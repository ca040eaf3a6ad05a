package matrixtest

// places are userlands with other directories.
func places() []Machine {
	return append(system(),
		Machine{
			Name: "read-only home", Userland: "sid", Cut: true, Project: "/srv/p",
			Prepare: `mount -o remount,bind,ro "$root$home"`, Refuses: unwritable,
		},
		Machine{
			Name: "a container with nothing writable but the project", Userland: "sid", Project: "/srv/p",
			Prepare: lines(
				`mount -t tmpfs tmpfs "$root/srv/p"`,
				`world`,
				`for path in "$home" /tmp /run /dev/shm; do mount -o remount,bind,ro "$root$path"; done`,
				`mount -o remount,ro "$root"`,
			),
			Refuses: unwritable,
		},
		Machine{Name: "home in memory", Userland: "sid", Cut: true, Prepare: lines(`mount -t tmpfs tmpfs "$root$home"`, `world`)},
		Machine{Name: "home behind a link", Userland: "sid", Cut: true, Prepare: lines(
			`mkdir -p "$root/var/home/u"`,
			`mount --bind "$root$home" "$root/var/home/u"`,
			`umount "$root$home"`,
			`rm -rf "${root:?}$home"`,
			`ln -s /var/home/u "$root$home"`,
		)},
		Machine{Name: "noexec /tmp", Userland: "sid", Cut: true, Prepare: `mount -o remount,noexec,nosuid,nodev "$root/tmp"`},
		Machine{Name: "/proc with hidepid=2", Userland: "sid", Prepare: `mount -o remount,hidepid=2 "$root/proc"`},
		Machine{
			Name: "a locale without UTF-8", Userland: "sid",
			// The bytes of this name are one character, and its second byte is that of \.
			Project: "/srv/\xa5\x5c",
			Prepare: `chroot "$root" localedef --inputfile=zh_TW --charmap=BIG5 zh_TW.BIG5`,
			Within:  []string{"env", "LANG=zh_TW.BIG5"},
		},
		Machine{
			Name: "HOME and PWD with a slash too many", Userland: "sid", Cut: true,
			Within: []string{"sh", "-c", `HOME=$HOME/ exec "$@"`, "sh"},
		},
		Machine{Name: "the environment of cron", Userland: "bullseye", Within: []string{
			"env", "-u", "LANG", "-u", "TERM", "-u", "USER", "-u", "XDG_RUNTIME_DIR", "PATH=/usr/bin:/bin",
		}},
	)
}

// unwritable is what launchers say that have to make something in the home
// directory.
var unwritable = map[string]string{
	"agent-code": "cannot create ~/.cache/agent-code",
	"keep":       "cannot write to ~/.local/state/bwrapgen/keep-#/keep.lock",
}

// system are userlands with another /usr or /etc.
func system() []Machine {
	return []Machine{
		{Name: "/usr not merged", Userland: "bullseye", Cut: true, Prepare: split},
		{Name: "/etc of links, as NixOS has it", Userland: "sid", Cut: true, Prepare: links},
		{
			Name: "all as NixOS has it, started with bash -p", Userland: "sid", Only: "user",
			Prepare: lines(links, nix), Starter: []string{"bash", "-p"}, Within: []string{"env", "PATH=/run/current-system/sw/bin"},
		},
		{Name: "no /etc", Userland: "sid", Cut: true, Prepare: `rm -rf "$root/etc"`},
		{Name: "resolv.conf a link into /run", Userland: "bookworm", Prepare: lines(
			`mkdir -p "$root/run/systemd/resolve"`,
			`mv "$root/etc/resolv.conf" "$root/run/systemd/resolve/stub-resolv.conf"`,
			`ln -s ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"`,
		)},
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

// links makes /etc of links, but for what NixOS copies.
var links = lines(
	`mkdir -p "$root/nix/store"`,
	`mv "$root/etc" "$root/nix/store/0123-etc"`,
	`mkdir "$root/etc"`,
	`ln -s /nix/store/0123-etc "$root/etc/static"`,
	`for file in "$root"/nix/store/0123-etc/*; do ln -s "static/${file##*/}" "$root/etc/${file##*/}"; done`,
	`for name in passwd group resolv.conf; do`,
	`  rm "$root/etc/$name"`,
	`  cp "$root/nix/store/0123-etc/$name" "$root/etc/$name"`,
	`done`,
)

// nix moves /usr into the store; of programs, /bin has sh and /usr/bin env.
var nix = lines(
	`mkdir -p "$root/nix/store/0123-system" "$root/run/current-system"`,
	`cp -a "$root/usr" "$root/nix/store/0123-system/sw"`,
	`ln -s /nix/store/0123-system/sw "$root/run/current-system/sw"`,
	`rm -rf "$root"/{bin,sbin} "$root"/usr/{bin,sbin}`,
	`mkdir -p "$root"/{bin,usr/bin}`,
	`ln -s /run/current-system/sw/bin/sh "$root/bin/sh"`,
	`ln -s /run/current-system/sw/bin/env "$root/usr/bin/env"`,
)
