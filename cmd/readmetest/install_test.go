package readmetest

import (
	"bytes"
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestInstall: make install puts program, manual and completions below PREFIX, and make
// uninstall leaves none of them, but what others have there.
func TestInstall(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "a prefix")
	environment := append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=", "DESTDIR=")
	run(t, root, environment, "make", "install", "PREFIX="+prefix)
	for _, name := range []string{
		"bin/bwrapgen", "share/man/man1/bwrapgen.1", "share/man/man5/bwrapgen.toml.5", "share/man/man7/launcher.7",
		"share/bash-completion/completions/bwrapgen", "share/zsh/site-functions/_bwrapgen",
		"share/fish/vendor_completions.d/bwrapgen.fish", "share/doc/bwrapgen/CHANGELOG.md",
	} {
		if info, err := os.Stat(filepath.Join(prefix, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is not there, or is empty: %v", name, err)
		}
	}
	manPages(t, filepath.Join(prefix, "share", "man"))
	if said := run(t, root, environment, prefix+"/bin/bwrapgen", "--version"); !strings.HasPrefix(said, "bwrapgen ") {
		t.Errorf("the program says %q", said)
	}
	other := filepath.Join(prefix, "bin", "other")
	if err := os.WriteFile(other, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, root, environment, "make", "uninstall", "PREFIX="+prefix)
	if left := filesBelow(t, prefix); len(left) != 1 || left[0] != other {
		t.Errorf("left is %q", left)
	}
}

// manPages wants pages that man understands, with examples that fit on a screen of 80 columns.
func manPages(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("groff"); err != nil {
		harness.Unable(t, "groff is not in PATH")
	}
	for _, page := range filesBelow(t, dir) {
		text := string(contents(t, page))
		for _, want := range []string{".TH ", ".SH ", "\\fB"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: has no %q", page, want)
			}
		}
		groff := exec.Command("groff", "-man", "-Tascii", "-ww", "-rLL=78n", "-P-cbou", page)
		out, err := groff.Output()
		if err != nil {
			t.Errorf("%s: %v", page, err)
		}
		for line := range strings.Lines(string(out)) {
			if len(strings.TrimRight(line, "\n")) > 80 {
				t.Errorf("%s: more than 80 columns: %s", page, line)
			}
		}
	}
}

func filesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDist: packages of one commit are the same each time, to the byte, and hold a program
// of their architecture that needs no library.
func TestDist(t *testing.T) {
	if !harness.Whole() {
		t.Skip("make test whole=1 makes packages: nfpm has to be built")
	}
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	for _, dir := range []string{first, second} {
		run(t, root, os.Environ(), ".ci/dist", dir)
	}
	run(t, first, os.Environ(), "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	made := filesBelow(t, first)
	if len(made) != 7 {
		t.Errorf("two archives, two packages for each of two kinds, and checksums are not %q", made)
	}
	for _, name := range made {
		if !bytes.Equal(contents(t, name), contents(t, filepath.Join(second, filepath.Base(name)))) {
			t.Errorf("%s is another one the second time", filepath.Base(name))
		}
	}
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		for _, kind := range []string{".deb", ".tar.gz"} {
			found, err := filepath.Glob(filepath.Join(first, "*"+arch+kind))
			if err != nil || len(found) != 1 {
				t.Fatalf("%s for %s: %q, %v", kind, arch, found, err)
			}
			dir := t.TempDir()
			unpack := []string{"dpkg-deb", "--extract", found[0], dir}
			if kind == ".tar.gz" {
				unpack = []string{"tar", "--extract", "--file", found[0], "--directory", dir, "--strip-components=1"}
			}
			run(t, root, os.Environ(), unpack...)
			program := filepath.Join(dir, "bin/bwrapgen")
			if kind == ".deb" {
				program = filepath.Join(dir, "usr/bin/bwrapgen")
			}
			static(t, program, machine)
		}
	}
}

func contents(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// static wants a program of a machine that no other file belongs to. What runs here has
// to run.
func static(t *testing.T, program string, machine elf.Machine) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	if f.Machine != machine || len(libraries) > 0 || err != nil {
		t.Errorf("%s: %v, needs %q: %v", program, f.Machine, libraries, err)
	}
	here, err := elf.Open("/proc/self/exe")
	if err != nil || here.Machine != machine {
		return
	}
	if out, err := exec.Command(program, "--version").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
