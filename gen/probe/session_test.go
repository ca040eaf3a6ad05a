package probe_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"bwrapgen/gen/probe"
)

// TestSession: a socket is where the directories above it lead; a variable that holds
// no path leads nowhere.
func TestSession(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(root+"/real", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/real", root+"/link"); err != nil {
		t.Fatal(err)
	}
	variables := map[string]string{"A": "/link/sock", "B": "/gone/./sock", "C": "x"}
	h := probe.Host{Root: root, Getenv: func(name string) string { return variables[name] }}
	got := h.Session([]string{"A", "B", "C", "D"}, func(_, value string) (string, bool) { return value, strings.HasPrefix(value, "/") })
	if want := map[string]string{"A": "/real/sock", "B": "/gone/sock"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
