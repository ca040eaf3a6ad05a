package probe

import (
	"path"
	"testing"
)

// TestMatcher: a marker means what path.Match says that it means.
func TestMatcher(t *testing.T) {
	names := []string{"", "a", "ab", "aa", "aba", "a.b", ".b", "x.csproj", "csproj", ".csproj", "a*", "a b.csproj", "äb", "[a]"}
	for _, marker := range []string{"*", "*.csproj", "a*", "a*a", "*b", "a.*.b", "**", "*[a]", `*\a`, "?*"} {
		for _, name := range names {
			want, _ := path.Match(marker, name)
			if got := matcher(marker)(name); got != want {
				t.Errorf("%q for %q: %v, want %v", marker, name, got, want)
			}
		}
	}
}
