package gen

import (
	"strings"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/plan"
	"bwrapgen/templates"
)

// TestSocketsReachLaunchers: a socket that a profile can pass is a row of the
// policy, or has code in the engine. Without either it would be dropped in
// silence.
func TestSocketsReachLaunchers(t *testing.T) {
	code := templates.Part("sockets")
	for _, name := range catalogue.SocketNames() {
		var w policy
		w.sockets(plan.Plan{Sockets: plan.Sockets{Pass: []string{name}}})
		row := strings.Contains(strings.Join(w.groups, "\n"), "named_sockets=(")
		own := strings.Contains(code, " "+name+" ") || name == "dbus" // which is the part bus
		if row == own {
			t.Errorf("%s: a row: %t, code of its own: %t", name, row, own)
		}
		if w.err != nil {
			t.Errorf("%s: %v", name, w.err)
		}
	}
}
