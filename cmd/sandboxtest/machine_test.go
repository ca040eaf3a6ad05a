package sandboxtest

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMachine: what belongs to the whole machine, and only root could ask for:
// its scheduler, its ports, its clock, files that nobody may change.
func TestMachine(t *testing.T) {
	t.Parallel()
	key := 0x62770000 + os.Getpid()
	shared, err := unix.SysvShmGet(key, 4096, unix.IPC_CREAT|0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = unix.SysvShmCtl(shared, unix.IPC_RMID, nil) }()
	t.Run("rows", func(t *testing.T) {
		attack(t, `extends = ["default"]`, []row{
			{name: "shared memory of the host", do: fmt.Sprintf(`"$inside" try shared-memory %d`, key), denied: `^ENOENT$`},
			{name: "before others", do: `test "$(nice -n -5 nice)" -lt "$(nice)"`, denied: `denied|^nice`, who: "root"},
			{name: "before all others", do: `"$inside" try fifo`, denied: `^EPERM$`, who: "root"},
			{name: "a port of the system's", do: `"$inside" try port`, denied: `^EACCES$`, who: "root"},
			{name: "the network's settings", do: `"$inside" try loopback`, denied: `^EPERM$`, who: "root"},
			{name: "to watch all files", do: `"$inside" try watch`, denied: `^EPERM$`, who: "root"},
			{name: "the clock", do: `date -s @0`, denied: `not permitted`, control: none, who: "root"},
			{name: "the host's keys", do: `grep -vE 'keyring +(_(uid|ses)|_uid_ses|\.)' /proc/keys | grep -c . | grep -vx 0`, denied: `^$`, control: none},
			{name: "a file that nobody may change", do: `echo x >made-i && chattr +i made-i && chattr -i made-i`, denied: `not permitted`, control: `cp file "$O/i" && (chattr +i "$O/i" && chattr -i "$O/i" || ! stat -f -c %T "$O" | grep ext)`, who: "root"},
			{name: "a program with capabilities", do: `echo x >made-t && "$inside" try capable made-t`, denied: `^EPERM$`, who: "root"},
			{name: "a file for another", do: `echo x >made-o && chown 1:1 made-o`, denied: `not permitted|Invalid argument`, who: "root"},
		})
	})
}
