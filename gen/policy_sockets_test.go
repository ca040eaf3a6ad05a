package gen

import (
	"strings"
	"testing"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/templates"
)

// TestSocketsReachLaunchers: a socket that a profile can pass is a row of the
// policy, or has code in the engine. Without either it would be dropped in
// silence.
func TestSocketsReachLaunchers(t *testing.T) {
	code := templates.Part("sockets")
	for _, s := range profile.AllSockets() {
		var w policy
		w.sockets(plan.Plan{Sockets: plan.Sockets{Pass: []string{s.Name}}})
		row := strings.Contains(strings.Join(w.groups, "\n"), "named_sockets=(")
		own := strings.Contains(code, " "+s.Name+" ") || s.Name == "dbus" // which is the part bus
		if row == own {
			t.Errorf("%s: a row: %t, code of its own: %t", s.Name, row, own)
		}
		if w.err != nil {
			t.Errorf("%s: %v", s.Name, w.err)
		}
	}
}
