package plan

import (
	"slices"
	"testing"
)

// TestLateParentsFirst: of what is mounted after a view, parents come before children,
// also where the host base would show the parent anyway. Else the parent would cover what
// the profile has writable in it.
func TestLateParentsFirst(t *testing.T) {
	p, err := built(t, `
home.mode = "host"
[filesystem]
base    = "host"
read    = ["/srv/d"]
write   = ["/srv/d/e"]
overlay = ["~/view"]
`)
	if err != nil {
		t.Fatal(err)
	}
	var late []string
	for _, m := range p.Mounts.Where(func(m Mount) bool { return m.Late }) {
		late = append(late, m.Target.String())
	}
	if want := []string{"/srv/d", "/srv/d/e"}; !slices.Equal(late, want) {
		t.Errorf("mounted after the view: %q, want %q", late, want)
	}
}
