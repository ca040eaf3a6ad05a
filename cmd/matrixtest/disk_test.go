//go:build kernels

package matrixtest

import (
	"bytes"
	_ "embed" // the script
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

//go:embed disks.bash
var onDisks string

// diskScript is what root runs in the virtual machine.
func diskScript() string {
	script := []string{onDisks}
	for _, d := range Disks() {
		words := []string{"try", quoted(d.Name), quoted(d.Users()), quoted(d.Mount)}
		tried := d.Tried()
		for _, place := range slices.Sorted(maps.Keys(tried)) {
			for _, launcher := range tried[place] {
				words = append(words, place+"="+launcher)
			}
		}
		script = append(script, strings.Join(words, " "))
	}
	return lines(script...)
}

// TestDisks starts launchers on file systems that this machine's kernel may not
// have, in a virtual machine: make kernels does.
func TestDisks(t *testing.T) {
	dir := launchers(t)
	for _, name := range []string{"disk", "review"} {
		script, err := Script(name)
		if err != nil {
			t.Fatal(err)
		}
		executable(t, filepath.Join(dir, name), script)
	}
	if err := os.WriteFile(filepath.Join(dir, "run"), []byte(diskScript()), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	c := exec.Command("../../.ci/kernel", userland(t, "trixie+kernel+disks"), dir)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	if stdout.Len() == 0 {
		t.Fatalf("the machine says nothing: %s", stderr.String())
	}
	said := map[string][]string{}
	for line := range strings.Lines(stdout.String()) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		said[strings.Join(fields[:min(5, len(fields))], "|")] = fields
	}
	for _, d := range Disks() {
		for _, user := range strings.Fields(d.Users()) {
			for _, engine := range []string{"bin", "old"} {
				for place, names := range d.Tried() {
					for _, launcher := range names {
						key := strings.Join([]string{d.Name, user, engine, place, launcher}, "|")
						t.Run(key, func(t *testing.T) { d.compare(t, place, launcher, said[key]) })
					}
				}
			}
		}
	}
	if t.Failed() {
		t.Log(stdout.String(), stderr.String())
	}
}

// compare looks at how a start ended.
func (d Disk) compare(t *testing.T, place, launcher string, said []string) {
	if len(said) != 9 {
		t.Fatalf("the machine says %q", said)
	}
	status, words, host, left := said[5], said[6], said[7], said[8]
	changed := place == "project" || launcher == "review"
	refusal := d.Refusal(place, launcher)
	switch {
	case refusal == "":
		if status != "0" || !strings.HasPrefix(words, "host b d f ") || !strings.HasSuffix(words, "host x made") {
			t.Errorf("status %s: %s", status, words)
		}
	case status != "125" || !strings.Contains(words, refusal) || !strings.Contains(words, ": hint: "):
		t.Errorf("status %s: %s, want %q", status, words, refusal)
	}
	want := "host old"
	if changed && refusal == "" {
		want = "host x made"
	}
	if host != want || left != "" {
		t.Errorf("the host has %q, want %q; left is %q", host, want, left)
	}
}
