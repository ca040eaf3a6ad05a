package golden_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/BurntSushi/toml"

	"bwrapgen/gen/profile"
)

// TestKeys: every key of a profile stands in some case, so that a change of what
// it writes is seen.
func TestKeys(t *testing.T) {
	names, err := filepath.Glob("*/profile.toml")
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{"toolchains.files"} // of which cmd/bwrapgen makes tools before there is a plan
	for _, name := range names {
		var all map[string]any
		keys, err := toml.Decode(string(read(t, name)), &all)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys.Keys() {
			shown = append(shown, key.String())
		}
	}
	for _, key := range profile.Keys() {
		if !slices.Contains(shown, key) {
			t.Errorf("no case has %s", key)
		}
	}
}
