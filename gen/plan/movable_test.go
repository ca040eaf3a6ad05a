package plan

import (
	"slices"
	"testing"
)

// TestMovable: what the launcher judges of variables, by what the profile lists. Where
// that is something, it judges those of the session, too.
func TestMovable(t *testing.T) {
	for text, want := range map[string][]string{
		`filesystem.read = ["~/x"]`:                                         {"VAULT_HOME/"},
		`filesystem.read = ["~/x/token"]`:                                   {"VAULT_HOME/", "VAULT_HOME/token"},
		`filesystem.read = ["~/token/x"]`:                                   {"VAULT_HOME/", "VAULT_HOME/token"},
		`filesystem.read = ["~/tokens"]`:                                    {"VAULT_HOME/"},
		`filesystem.overlay = ["~/x"]`:                                      {"VAULT_HOME/"},
		`filesystem.read = ["/usr"]`:                                        nil,
		`filesystem.empty = ["~/x"]`:                                        nil,
		`filesystem.credential = [{ path = "~/x", at = "~/y", why = "w" }]`: nil,
		`filesystem.read = ["~/x", { path = "~/.vault/token", why = "w" }]`: {},
		"filesystem.read = [\"~/x\"]\nfilesystem.overlay = [{ path = \"~/.vault/token\", why = \"w\" }]": {},
		"filesystem.base = \"host\"\nhome.mode = \"host\"\nfilesystem.read = [\"~/x\"]":                  nil,
		"filesystem.base = \"host\"\nhome.mode = \"empty\"\nfilesystem.read = [\"~/x\"]":                 {"VAULT_HOME/"},
	} {
		p, err := built(t, text)
		if err != nil {
			t.Fatal(err)
		}
		if want != nil {
			want = slices.Sorted(slices.Values(slices.Concat(want, addresses)))
		}
		if !slices.Equal(p.Hidden.Movable, want) {
			t.Errorf("%s: %q, want %q", text, p.Hidden.Movable, want)
		}
	}
}
