package sandboxtest

import (
	"testing"

	"bwrapgen/cmd/harness"
)

// another makes a /dev in which there is one more device than in a sandbox's, as
// /dev/kvm would be: another name of /dev/zero.
const another = `
	mount --rbind /dev /mnt
	mount -t tmpfs -o mode=0755 none /dev
	mkdir /dev/shm /dev/pts
	mount --rbind /mnt/shm /dev/shm
	mount --rbind /mnt/pts /dev/pts
	ln -s /proc/self/fd /dev/fd
	for device in null zero full random urandom tty ptmx lent; do
		: >"/dev/$device"
		source=/mnt/$device
		[ "$device" != lent ] || source=/mnt/zero
		mount --bind "$source" "/dev/$device"
	done`

// TestDeviceListed: a device in filesystem.write can be opened, and no other is there.
func TestDeviceListed(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Give(t, w.Top)
		const look = `[ -e /dev/lent ] && head -c 2 /dev/lent | od -An -tx1 && : >/dev/lent`
		for _, row := range []struct{ entries, prints string }{
			{"", ""},
			{`{ path = "/dev/lent", why = "to try" }`, " 00 00\n"},
			{`{ path = "/dev/lent", why = "to try" }, { path = "/dev/absent", optional = true, why = "to try" }`, " 00 00\n"},
		} {
			w.launch(t, "extends = [\"default\"]\n[filesystem]\nwrite = ["+row.entries+"]").InNamespace(another).Run(t, "sh", "-c", look+"; true").Expect(t, row.entries, 0, row.prints)
		}
		w.launch(t, "extends = [\"default\"]\n[filesystem]\nwrite = [{ path = \"/dev/lent\", why = \"to try\" }]").Run(t, "true").Ends(t, 125).Says(t, "there is no /dev/lent")
	})
}
