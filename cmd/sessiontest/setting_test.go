package sessiontest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// setting is who runs a launcher, under which bwrap.
type setting struct {
	name     string
	uid, gid int
	bwrap    string // the directory that holds it
}

// ordinary is a user that need not have an account.
const ordinary = 2345

// settings are all accounts under all versions of bwrap.
func settings() []setting {
	dirs := []string{}
	found, _ := filepath.Glob(filepath.Join(os.Getenv("BWRAPGEN_BWRAPS"), "*", "bwrap"))
	for _, file := range found {
		if filepath.IsAbs(file) {
			dirs = append(dirs, filepath.Dir(file))
		}
	}
	if file, err := exec.LookPath("bwrap"); err == nil {
		dirs = append(dirs, filepath.Dir(file))
	}
	var all []setting
	for _, dir := range dirs {
		version := strings.ReplaceAll(strings.Trim(dir, "/"), "/", "-")
		all = append(all, setting{version, os.Getuid(), os.Getgid(), dir})
		if os.Getuid() == 0 {
			all = append(all, setting{version + "-user", ordinary, ordinary, dir})
		}
	}
	return all
}

// everywhere runs a test in all settings.
func everywhere(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	in(t, settings(), test)
}

// once runs a test as each account, under one bwrap: the last, which is that in
// PATH.
func once(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	all := settings()
	if os.Getuid() == 0 && len(all) > 2 {
		all = all[len(all)-2:]
	}
	in(t, all, test)
}

func in(t *testing.T, all []setting, test func(t *testing.T, w world)) {
	t.Helper()
	if len(all) == 0 {
		unable(t, "bwrap is not in PATH")
	}
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel() // most of the time, something sleeps
			if why := s.works(); why != "" {
				unable(t, why)
			}
			test(t, newWorld(t, s))
		})
	}
}

// works says why no sandbox can be made, or nothing.
func (s setting) works() string {
	var said bytes.Buffer
	c := exec.Command(filepath.Join(s.bwrap, "bwrap"), "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true")
	c.Dir, c.Stderr = "/", &said
	s.become(c)
	if err := c.Run(); err != nil {
		return strings.TrimSpace(err.Error() + ": " + said.String())
	}
	return ""
}

func (s setting) become(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	if s.uid != os.Getuid() {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.gid)}
	}
}

// give makes the account own a tree.
func (s setting) give(t *testing.T, dir string) {
	t.Helper()
	if s.uid == os.Getuid() {
		return
	}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, s.uid, s.gid))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// unable skips a test, but where a sandbox is required it fails.
func unable(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("BWRAPGEN_REQUIRE_SANDBOX") != "" || os.Getenv("CI") == "true" {
		t.Fatalf("no sandbox can be made here, and one is required: %s", why)
	}
	t.Skipf("no sandbox can be made here: %s", why)
}
