package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFollow(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		os.MkdirAll("a/b", 0o755),
		os.MkdirAll("c", 0o755),
		os.Symlink("../c", "a/c"),
		os.Symlink("a/b", "deep"),
		os.Symlink("../gone", "a/dangling"),
		os.Symlink(filepath.Join(here, "c/L"), "absolute"),
		os.Symlink("deep/../L", "up"),
		os.Symlink("loop", "loop"),
		os.WriteFile("file", nil, 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ name, want, wrong string }{
		{"L", "L", ""},
		{"./L", "L", ""},
		{"a/../L", "L", ""},
		{"a/c/L", "c/L", ""},
		{"deep/../L", "a/L", ""}, // as the kernel has it
		{"up", "a/L", ""},
		{"absolute", "c/L", ""},
		{"a/dangling", "gone", ""},
		{"loop", "", "too many links"},
		{"no/L", "", "there is no directory"},
		{"file/L", "", "not a directory"},
		{"a/", "", "is a directory"},
		{"a/..", "", "is a directory"},
	} {
		got, err := follow(test.name)
		switch {
		case test.wrong != "":
			if err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%s: got %q, %v, want an error with %q", test.name, got, err, test.wrong)
			}
		case err != nil || got != filepath.Join(here, test.want):
			t.Errorf("%s: got %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

// Whoever reads the file while it is written sees the old text or the new.
func TestWriteIsAtomic(t *testing.T) {
	name := filepath.Join(t.TempDir(), "L")
	texts := []string{strings.Repeat("a", 1<<20), strings.Repeat("b", 1<<20)}
	save := func(text string) {
		l, err := openTarget(name)
		if err == nil {
			err = l.writeLauncher([]byte(text))
		}
		if err != nil {
			t.Error(err)
		}
	}
	save(texts[0])
	done := make(chan bool)
	go func() {
		defer close(done)
		for i := range 20 {
			save(texts[i%2])
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != texts[0] && string(got) != texts[1] {
			t.Fatalf("got %d bytes of a mixture", len(got))
		}
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v beside the file", entries, err)
	}
}

func TestWriteFails(t *testing.T) {
	l := target{name: "L", path: filepath.Join(t.TempDir(), "gone", "L")}
	err := l.writeLauncher([]byte("x"))
	if err == nil || err.Error() != `cannot write "L": no such file or directory` {
		t.Errorf("got %v", err)
	}
}
