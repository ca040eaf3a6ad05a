package sandboxtest

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bwrapgen/cmd/sandboxtest/inside"
)

// account is who runs a launcher.
type account struct {
	name     string
	uid, gid int
}

// accounts are root and an ordinary user, or whoever runs the tests.
func accounts() []account {
	me := account{"user", os.Getuid(), os.Getgid()}
	if me.uid != 0 {
		return []account{me}
	}
	ordinary := account{"user", 2345, 2345}
	if u, err := user.Lookup("bwrapgen-test"); err == nil {
		ordinary.uid, _ = strconv.Atoi(u.Uid)
		ordinary.gid, _ = strconv.Atoi(u.Gid)
	}
	me.name = "root"
	return []account{me, ordinary}
}

// become makes a command run as the account.
func (a account) become(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	if a.uid != os.Getuid() {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
}

// give makes the account own a tree.
func (a account) give(t *testing.T, dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, a.uid, a.gid))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// setting is who runs a launcher, under which bwrap.
type setting struct {
	account
	version string // "path" for the one in PATH
	bwrap   string // the directory that holds it
}

// path is what PATH says in this setting.
func (s setting) path() string {
	return strings.TrimPrefix(s.bwrap+":/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin", ":")
}

// bwraps are the settings of an account: each bwrap that there is.
func (a account) bwraps() []setting {
	var all []setting
	found, _ := filepath.Glob(filepath.Join(os.Getenv("BWRAPGEN_BWRAPS"), "*", "bwrap"))
	for _, file := range found {
		if filepath.IsAbs(file) {
			dir := filepath.Dir(file)
			all = append(all, setting{a, filepath.Base(dir), dir})
		}
	}
	slices.SortFunc(all, func(a, b setting) int { return compareVersions(a.version, b.version) })
	if file, err := exec.LookPath("bwrap"); err == nil {
		all = append(all, setting{a, "path", filepath.Dir(file)})
	}
	return all
}

// compareVersions orders 0.4.1 before 0.12.0.
func compareVersions(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// works says why no sandbox can be made in a setting, or nothing.
func (s setting) works() string {
	var said bytes.Buffer
	c := exec.Command(filepath.Join(s.bwrap, "bwrap"), "--unshare-user", "--ro-bind", "/", "/", "--proc", "/proc", "true")
	c.Dir, c.Stderr = "/", &said
	s.become(c)
	if err := c.Run(); err != nil {
		return strings.TrimSpace(err.Error() + ": " + said.String())
	}
	return ""
}

// everywhere runs a test as every account under every bwrap. Where no sandbox
// can be made, it skips, and fails where one is required.
func everywhere(t *testing.T, test func(t *testing.T, s setting)) {
	t.Helper()
	for _, a := range accounts() {
		t.Run(a.name, func(t *testing.T) {
			a.everywhere(t, test)
		})
	}
}

func (a account) everywhere(t *testing.T, test func(t *testing.T, s setting)) {
	t.Helper()
	settings := a.bwraps()
	if len(settings) == 0 {
		unable(t, "bwrap is not in PATH")
	}
	for _, s := range settings {
		t.Run(s.version, func(t *testing.T) {
			t.Parallel()
			if why := s.works(); why != "" {
				unable(t, why)
			}
			test(t, s)
		})
	}
}

// ends runs a test as every account under the oldest bwrap and the newest.
func ends(t *testing.T, test func(t *testing.T, s setting)) {
	t.Helper()
	everywhere(t, func(t *testing.T, s setting) {
		all := s.bwraps()
		if numbered := all[:len(all)-1]; len(numbered) > 2 && s != numbered[0] && s != numbered[len(numbered)-1] {
			t.SkipNow()
		}
		test(t, s)
	})
}

// newest runs a test as every account under the newest bwrap, where the version
// makes no difference.
func newest(t *testing.T, test func(t *testing.T, s setting)) {
	t.Helper()
	for _, a := range accounts() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			settings := a.bwraps()
			if len(settings) == 0 {
				unable(t, "bwrap is not in PATH")
			}
			s := settings[max(0, len(settings)-2)] // before the one in PATH
			if why := s.works(); why != "" {
				unable(t, why)
			}
			test(t, s)
		})
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

// programs is a directory that everybody can read, with this test binary under
// the name that makes it the program for inside.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp(places(), "bwrapgen-programs-")
	if err != nil {
		return "", err
	}
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		return dir, err
	}
	defer func() { _ = from.Close() }()
	to, err := os.OpenFile(filepath.Join(dir, inside.Name), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return dir, err
	}
	_, err = io.Copy(to, from)
	return dir, errors.Join(err, to.Close(), os.Chmod(dir, 0o755))
})

// places is where the tests put what they need. A home directory below /home
// is what users have; only root can make one.
func places() string {
	if info, err := os.Stat("/home"); err == nil && info.IsDir() && os.Getuid() == 0 {
		return "/home"
	}
	return os.TempDir()
}
