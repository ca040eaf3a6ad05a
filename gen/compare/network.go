package compare

import (
	"slices"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// network compares what can be reached: of two lists of hosts each entry, otherwise the
// modes.
func (d *differences) network() {
	was, is := d.was.Plan, d.is.Plan
	if was.Network != profile.NetworkAllow || is.Network != profile.NetworkAllow {
		d.setting(Network, "network.mode", value{was.NetworkWords(), networkRank(was)}, value{is.NetworkWords(), networkRank(is)})
		return
	}
	before, after := destinations(was), destinations(is)
	for _, name := range union(before, after) {
		d.reach(Network, name, "can be reached",
			slices.Contains(before, name), slices.Contains(after, name), origin(d.was.Profile.Network.Allow, name), origin(d.is.Profile.Network.Allow, name))
	}
}

func destinations(p plan.Plan) []string {
	var all []string
	for _, to := range p.Allowed {
		all = append(all, to.String())
	}
	return all
}

func networkRank(p plan.Plan) int64 {
	return map[profile.NetworkMode]int64{profile.NetworkAllow: 1, profile.NetworkPrivate: 2, profile.NetworkHost: 3}[p.Network]
}
