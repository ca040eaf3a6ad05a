package gen

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestAppendTree: fmt is the judge of what a tree prints.
func TestAppendTree(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `null`, `"a b"`, `""`, `[null, true, 1, -0.5, 1e30, ["x", [], {}]]`,
		`{"b": {"z": "ü", "a": [1, 2]}, "a": "<&>", "": null, "c": [{"x": 1}, {"y": false}]}`,
	} {
		var tree any
		if err := json.Unmarshal([]byte(text), &tree); err != nil {
			t.Fatal(err)
		}
		if got, want := string(appendTree(nil, tree)), fmt.Sprint(tree); got != want {
			t.Errorf("%s prints %q, fmt %q", text, got, want)
		}
	}
}
