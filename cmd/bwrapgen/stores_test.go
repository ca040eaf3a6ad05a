package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNotes: a note is read as both formats have it. One that is cut, unclear or no regular file tells nothing,
// and its store is not gone.
func TestNotes(t *testing.T) {
	long := strings.Repeat("/"+strings.Repeat("x", 250), 16)
	for _, test := range []struct{ text, launcher, project string }{
		{"/l\x00/p\x00", "/l", "/p"},
		{"/l\n\x00/p\nq \x00", "/l\n", "/p\nq "},
		{"/\xff\x00/a -> b\x00", "/\xff", "/a -> b"},
		{"/l\x00" + long + "\x00", "/l", long},
		{"/l\n/p\n", "/l", "/p"},
		{"/l\n/p q \n", "/l", "/p q "},
		{"\x00/p/.git\x00", "", "/p/.git"},
		{"\x00/p", "", ""},
		{"", "", ""},
		{"/l\n/p\nq\n", "", ""},
		{"/l\nm\n/p\n", "", ""},
		{"/l\n/p", "", ""},
		{"/l\n", "", ""},
		{"/l\x00/p", "", ""},
		{"/l\x00", "", ""},
		{"/l\x00/p\x00/q\x00", "", ""},
		{"l\x00/p\x00", "", ""},
		{"/l\x00p\x00", "", ""},
		{"/l\x00\x00", "", ""},
		{"/l\x00/" + strings.Repeat("x", mostNote) + "\x00", "", ""},
	} {
		s := store{dir: t.TempDir()}
		if err := os.WriteFile(filepath.Join(s.dir, "about"), []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if s.look(); s.launcher != test.launcher || s.project != test.project {
			t.Errorf("%.40q is read as %.40q, %.40q", test.text, s.launcher, s.project)
		}
		if isKept := s.gone() == ""; isKept != (test.project == "") || s.isUnknown() != isKept {
			t.Errorf("%.40q: gone: %q", test.text, s.gone())
		}
	}
	for what, put := range map[string]func(name string) error{
		"a pipe":      func(name string) error { return unix.Mkfifo(name, 0o600) },
		"a directory": func(name string) error { return os.Mkdir(name, 0o700) },
		"a link":      func(name string) error { return os.Symlink("/etc/passwd", name) },
		"no note":     func(string) error { return nil },
		"a sparse file": func(name string) error {
			f, err := os.Create(name)
			if err == nil {
				err = f.Truncate(1 << 40)
			}
			return err
		},
	} {
		s := store{dir: t.TempDir()}
		if err := put(filepath.Join(s.dir, "about")); err != nil {
			t.Fatal(err)
		}
		if s.look(); !s.isUnknown() || s.gone() != "" {
			t.Errorf("%s: gone: %q", what, s.gone())
		}
	}
}
