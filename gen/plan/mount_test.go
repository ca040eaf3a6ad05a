package plan

import "testing"

// TestNewScope: what a profile lists is refused and judged at launch in a scope, too, that
// nobody has thought of.
func TestNewScope(t *testing.T) {
	all := Mounts{
		{Scope: "new"}, {Scope: "new", Tool: "go"}, {Scope: ScopeSystem}, {Scope: ScopeMask}, {Scope: ScopeCredential}, {Scope: ScopeOutside},
	}
	got := all.ofProfile()
	if len(got) != 2 || got[0].Scope != "new" || got[1].Scope != ScopeOutside {
		t.Errorf("got %v", got)
	}
}
