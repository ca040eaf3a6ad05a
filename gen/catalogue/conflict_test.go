package catalogue

import (
	"slices"
	"testing"

	"bwrapgen/gen/expr"
)

func TestConflicts(t *testing.T) {
	c := load(t, map[string]string{"x.toml": `
about   = "X."
secrets = ["${X_HOME:-~/.x}/token", "~/.key*"]
config  = ["~/.xrc"]
sockets = ["$XDG_RUNTIME_DIR/x", "~/.[x]/*/s"]
`})
	moved := map[string]string{"X_HOME": "/data"}
	tests := []struct {
		at   string
		env  map[string]string
		want []string
	}{
		{"/home/u/.x/token", nil, []string{"~/.x/token"}},
		{"/home/u/.x/token/below", nil, []string{"~/.x/token"}},
		{"/home/u/.x", nil, []string{"~/.x/token"}},
		{"/home/u/.x/toke", nil, nil},
		{"/home/u/.x/token2", nil, nil},
		{"/data", nil, nil},
		{"/data", moved, []string{"$X_HOME/token"}},
		{"/home/u/.x", moved, []string{"~/.x/token"}}, // the old place still counts
		{"/home/u/.keys", nil, []string{"~/.key*"}},
		{"/home/u/.keys/a", nil, []string{"~/.key*"}},
		{"/home/u/akey", nil, nil},
		{"/run/user/1000", nil, []string{"/run/user/*/x"}},
		{"/run/user/1000/y", nil, nil},
		{"/home/u/.[x]/1/s", nil, []string{"~/.[x]/*/s"}},
		{"/home/u/.x/1/s", nil, nil}, // brackets are no pattern
		{"/home/u/.xrc", nil, []string{"~/.xrc"}},
		{"/home/u", nil, []string{"~/.[x]/*/s", "~/.key*", "~/.x/token", "~/.xrc"}},
		{"/", nil, []string{"/run/user/*/x", "~/.[x]/*/s", "~/.key*", "~/.x/token", "~/.xrc"}},
	}
	for _, test := range tests {
		var got []string
		for _, s := range c.Sensitive(expr.Env{Home: "/home/u", Lookup: test.env}, unlinked).Conflicts(test.at) {
			got = append(got, s.Path.String())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("Conflicts(%q, %v) = %q, want %q", test.at, test.env, got, test.want)
		}
	}
}

// unlinked knows of no links.
func unlinked(Secret) (string, bool) { return "", false }
