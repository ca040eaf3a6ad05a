package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWordsAsTyped: the bytes of an argument arrive as they were typed, whether they are
// UTF-8 or not: an argument, one of several, and the values of flags.
func TestWordsAsTyped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "o\xffx")
	t.Setenv("HOME", dir)
	t.Chdir("/")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"p.toml": "extends = [\"base\"]\n", "h.json": "{\"version\": 1, \"home\": \"/home/u\"}\n"} {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"generate", at("p.toml"), "--host", at("h.json"), "-o", at("L")},
		{"generate", at("p.toml"), "--host=" + at("h.json"), "--output=" + at("M")},
		{"generate", at("p.toml"), "--project", dir, "-o", at("N")},
		{"explain", at("p.toml"), "/usr", at("x")},
		{"lint", at("L"), at("M")},
	} {
		var out, err bytes.Buffer
		if status := Do(args, strings.NewReader(""), &out, &err); status != 0 {
			t.Errorf("%q: status %d, %s%s", args, status, &out, &err)
		}
	}
	for _, name := range []string{"L", "M", "N"} {
		if _, err := os.Stat(at(name)); err != nil {
			t.Error(err)
		}
	}
}

// TestRemoved: an option that earlier versions had is refused with what to do instead; the same
// verb without it knows no such hint.
func TestRemoved(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	wanted := [][]string{ // of users' scripts
		{"diff", "default", "default", "--old-host", "h.json"}, {"diff", "default", "default", "--new-host=h.json"},
		{"explain", "default", "--format", "dot"}, {"lint", "box", "--format", "github"}, {"probe", "--json"},
		{"test", "default", "--format", "tap"}, {"test", "default", "--format=junit"},
	}
	if len(wanted) != len(removed) {
		t.Errorf("%d options were removed, and %d are tested", len(removed), len(wanted))
	}
	for _, args := range wanted {
		var out, err bytes.Buffer
		if status := Do(args, strings.NewReader(""), &out, &err); status != 2 || !strings.Contains(err.String(), "hint: removed in 0.1: ") || out.Len() > 0 {
			t.Errorf("%q: status %d, %s%s", args, status, &out, &err)
		}
	}
	for _, args := range [][]string{{"test", "default", "--format", "yaml"}, {"lint", "box", "--format", "yaml"}, {"probe", "--jsn"}} {
		var out, err bytes.Buffer
		if status := Do(args, strings.NewReader(""), &out, &err); status != 2 || strings.Contains(err.String(), "removed in 0.1") {
			t.Errorf("%q: status %d, %s%s", args, status, &out, &err)
		}
	}
}
