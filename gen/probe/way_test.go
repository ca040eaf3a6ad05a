package probe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// TestLack: of what a network of its own needs, the first that is missing is named.
func TestLack(t *testing.T) {
	root := t.TempDir()
	put := func(name string, mode os.FileMode, lines ...string) {
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("#!/bin/sh\n"+strings.Join(lines, "\n")), mode); err != nil {
			t.Fatal(err)
		}
	}
	lacks := func(mode profile.NetworkMode, ports bool, want string) {
		t.Helper()
		if lack, remedy := (Host{Root: root}).Lack(plan.NetworkNeeds(mode, ports)); !strings.HasPrefix(lack, want) || (lack == "") != (want == "") || (remedy == "") != (want == "") {
			t.Errorf("%v, ports %t: %q, want %q", mode, ports, lack, want)
		}
	}
	lacks(profile.NetworkPrivate, false, "the package passt, or slirp4netns")
	put("usr/bin/slirp4netns", 0o755)
	lacks(profile.NetworkPrivate, false, "/dev/net/tun")
	put("dev/net/tun", 0o666)
	lacks(profile.NetworkPrivate, false, "")
	lacks(profile.NetworkPrivate, true, "the package passt,")
	put("usr/bin/pasta", 0o755, "exit 1")
	lacks(profile.NetworkPrivate, true, "the package nftables, since")
	lacks(profile.NetworkPrivate, false, "the package nftables, since")
	put("usr/bin/pasta", 0o755, `[ "$*" = "--host-lo-to-ns-lo --version" ]`)
	lacks(profile.NetworkPrivate, true, "")
	lacks(profile.NetworkAllow, true, "the package nftables")
	put("usr/sbin/nft", 0o755)
	lacks(profile.NetworkAllow, false, "the package dnsmasq-base, or dnsmasq")
	put("usr/sbin/dnsmasq", 0o755)
	lacks(profile.NetworkAllow, true, "")
	put("usr/bin/pasta", 0o755, "exit 1")
	lacks(profile.NetworkPrivate, false, "")
}
