package problem_test

import (
	"testing"

	"bwrapgen/gen/problem"
)

// TestList: each problem has a line with its place, and another for its hint.
func TestList(t *testing.T) {
	ps := problem.List{
		{File: "a b.toml", Line: 7, Key: "network.mode", What: "wrong", Hint: "write right"},
		{File: "a\nb", What: "gone"},
		problem.New("nowhere", "look").At("", 0, "key"),
	}
	want := "a b.toml:7: network.mode: wrong\nhint: write right\n\"a\\nb\": gone\nkey: nowhere\nhint: look"
	if got := ps.Error(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
