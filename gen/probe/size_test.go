package probe_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"bwrapgen/gen/host"
	"bwrapgen/gen/probe"
)

func TestSizes(t *testing.T) {
	root := tree(t, "/c/a = 12345", "/c/d/b = 123", "/c/big -> /elsewhere", "/elsewhere = 1234567890", "/l -> c", "/dead -> none", "/e/")
	f := ask(t, on(root), host.Question{Sizes: exprs("/c", "/l", "/c/a", "/dead", "/e", "/none"), Paths: exprs("/elsewhere")})
	for name, want := range map[string]int64{"/c": 8, "/l": 8, "/c/a": 5, "/dead": 0, "/e": 0, "/elsewhere": 0} {
		if got := f.Paths[name]; got.Size != want || got.Bound {
			t.Errorf("%s: got %+v, want %d", name, got, want)
		}
	}
	if _, ok := f.Paths["/none"]; ok {
		t.Error("/none is there")
	}
}

func TestSizeIsBounded(t *testing.T) {
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("/%d = 1", i))
	}
	root := tree(t, names...)
	for _, test := range []struct {
		name  string
		limit probe.Limit
		bound bool
	}{
		{"enough", probe.Limit{Entries: 21, Time: time.Minute}, false},
		{"entries", probe.Limit{Entries: 20, Time: time.Minute}, true},
		{"time", probe.Limit{Entries: 100}, true},
		{"zero", probe.Limit{}, true},
	} {
		size, bound := probe.Size(context.Background(), root, test.limit)
		if bound != test.bound || size > 20 || !bound && size != 20 {
			t.Errorf("%s: got %d, %v", test.name, size, bound)
		}
	}
}
