package compare

import (
	"maps"
	"slices"
	"strconv"

	"bwrapgen/gen/access"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// network compares what can be reached: of two lists of hosts each entry, otherwise the
// modes.
func (d *differences) network() {
	was, is := d.was.Plan, d.is.Plan
	d.ports("published port", "leads into the sandbox", published(d.was), published(d.is))
	d.ports("this host's port", "can be reached on its loopback", reached(d.was), reached(d.is))
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

// ports compares those that lead in or out, each with where a profile has it from.
func (d *differences) ports(subject, what string, was, is map[string]string) {
	for _, port := range union(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(is))) {
		_, before := was[port]
		_, after := is[port]
		d.reach(Network, subject+" "+port, what, before, after, was[port], is[port])
	}
}

func published(s look) map[string]string {
	all := map[string]string{}
	for _, i := range s.Profile.Network.Publish {
		if p, ok := profile.ParsePublished(i.Text); ok && s.Plan.OwnNetwork() {
			all[p.String()] = access.Asker("", i.Origin)
		}
	}
	return all
}

func reached(s look) map[string]string {
	all := map[string]string{}
	for _, port := range s.Plan.Reached {
		all[strconv.Itoa(port)] = s.origin("network.proxy")
	}
	for _, i := range s.Profile.Network.Reach {
		if port, ok := profile.ParseReached(i.Text); ok && s.Plan.OwnNetwork() {
			all[strconv.Itoa(port)] = access.Asker("", i.Origin)
		}
	}
	return all
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
