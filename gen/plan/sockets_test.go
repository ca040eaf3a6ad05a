package plan

import (
	"testing"

	"bwrapgen/gen/catalogue"
)

// TestSocketMeans: of each socket it is said what a command can do by it; of the bus,
// which names are let through.
func TestSocketMeans(t *testing.T) {
	for _, name := range catalogue.SocketNames() {
		if (catalogue.SocketMeans(name) == "") != (name == "dbus") {
			t.Errorf("%s: %q", name, catalogue.SocketMeans(name))
		}
	}
}
