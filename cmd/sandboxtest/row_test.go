package sandboxtest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/cmd/harness/inside"
)

// row is something to do inside, as bash, and what must become of it.
type row struct {
	name    string
	do      string
	denied  string // what is said where it is refused, a regular expression; empty: it must succeed
	says    string // what is said where it succeeds, a regular expression
	control string // what must succeed outside; empty: the same; or none
	who     string // only as this account
}

// none stands for no control: the row has one of another kind, or what it
// denies does not exist outside.
const none = "none"

// attack does the rows in a sandbox of the profile, everywhere, and outside,
// where what is denied inside must succeed. Nothing on the host may change.
func attack(t *testing.T, profile string, rows []row, prepare ...func(t *testing.T, l *launcher)) {
	t.Helper()
	attackIn(t, harness.Account.Everywhere, profile, rows, prepare...)
}

// attackShared does the same where the accounts share the bwraps: a number says who begins.
func attackShared(t *testing.T, number int, profile string, rows []row, prepare ...func(t *testing.T, l *launcher)) {
	t.Helper()
	shared := func(a harness.Account, t *testing.T, test func(*testing.T, harness.Setting)) {
		a.Shared(t, number, test)
	}
	attackIn(t, shared, profile, rows, prepare...)
}

// attackIn does the same where an account is told to.
func attackIn(t *testing.T, in func(harness.Account, *testing.T, func(*testing.T, harness.Setting)), profile string, rows []row, prepare ...func(t *testing.T, l *launcher)) {
	t.Helper()
	for _, a := range harness.Accounts() {
		t.Run(a.Name, func(t *testing.T) {
			mine := rowsOf(rows, a)
			controlled(t, a, mine, prepare)
			in(a, t, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, profile)
				for _, p := range prepare {
					p(t, &l)
				}
				before := w.state(t)
				judge(t, mine, l.rows(t, mine))
				before.Same(t, w.state(t))
			})
		})
	}
}

// layouts does the rows of an attack where home is a file system of its own, and
// where the host's root is shown, with the host's home and with an empty one: what is
// held in the project is mounted upon other mounts there. In each, the accounts share
// the bwraps; with one layout after the other, both have all of them.
func layouts(t *testing.T, profile string, rows []row, prepare ...func(t *testing.T, l *launcher)) {
	t.Helper()
	for i, layout := range []struct{ name, text string }{
		{"select", ""},
		{"host", "filesystem.base = \"host\"\n"},
		{"host, home empty", "filesystem.base = \"host\"\nhome.mode = \"empty\"\n"},
	} {
		t.Run(layout.name, func(t *testing.T) {
			attackShared(t, i, "extends = [\"default\"]\n"+layout.text+profile, rows, prepare...)
		})
	}
}

func rowsOf(rows []row, a harness.Account) []row {
	var mine []row
	for _, r := range rows {
		if r.who == "" || r.who == a.Name {
			mine = append(mine, r)
		}
	}
	return mine
}

// controlled does the denied rows, or their controls, outside.
func controlled(t *testing.T, a harness.Account, rows []row, prepare []func(t *testing.T, l *launcher)) {
	t.Helper()
	settings := a.Settings(t)
	w := newWorld(t, settings[len(settings)-1])
	for _, p := range prepare {
		p(t, &launcher{world: w})
	}
	var all []inside.Row
	for _, r := range rows {
		do := r.control
		if do == "" {
			do = r.do
		}
		if r.denied != "" && do != none {
			all = append(all, inside.Row{Name: r.name, Do: do})
		}
	}
	c := exec.Command(filepath.Join(w.programs, inside.Name), "rows")
	c.Dir, c.Env, c.Stdin, c.Stderr = w.Project, harness.With(w.environment(), "TMPDIR=/tmp"), w.job(t, all), os.Stderr
	c.ExtraFiles = w.descriptors(t)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	w.Become(c)
	output, err := c.Output()
	if err != nil {
		t.Fatalf("outside: %v", err)
	}
	for name, r := range decode(t, output) {
		if r.Status != 0 {
			t.Errorf("%s: the control failed outside, so that the row proves nothing: status %d: %s", name, r.Status, r.Output)
		}
	}
}

// descriptors are what is left open: 7 is the directory outside.
func (w world) descriptors(t *testing.T) []*os.File {
	t.Helper()
	d, err := os.Open(w.Outside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return []*os.File{nil, nil, nil, nil, d}
}

// job is what the program for inside reads.
func (w world) job(t *testing.T, rows []inside.Row) *bytes.Reader {
	t.Helper()
	data, err := json.Marshal(inside.Job{Dir: w.Project, Env: w.names(), Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(data)
}

// rows does rows inside.
func (l launcher) rows(t *testing.T, rows []row) map[string]inside.Result {
	t.Helper()
	var all []inside.Row
	for _, r := range rows {
		all = append(all, inside.Row{Name: r.name, Do: r.do})
	}
	l.Files = l.descriptors(t)
	r := l.RunWith(t, l.job(t, all), filepath.Join(l.programs, inside.Name), "rows")
	if r.Status != 0 {
		t.Fatalf("inside: status %d\n%s", r.Status, r.Stderr)
	}
	if r.Stderr != "" {
		t.Errorf("the launcher said: %s", r.Stderr)
	}
	return decode(t, []byte(r.Stdout))
}

func decode(t *testing.T, data []byte) map[string]inside.Result {
	t.Helper()
	var results []inside.Result
	if err := json.Unmarshal(data, &results); err != nil {
		t.Fatalf("%v: %q", err, data)
	}
	named := map[string]inside.Result{}
	for _, r := range results {
		named[r.Name] = r
	}
	return named
}

// judge compares what became of the rows with what had to.
func judge(t *testing.T, rows []row, results map[string]inside.Result) {
	t.Helper()
	for _, r := range rows {
		got, ok := results[r.name]
		said := regexp.MustCompile("(?s)" + r.denied + r.says).MatchString(strings.TrimSpace(got.Output))
		switch {
		case !ok:
			t.Errorf("%s: has no result", r.name)
		case r.denied == "" && got.Status != 0:
			t.Errorf("%s: must work, but ends with %d: %s", r.name, got.Status, got.Output)
		case r.denied != "" && got.Status == 0:
			t.Errorf("%s: must be refused, but works: %s", r.name, got.Output)
		case !said:
			t.Errorf("%s: says %q, and not %q", r.name, got.Output, r.denied+r.says)
		}
	}
}
