package plan

import (
	"slices"
	"testing"

	"bwrapgen/gen/expr"
)

func TestAncestors(t *testing.T) {
	tests := []struct {
		top, bottom string
		want        []string
	}{
		{"/w", "/w/a/b/c", []string{"/w/a", "/w/a/b"}},
		{"/w", "/w/a", nil},
		{"/w", "/w", nil},
		{"/w", "/wide/a/b", nil},
		{"~/w", "/w/a/b", nil},
		{"~", "~/a/b", []string{"~/a"}},
		{"${A:-/w}", "${A:-/w}/a/b", []string{"${A:-/w}/a"}},
		{"${A:-/w}", "${B:-/w}/a/b", nil},
	}
	for _, test := range tests {
		var got []string
		for _, p := range ancestors(expr.MustParse(test.top), expr.MustParse(test.bottom)) {
			got = append(got, p.String())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("ancestors(%q, %q) = %q, want %q", test.top, test.bottom, got, test.want)
		}
	}
}

// TestBelow: where a variable is set, what it leads to lies below what it moves.
func TestBelow(t *testing.T) {
	for _, test := range []struct {
		path, top string
		want      bool
	}{
		{"/w/a", "/w", true},
		{"/w", "/w", false},
		{"$A/a", "${A:-/w}", true},
		{"$A/a", "$A", true},
		{"$A/a", "${B:-/w}", false},
		{"$A/a", "/w", false},
		{"${A:-/v}/a", "${A:-/w}", false},
		{"${A:-/w}/a", "$A", false}, // without the variable it lies elsewhere
	} {
		if got := leadsBelow(expr.MustParse(test.path), expr.MustParse(test.top)); got != test.want {
			t.Errorf("leadsBelow(%q, %q) = %v", test.path, test.top, got)
		}
	}
}

// A directory that is writable is bound again over the pins, so that they are
// buried: no rename or link inside it crosses a mount.
func TestPin(t *testing.T) {
	path := expr.MustParse
	pinned := pin(Mounts{
		{Op: Bind, Scope: ScopeOutside, Source: path("/w"), Target: path("/w")},
		{Op: ROBind, Scope: ScopeOutside, Source: path("/w/a/b"), Target: path("/w/a/b")},
	}, Mounts{{Op: Mask, Scope: ScopeMask, Target: path("/w/a/c/d")}})
	var got []string
	for _, m := range pinned {
		got = append(got, m.Flag()+" "+m.Target.String())
	}
	want := []string{
		"--bind /w", "--ro-bind-try /w/a", "--ro-bind-try /w/a/c", "--bind /w", "--ro-bind /w/a/b",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
