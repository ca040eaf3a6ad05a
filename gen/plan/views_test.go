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
	var belowView []string
	for _, m := range p.Mounts.Where(func(m Mount) bool { return m.BelowView }) {
		belowView = append(belowView, m.Target.String())
	}
	if want := []string{"/srv/d", "/srv/d/e"}; !slices.Equal(belowView, want) {
		t.Errorf("mounted after the view: %q, want %q", belowView, want)
	}
}

// TestVariablesOfKeys: a variable that moves what a profile shows comes in, so that a program
// finds it; and whatever key has it, only an absolute path counts.
func TestVariablesOfKeys(t *testing.T) {
	for key, passed := range map[string]bool{"read": true, "write": true, "overlay": true, "credential": false} {
		at := ""
		if key == "credential" {
			at = `, at = "~/key"`
		}
		p, err := built(t, "filesystem."+key+` = [{ path = "${XDG_DATA_HOME:-~/.local/share}/notes", why = "w"`+at+" }]")
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(p.Environ.Pass, "XDG_DATA_HOME"); got != passed {
			t.Errorf("%s: passed %v", key, got)
		}
		if !slices.Contains(p.Relocations, "XDG_DATA_HOME") {
			t.Errorf("%s: a relative path counts", key)
		}
	}
}
