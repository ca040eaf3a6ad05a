package matrixtest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// accounts are the users of a userland.
var accounts = map[string]string{"root": "root", "user": "bwrapgen-test"}

// userland is where one is, if it was made.
func userland(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(os.Getenv("BWRAPGEN_USERLANDS"), name)
	if _, err := os.Stat(dir + "/.stamp"); err != nil || !filepath.IsAbs(dir) {
		harness.Unable(t, "there is no userland "+dir+"; make it with .ci/userland, and name its folder in BWRAPGEN_USERLANDS")
	}
	return dir
}

// report is what the judge finds on the machine.
func (m Machine) report(t *testing.T, dir, user string) Report {
	t.Helper()
	root := userland(t, m.Userland)
	words := []string{root, accounts[user], "--share", dir + "=" + visible, "--prepare", m.script(dir, filepath.Dir(root)), "--"}
	words = append(append(words, m.Within...), visible+"/judge", "check", m.Project)
	words = append(words, m.Starter...)
	var stdout, stderr bytes.Buffer
	c := exec.Command("../../.ci/enter", words...)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var r Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s%s", err, stdout.String(), stderr.String())
	}
	for name, l := range r.Launchers {
		l.Refusal = general(l.Refusal)
		r.Launchers[name] = l
	}
	return r
}

// script prepares the userland.
func (m Machine) script(dir, userlands string) string {
	return lines(
		"set -euo pipefail",
		"userlands="+quoted(userlands)+" project="+quoted(m.Project),
		"[[ -n $project ]] || project=$home/code/p",
		"world() { "+quoted(dir+"/judge")+` world "$root$home" "$root$project" "$uid" "$gid"; }`,
		"world",
		m.Prepare,
	)
}

var store = regexp.MustCompile(`-%2F[^/ "]*`)

// general replaces what differs from user to user.
func general(words string) string {
	words = strings.NewReplacer("/home/bwrapgen-test", "~", "/root", "~").Replace(words)
	return store.ReplaceAllString(words, "-#")
}
