package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// ordinary is the user that .ci/user makes.
const ordinary = "bwrapgen-test"

// account is who the things are started as.
type account struct {
	name string
	who  *syscall.Credential // nil: as we are
}

// findUsers is the current user, and for root an ordinary one besides.
func findUsers() ([]account, error) {
	me, err := user.Current()
	if err != nil {
		return nil, err
	}
	all := []account{{name: me.Username}}
	if os.Geteuid() != 0 {
		return all, nil
	}
	if out, err := exec.Command(".ci/user").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("cannot make an ordinary user: %s", out)
	}
	u, err := user.Lookup(ordinary)
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return append(all, account{u.Username, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}), nil
}

// own gives a file that has just been made to the user.
func (a account) own(path string) error {
	if a.who == nil {
		return nil
	}
	return os.Lchown(path, int(a.who.Uid), int(a.who.Gid))
}
