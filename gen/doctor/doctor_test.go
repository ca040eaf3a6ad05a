package doctor

import (
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	setting := func(name, value string) Signs { return Signs{Settings: map[string]string{name: value}} }
	const apparmor, clone, most = "kernel/apparmor_restrict_unprivileged_userns", "kernel/unprivileged_userns_clone", "user/max_user_namespaces"
	tests := []struct {
		name, words string
		signs       Signs
		want        string // begins What; empty: nothing is found
	}{
		{"ubuntu", "bwrap: setting up uid map: Permission denied", setting(apparmor, "1"), "AppArmor"},
		{"ubuntu, no network", "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", setting(apparmor, "1"), "AppArmor"},
		{"no network, no reason", "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", setting(apparmor, "0"), "this host lets bwrap set up no network"},
		{"no network in a container", "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", Signs{Container: true}, "this container may"},
		{"ubuntu, elsewhere", "bwrap: Creating new namespace failed: Permission denied", setting(apparmor, "1"), "AppArmor"},
		{"ubuntu, another cause", "bwrap: Can't find source path /x: No such file or directory", setting(apparmor, "1"), ""},
		{"debian", "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.", setting(clone, "0"), "this host forbids user namespaces (kernel."},
		{"rhel", "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)", setting(most, "0"), "this host forbids user namespaces (user."},
		{"many allowed", "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)", setting(most, "01"), "this host lets"},
		{"container", "bwrap: Creating new namespace failed: Operation not permitted", Signs{Container: true}, "this container may"},
		{"container's proc", "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", Signs{Container: true}, "this container hides"},
		{"wsl 1", "bwrap: Creating new namespace failed: Invalid argument", setting("kernel/osrelease", "4.4.0-19041-Microsoft"), "WSL 1"},
		{"wsl 2", "bwrap: Creating new namespace failed: Invalid argument", setting("kernel/osrelease", "5.15.0-microsoft-standard-WSL2"), "this host lets"},
		{"setuid", "bwrap: setuid use of bubblewrap is not supported", Signs{Setuid: true}, "bwrap is installed set-uid"},
		{"setuid, old", "bwrap: --disable-userns requires --unshare-user", Signs{Setuid: true}, "bwrap is installed set-uid"},
		{"capabilities", "bwrap: Unexpected capabilities but not setuid, old file caps config?", Signs{}, "bwrap is installed set-uid"},
		{"arguments", "bwrap: Exceeded maximum number of arguments 9000", setting(apparmor, "1"), "bwrap accepts 9000"},
		{"link", "bwrap: Can't mount on symlink destination /home/u/.cache", Signs{}, "bwrap 0.12"},
		{"overlay", "bwrap: Can't make overlay mount on (null) with options upperdir=/proc/self/fd/5: Invalid argument", Signs{}, "no overlay"},
		{"overlay by mount(8)", "mount: /sys/0/view: wrong fs type, bad option, bad superblock on overlay", Signs{}, "no overlay"},
		{"old", "bwrap: Unknown option --disable-userns", Signs{}, "this bwrap is too old"},
		{"old, with a store", "bwrap: Unknown option --overlay-src", Signs{}, "this bwrap is too old"},
		{"source", "bwrap: Can't find source path /nix: No such file or directory", setting("kernel/osrelease", "6.18"), ""},
		{"nothing", "", Signs{}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Find(test.words, test.signs)
			if ok != (test.want != "") || !strings.HasPrefix(got.What, test.want) {
				t.Errorf("got %q, want %q", got.What, test.want)
			}
		})
	}
}

// TestTexts holds the table to what a line of the launcher can hold.
func TestTexts(t *testing.T) {
	for _, trouble := range Troubles() {
		for _, text := range []string{trouble.Sign, trouble.What, trouble.Fix} {
			if text == "" || strings.ContainsAny(text, "\n#") {
				t.Errorf("no field of a line: %q", text)
			}
		}
	}
}
