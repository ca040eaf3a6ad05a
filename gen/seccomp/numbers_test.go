package seccomp

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestNumbersCoverRules(t *testing.T) {
	named := map[string]bool{}
	for _, r := range rules() {
		named[r.Syscall] = true
		if numbers()[r.Syscall] == [columns]uint32{} {
			t.Errorf("%s has a rule but no number", r.Syscall)
		}
	}
	for name := range numbers() {
		if !named[name] {
			t.Errorf("%s has numbers but no rule", name)
		}
	}
}

// TestNumbersOfModule compares with the tables of golang.org/x/sys/unix, which
// has one for every architecture.
func TestNumbersOfModule(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil || len(strings.TrimSpace(string(dir))) == 0 {
		t.Skipf("golang.org/x/sys is not in the module cache: %v", err)
	}
	line := regexp.MustCompile(`^\s*SYS_(\w+)\s*= (\d+)$`)
	for column, arch := range []string{"amd64", "arm64", "386", "arm"} {
		file := filepath.Join(strings.TrimSpace(string(dir)), "unix", "zsysnum_linux_"+arch+".go")
		known := parse(t, file, line)
		for name, n := range numbers() {
			if got, want := n[column], known[name]; got != want {
				t.Errorf("%s on %s is %d, want %d", name, arch, got, want)
			}
		}
	}
}

// TestNumbersOfHeaders compares with the kernel headers of this machine. They
// may be older than the table, and then lack calls.
func TestNumbersOfHeaders(t *testing.T) {
	x86 := func(name string) []string {
		return []string{"/usr/include/x86_64-linux-gnu/asm/" + name, "/usr/include/asm/" + name}
	}
	line := regexp.MustCompile(`^#define __NR(?:3264)?_(\w+) (\d+)$`)
	tests := []struct {
		column int
		files  []string
	}{
		{0, x86("unistd_64.h")},
		{1, []string{"/usr/include/asm-generic/unistd.h"}},
		{2, x86("unistd_32.h")},
	}
	for _, test := range tests {
		known := parse(t, firstFile(t, test.files), line)
		checked := 0
		for name, n := range numbers() {
			want, ok := known[name]
			if !ok {
				continue
			}
			checked++
			if n[test.column] != want {
				t.Errorf("%s is %d, want %d as in %s", name, n[test.column], want, test.files[0])
			}
		}
		if len(known) > 0 && checked < 40 {
			t.Errorf("found only %d calls in %s", checked, test.files[0])
		}
	}
	x32 := parse(t, firstFile(t, x86("unistd_x32.h")), regexp.MustCompile(`^#define __NR_(\w+) \(__X32_SYSCALL_BIT \+ (\d+)\)$`))
	for name, want := range x32 {
		if numbers()[name][0] == 0 {
			continue
		}
		pair := machines["x86_64"].native.numbers(name, true)
		if got := pair[1]; got != x32Bit+want {
			t.Errorf("%s on x32 is %d, want %d", name, got-x32Bit, want)
		}
	}
}

// firstFile returns the first that exists, or "" and says so; where tests may not
// be left out, it fails.
func firstFile(t *testing.T, files []string) string {
	t.Helper()
	for _, file := range files {
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	if os.Getenv("BWRAPGEN_REQUIRE_SANDBOX") != "" || os.Getenv("CI") == "true" {
		t.Fatalf("there are no kernel headers to compare with: %s", files[0])
	}
	t.Logf("not checked, for lack of kernel headers: %s", files[0])
	return ""
}

// parse reads names, in lower case, and numbers.
func parse(t *testing.T, file string, line *regexp.Regexp) map[string]uint32 {
	t.Helper()
	if file == "" {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found := map[string]uint32{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		m := line.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		n, err := strconv.ParseUint(m[2], 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		found[strings.ToLower(m[1])] = uint32(n)
	}
	return found
}
