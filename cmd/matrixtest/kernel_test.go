//go:build kernels

package matrixtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestKernels starts the launchers under the kernels of other releases, in virtual
// machines: make kernels does, and CI has not the time.
func TestKernels(t *testing.T) {
	var lock sync.Mutex
	versions := map[string]string{}
	t.Run("on", func(t *testing.T) {
		for _, k := range Kernels() {
			t.Run(k.Name, func(t *testing.T) {
				t.Parallel()
				version, reports := k.boot(t)
				for _, user := range []string{"root", "user"} {
					Machine{Refuses: k.Refuses[user]}.compare(t, reports[user])
				}
				lock.Lock()
				defer lock.Unlock()
				versions[k.Name] = version + " | " + number.FindString(reports["user"].Bwrap)
			})
		}
	})
	if *update && !t.Failed() {
		writeKernels(t, versions)
	}
}

// boot gives the version of the kernel, and what the judge finds under it.
func (k Kernel) boot(t *testing.T) (version string, reports map[string]Report) {
	t.Helper()
	built, arch := k.Userland+"+kernel", "amd64"
	if k.Arch != "" {
		built, arch = built+"+"+k.Arch, k.Arch
	}
	dir := launchersFor(t, arch)
	if err := os.WriteFile(filepath.Join(dir, "run"), []byte(k.Script()), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	c := exec.Command("../../.ci/kernel", userland(t, built), dir)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	said := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if len(said) != 3 {
		t.Fatalf("the machine says %q, %s", said, stderr.String())
	}
	reports = map[string]Report{}
	for i, user := range []string{"root", "user"} {
		var r Report
		if err := json.Unmarshal([]byte(said[i+1]), &r); err != nil {
			t.Fatalf("%v: %s", err, said[i+1])
		}
		for name, l := range r.Launchers {
			l.Refusal = general(l.Refusal)
			r.Launchers[name] = l
		}
		reports[user] = r
	}
	return said[0], reports
}

// writeKernels writes the table of the README.md beside it; versions are by the kernel's name.
func writeKernels(t *testing.T, versions map[string]string) {
	t.Helper()
	table := []string{"", "| machine | kernel | bubblewrap | as | works | refuses |", "| --- | --- | --- | --- | --- | --- |"}
	for _, k := range Kernels() {
		for _, user := range []string{"root", "user"} {
			r := k.Row(user)
			table = append(table, fmt.Sprintf("| %s | %s | %s | %s | %s |", r.Name, versions[k.Name], r.Users, r.Works, r.Refuses))
		}
	}
	between(t, "<!-- make kernels writes this table -->", "<!-- the kernels end here -->", table)
}
