package doctor

import "slices"

var troubles = []Trouble{
	{
		Sign: "Exceeded maximum number of arguments",
		What: "bwrap takes 9000 words, and there are more",
		Fix:  "pass fewer arguments, by xargs or in a file; or see what fills .git/modules",
		More: "Mounts and variables of the profile count, too: three words for most of them.",
	},
	{
		Sign: "symlink destination",
		What: "bwrap 0.12 and later mount nothing on a symbolic link",
		Fix:  "name what the link leads to, in the profile",
		More: "Where the link lies in the project, somebody may have put it there to lead a mount astray.",
	},
	{
		Sign: "Unknown option",
		What: "this bwrap is too old for what the profile asks for",
		Fix:  "install bubblewrap 0.11 or later, or what the distribution's backports have",
		More: "Launchers run with bwrap from 0.4 on, as far as their promises can be kept.",
	},
	{
		Sign: "overlay",
		What: "no overlay can have its layers in the store",
		Fix:  "set XDG_STATE_HOME to a directory on a local disk",
		More: "Users can mount overlays from Linux 5.11 on. A cache may lie on FUSE or on an overlay, but not on an overlay of an overlay; a store on none of them.",
	},
	{
		Sign: "Can't mount proc",
		What: "this container hides parts of /proc, so that no new one can be mounted",
		Fix:  "start it with --security-opt systempaths=unconfined (docker) or unmask=ALL (podman)",
		More: "In Kubernetes: procMount: Unmasked.",
	},
	{
		Sign: "u+s;",
		What: "bwrap is installed set-uid or with capabilities, which it does not support",
		Fix:  "as root: chmod u-s and setcap -r, each with bwrap's path",
		More: "Where users may make no namespaces, set-uid was the way out until bwrap 0.11; from then on the host has to allow them.",
	},
	{
		Sign: refused, Host: "apparmor_restrict_unprivileged_userns=1",
		What: "AppArmor forbids user namespaces to this bwrap (kernel.apparmor_restrict_unprivileged_userns=1)",
		Fix:  "echo 'abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap",
		More: `That allows bwrap alone, and holds for the path in it: a bwrap elsewhere needs its own. Two profiles for one path undo each other: if there is Ubuntu's bwrap-userns-restrict (package apparmor-profiles), disable it first, by
    sudo ln -s /etc/apparmor.d/bwrap-userns-restrict /etc/apparmor.d/disable/
    sudo apparmor_parser -R /etc/apparmor.d/bwrap-userns-restrict
or leave it at that one, with which a bwrap before 0.11 makes no writable views of caches.
To allow all programs: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`,
	},
	{
		Sign: refused, Host: "unprivileged_userns_clone=0",
		What: "this host forbids user namespaces (kernel.unprivileged_userns_clone=0)",
		Fix:  "sudo sysctl -w kernel.unprivileged_userns_clone=1",
		More: "To keep it: write the setting to /etc/sysctl.d/50-userns.conf. It is a setting of Debian and of hardened kernels.",
	},
	{
		Sign: refused, Host: "max_user_namespaces=0;",
		What: "this host forbids user namespaces (user.max_user_namespaces=0)",
		Fix:  "sudo sysctl -w user.max_user_namespaces=15000",
		More: "To keep it: write the setting to /etc/sysctl.d/50-userns.conf. RHEL 7 has it by default; another sandbox around this one may have it, too.",
	},
	{
		Sign: refused, Host: "-Microsoft;",
		What: "WSL 1 has no namespaces",
		Fix:  "turn it into WSL 2: wsl.exe --set-version DISTRIBUTION 2",
	},
	{
		Sign: refused, Host: " container;",
		What: "this container may make no namespaces",
		Fix:  "start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined, or a profile that allows them",
		More: "--privileged does it as well, and gives up the container's own walls.",
	},
	{
		Sign: "RTM_NEWADDR",
		What: "this host lets bwrap set up no network of its own",
		Fix:  `write network.mode = "host"; or look for a sandbox or security module around this one`,
	},
	{
		Sign: refused,
		What: "this host lets bwrap make no namespaces",
		Fix:  "look for a sandbox or security module around this one: a nested sandbox needs nested-userns = true outside",
		More: "A kernel may also have been built without CONFIG_USER_NS.",
	},
}

// Troubles is the whole table. Of two that match, the first counts: so the
// narrow ones come first.
func Troubles() []Trouble {
	return slices.Clone(troubles)
}
