package readmetest

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/problem"
	"bwrapgen/profiles"
)

// TestToolKeys compares the tables of keys with the reader of tool files: all
// that it knows, and no others, as far as the tools that are built in use them.
func TestToolKeys(t *testing.T) {
	d := read(t, "profiles/README.md")
	d.lines = d.lines[:slices.Index(d.lines, "## Reference")]
	rows := d.rows(regexp.MustCompile(`^[a-z-]+$`))
	var listed []string
	for _, r := range rows {
		for _, found := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(strings.Split(r.cells[0], " | ")[0], -1) {
			listed = append(listed, found[1])
		}
	}
	for _, key := range listed {
		if !slices.Contains(builtin(t), key) && !knownToTools(key) {
			t.Errorf("profiles/README.md: a tool's file has no key %q", key)
		}
	}
	for _, key := range used(t) {
		if !slices.Contains(listed, key) {
			t.Errorf("profiles/README.md: the tools use the key %q, which the table lacks", key)
		}
	}
}

// builtin are the profiles, which have a table of their own.
func builtin(t *testing.T) []string {
	t.Helper()
	files, err := profiles.FS.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".toml"); ok {
			names = append(names, name)
		}
	}
	return names
}

// knownToTools asks for a problem with the value of a key, not with its name:
// at the top of a file, or somewhere in an entry.
func knownToTools(key string) bool {
	texts := []string{key + " = 1"}
	for _, list := range []string{"toolchain", "caches", "config", "read", "state", "sockets", "endpoints"} {
		texts = append(texts, list+" = [{ "+key+" = 1 }]")
	}
	texts = append(texts, "set = { NAME = { "+key+" = 1 } }")
	return slices.ContainsFunc(texts, func(text string) bool {
		_, err := catalogue.Check("tool.toml", []byte(text))
		var problems problem.List
		return err == nil || errors.As(err, &problems) && !strings.Contains(problems.Error(), "unknown key")
	})
}

// used lists the keys of all tools' files, and those of their entries.
func used(t *testing.T) []string {
	t.Helper()
	tools, err := profiles.FS.ReadDir("tools")
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, f := range tools {
		text, err := profiles.FS.ReadFile("tools/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)(?:^|[{,] )([a-z-]+) *= `).FindAllStringSubmatch(string(text), -1) {
			keys = append(keys, found[1])
		}
	}
	return unique(keys)
}

// TestProfiles looks for every built-in profile in the table.
func TestProfiles(t *testing.T) {
	d := read(t, "profiles/README.md")
	same(t, "profiles", words(d.rows(regexp.MustCompile(`^(`+strings.Join(builtin(t), "|")+`)$`))), builtin(t))
}
