package harness

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Account is who starts launchers.
type Account struct {
	Name     string // "root" or "user"
	UID, GID int
}

// Accounts are root and an ordinary user, or whoever runs the tests. The user
// is the one that .ci/user makes, or one without an entry in /etc/passwd.
func Accounts() []Account {
	if os.Getuid() != 0 {
		return []Account{{"user", os.Getuid(), os.Getgid()}}
	}
	ordinary := Account{"user", 2345, 2345}
	if u, err := user.Lookup("bwrapgen-test"); err == nil {
		ordinary.UID, _ = strconv.Atoi(u.Uid)
		ordinary.GID, _ = strconv.Atoi(u.Gid)
	}
	return []Account{{"root", 0, 0}, ordinary}
}

// Ordinary is the account without privileges.
func Ordinary() Account {
	all := Accounts()
	return all[len(all)-1]
}

// Become makes a command run as the account.
func (a Account) Become(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	if a.UID != os.Getuid() {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(a.UID), Gid: uint32(a.GID)}
	}
}

// Give makes the account own a tree.
func (a Account) Give(t *testing.T, root string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, a.UID, a.GID))
	})
	if err != nil {
		t.Fatal(err)
	}
}
