package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkGenerate makes a launcher with all tools of the catalogue, with all
// that belongs to it: profile, catalogue, probe, plan and script.
func BenchmarkGenerate(b *testing.B) {
	dir := b.TempDir()
	b.Chdir(dir)
	var list bytes.Buffer
	if status := Do([]string{"catalogue", "list"}, nil, &list, os.Stderr); status != 0 {
		b.Fatal(status)
	}
	var names []string
	for line := range strings.Lines(list.String()) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, strconv.Quote(name))
	}
	file := filepath.Join(dir, "all.toml")
	text := "extends = [\"default\"]\n[toolchains]\nuse = [" + strings.Join(names, ", ") + "]\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if status := Do([]string{"generate", file}, nil, io.Discard, os.Stderr); status != 0 {
			b.Fatal(status)
		}
	}
}
