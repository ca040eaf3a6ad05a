package probe_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/probe"
)

// tree makes a host below a temporary directory. A name that ends in a slash
// is a directory; "a -> b" is a link; "a = text" a file, "a! = text" a program.
func tree(t testing.TB, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		if err := grow(root, name); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func grow(root, name string) error {
	if dir, ok := strings.CutSuffix(name, "/"); ok {
		return os.MkdirAll(root+dir, 0o755)
	}
	at, rest, isLink := strings.Cut(name, " -> ")
	at, text, _ := strings.Cut(at, " = ")
	at, isProgram := strings.CutSuffix(at, "!")
	if err := os.MkdirAll(filepath.Dir(root+at), 0o755); err != nil {
		return err
	}
	if isLink {
		return os.Symlink(rest, root+at)
	}
	mode := os.FileMode(0o644)
	if isProgram {
		mode = 0o755
	}
	return os.WriteFile(root+at, []byte(text), mode)
}

// on is a host with that root and those variables; HOME is /home/u.
func on(root string, variables ...string) probe.Host {
	return probe.Host{Root: root, Getenv: func(name string) string {
		for _, v := range append(variables, "HOME=/home/u") {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}}
}

func ask(t testing.TB, h probe.Host, q host.Question) host.Facts {
	t.Helper()
	f, err := h.Facts(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func exprs(texts ...string) []expr.Path {
	var all []expr.Path
	for _, text := range texts {
		all = append(all, expr.MustParse(text))
	}
	return all
}
