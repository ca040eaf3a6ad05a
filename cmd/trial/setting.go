package trial

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Setting is who starts launchers, under which bwrap.
type Setting struct {
	Account
	Version string // of bwrap, as it says: "0.12.0"
	Bwrap   string // the directory that holds it
}

// Path is a PATH on which this bwrap comes first, and then some directories.
func (s Setting) Path(dirs ...string) string {
	return strings.Join(slices.Concat([]string{s.Bwrap}, dirs, []string{"/usr/local/bin", "/usr/bin", "/bin"}), ":")
}

// Settings are those of an account: each bwrap that there is, the oldest first.
func (a Account) Settings(t *testing.T) []Setting {
	t.Helper()
	found := bwraps()
	if len(found) == 0 {
		Unable(t, "bwrap is not in PATH")
	}
	var all []Setting
	for _, version := range slices.SortedFunc(maps.Keys(found), compareVersions) {
		all = append(all, Setting{a, version, found[version]})
	}
	return all
}

// bwraps are the directories that hold a bwrap, by version. Of two of one
// version, the one in PATH is tried: nothing is proven twice.
var bwraps = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	found, _ := filepath.Glob(filepath.Join(os.Getenv("BWRAPGEN_BWRAPS"), "*", "bwrap"))
	for _, file := range found {
		if dir := filepath.Dir(file); filepath.IsAbs(dir) {
			all[filepath.Base(dir)] = dir
		}
	}
	if file, err := exec.LookPath("bwrap"); err == nil {
		said, _ := exec.Command(file, "--version").Output()
		version := strings.TrimPrefix(strings.TrimSpace(string(said)), "bubblewrap ")
		all[cmp.Or(version, "path")] = filepath.Dir(file)
	}
	return all
})

// compareVersions orders 0.4.1 before 0.12.0.
func compareVersions(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// Works fails or skips a test where no sandbox can be made.
func (s Setting) Works(t *testing.T) {
	t.Helper()
	try, _ := tried.LoadOrStore(s, sync.OnceValue(s.try))
	if err := try.(func() error)(); err != nil {
		Unable(t, "no sandbox can be made: "+err.Error())
	}
}

// tried holds the answer of each Setting: a function, which tries once.
var tried sync.Map

// try makes a sandbox, without a launcher.
func (s Setting) try() error {
	c := exec.Command(filepath.Join(s.Bwrap, "bwrap"), "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true")
	c.Dir = "/"
	s.Become(c)
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %s", err, said)
	}
	return nil
}

// Everywhere runs a test as every account under every bwrap, several at once.
func Everywhere(t *testing.T, test func(t *testing.T, s Setting)) {
	t.Helper()
	for _, a := range Accounts() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			a.Everywhere(t, test)
		})
	}
}

// Everywhere runs a test under every bwrap.
func (a Account) Everywhere(t *testing.T, test func(t *testing.T, s Setting)) {
	t.Helper()
	in(t, a.Settings(t), test)
}

// Ends runs a test as every account under the oldest bwrap and the newest.
func Ends(t *testing.T, test func(t *testing.T, s Setting)) {
	t.Helper()
	for _, a := range Accounts() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			all := a.Settings(t)
			if len(all) > 2 {
				all = []Setting{all[0], all[len(all)-1]}
			}
			in(t, all, test)
		})
	}
}

// Newest runs a test as every account under the newest bwrap, where the version
// makes no difference.
func Newest(t *testing.T, test func(t *testing.T, s Setting)) {
	t.Helper()
	for _, a := range Accounts() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			all := a.Settings(t)
			s := all[len(all)-1]
			s.Works(t)
			test(t, s)
		})
	}
}

func in(t *testing.T, settings []Setting, test func(t *testing.T, s Setting)) {
	t.Helper()
	for _, s := range settings {
		t.Run(s.Version, func(t *testing.T) {
			t.Parallel()
			s.Works(t)
			test(t, s)
		})
	}
}

// Here is whoever runs the tests, under the bwrap in PATH, which has to work.
func Here(t *testing.T) Setting {
	t.Helper()
	Need(t, "bwrap")
	file, _ := exec.LookPath("bwrap")
	all := Accounts()[0].Settings(t)
	at := slices.IndexFunc(all, func(s Setting) bool { return s.Bwrap == filepath.Dir(file) })
	all[at].Works(t)
	return all[at]
}

// Need says that a test needs a program.
func Need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		Unable(t, program+" is not installed")
	}
}

// Unable skips a test that cannot be done here, but where tests of sandboxes
// are required it fails: no run is green because nothing ran.
func Unable(t *testing.T, why string) {
	t.Helper()
	if Required() {
		t.Fatalf("this cannot be tried here, and has to be: %s", why)
	}
	t.Skipf("this cannot be tried here: %s", why)
}

// Required says whether tests of sandboxes are required.
func Required() bool {
	return os.Getenv("BWRAPGEN_REQUIRE_SANDBOX") != "" || os.Getenv("CI") == "true"
}
