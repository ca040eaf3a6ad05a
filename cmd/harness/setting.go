package harness

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

// Everywhere runs a test under the oldest bwrap, the newest, and of those between what
// is the account's part of them.
func (a Account) Everywhere(t *testing.T, test func(t *testing.T, s Setting)) {
	t.Helper()
	all := a.Settings(t)
	mine := append(a.Part(all, len(t.Name())-len(a.Name)), all[0], all[len(all)-1])
	slices.SortFunc(mine, func(x, y Setting) int { return compareVersions(x.Version, y.Version) })
	in(t, slices.Compact(mine), test)
}

// Everywhere runs a test as every account and under every bwrap: each account has the
// oldest or the newest, and every other one from there.
func Everywhere(t *testing.T, test func(t *testing.T, s Setting)) {
	t.Helper()
	number := len(t.Name())
	for _, a := range Accounts() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			a.Shared(t, number, test)
		})
	}
}

// Shared runs what is the account's part of a test that is shared out. With an odd number it has the
// bwraps that it has not with an even one.
func (a Account) Shared(t *testing.T, number int, test func(t *testing.T, s Setting)) {
	t.Helper()
	in(t, a.Part(a.Settings(t), number), test)
}

// Part is what falls to an account when some are shared out, one here and one there.
// Who begins depends on a number. Where there is but one account, or one to share, nobody
// goes without.
func (a Account) Part(all []Setting, number int) []Setting {
	accounts := Accounts()
	if Whole() || len(accounts) == 1 || len(all) == 1 {
		return slices.Clone(all)
	}
	number += slices.Index(accounts, a)
	var mine []Setting
	for i, s := range all {
		if (i+number)%2 == 0 {
			mine = append(mine, s)
		}
	}
	return mine
}

// Whole says that nothing is shared out: BWRAPGEN_WHOLE is set, as by make test whole=1.
func Whole() bool { return os.Getenv("BWRAPGEN_WHOLE") != "" }

// Ends runs a test as every account under the oldest bwrap and the newest.
func Ends(t *testing.T, test func(t *testing.T, s Setting)) {
	t.Helper()
	for _, a := range Accounts() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			in(t, a.ends(t), test)
		})
	}
}

// Crossed runs one of many cases as every account, the one under the oldest bwrap and the
// other under the newest: in a case with an odd number the other way round. So each case
// is tried as both and under both, and any two neighbours in all four ways.
func Crossed(t *testing.T, number int, test func(t *testing.T, s Setting)) {
	t.Helper()
	for _, a := range Accounts() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			in(t, a.Part(a.ends(t), number), test)
		})
	}
}

// Has says whether Crossed would try the case of a number here, for a test that has the
// same world for all of them.
func (s Setting) Has(t *testing.T, number int) bool {
	t.Helper()
	return slices.Contains(s.Part(s.ends(t), number), s)
}

// ends are the settings with the oldest bwrap and the newest.
func (a Account) ends(t *testing.T) []Setting {
	t.Helper()
	all := a.Settings(t)
	if len(all) > 2 {
		all = []Setting{all[0], all[len(all)-1]}
	}
	return all
}

// Turn runs one of many cases under the newest bwrap, as the account whose turn it is.
func Turn(t *testing.T, number int, test func(t *testing.T, s Setting)) {
	t.Helper()
	for _, a := range Accounts() {
		if a.HasTurn(number) {
			all := a.Settings(t)
			t.Run(a.Name, func(t *testing.T) {
				t.Parallel()
				in(t, all[len(all)-1:], test)
			})
		}
	}
}

// HasTurn says whether one of many cases is for the account: the next one is the other's.
func (a Account) HasTurn(number int) bool {
	accounts := Accounts()
	return Whole() || accounts[number%len(accounts)] == a
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
