package matrixtest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

var (
	all    = flag.Bool("all", false, "judge on every machine, not only on those of the cut")
	update = flag.Bool("update", false, "with -all: write the table of the README.md beside it anew")
)

// TestMatrix starts the launchers on every machine. Of the cut, the oldest machine is for
// root and the user, who take turns in the others.
func TestMatrix(t *testing.T) {
	dir := launchers(t)
	var lock sync.Mutex
	versions := map[string]string{}
	t.Run("on", func(t *testing.T) {
		for i, m := range tried() {
			users := m.Users()
			if i > 0 && !*all {
				users = users[i%len(users):][:1]
			}
			for _, user := range users {
				t.Run(m.Name+"/"+user, func(t *testing.T) {
					t.Parallel()
					r := m.report(t, dir, user)
					m.compare(t, r)
					lock.Lock()
					defer lock.Unlock()
					versions[m.Name] = r.versions()
				})
			}
		}
	})
	if *all && *update && !t.Failed() {
		write(t, versions)
	}
}

// tried are all machines, or those of the cut.
func tried() []Machine {
	return slices.DeleteFunc(Machines(), func(m Machine) bool { return !*all && !m.Cut })
}

// TestJudge has the judge look at a launcher that makes no sandbox: it must find
// fault with all that a sandbox is for.
func TestJudge(t *testing.T) {
	dir := directory(t)
	for _, name := range Launchers() {
		executable(t, filepath.Join(dir, name), []byte("#!/bin/bash -p\n[[ ${1-} != --sandbox-* ]] || exit 1\nexec \"$@\"\n"))
	}
	problems := map[string]bool{}
	for _, l := range Machines()[0].report(t, dir, "user").Launchers {
		for check := range l.Problems {
			problems[check] = true
		}
	}
	for _, check := range []string{
		"secret", "outside", "project", "hooks", "caches", "environment", "network", "temporary files", "nothing left behind", "timeout", "system calls",
		"unknown option", "--sandbox-help", "--sandbox-print", "--sandbox-explain", "--sandbox-doctor", "--sandbox-digest",
	} {
		if !problems[check] {
			t.Errorf("the judge finds no fault with %q", check)
		}
	}
}

// launchers is a directory with all launchers and the judge, a program of this
// machine's architecture.
func launchers(t *testing.T) string {
	t.Helper()
	return launchersFor(t, runtime.GOARCH)
}

// launchersFor has the judge for another one, as Go calls it.
func launchersFor(t *testing.T, arch string) string {
	t.Helper()
	dir := directoryFor(t, arch)
	for _, name := range Launchers() {
		script, err := Script(name)
		if err != nil {
			t.Fatal(err)
		}
		executable(t, filepath.Join(dir, name), script)
	}
	return dir
}

// directory is one that everybody can read, with the judge.
func directory(t *testing.T) string {
	t.Helper()
	return directoryFor(t, runtime.GOARCH)
}

func directoryFor(t *testing.T, arch string) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "bwrapgen-matrix-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, "judge"), "./judge")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOARCH="+arch) // without any library of the machine
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

func executable(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o755); err != nil {
		t.Fatal(err)
	}
}

// compare holds what was found against what is known of the machine.
func (m Machine) compare(t *testing.T, r Report) {
	t.Helper()
	for _, name := range Launchers() {
		got := r.Launchers[name]
		if want := m.Refusal(name); got.Refusal != want {
			t.Errorf("%s: refuses with %q, not %q", name, got.Refusal, want)
		}
		for _, check := range slices.Sorted(maps.Keys(got.Problems)) {
			t.Errorf("%s: %s: %s", name, check, got.Problems[check])
		}
	}
}

// quoted is a word for bash.
func quoted(word string) string { return fmt.Sprintf("'%s'", strings.ReplaceAll(word, "'", `'\''`)) }
