package plan

import (
	"cmp"
	"slices"

	"bwrapgen/gen/profile"
)

// network decides what the command can reach. A list of nobody is no network.
func (b *builder) network() {
	for _, i := range b.profile.Network.Allow {
		if d, ok := profile.ParseDestination(i.Text); ok && b.plan.Network == profile.NetworkAllow {
			b.plan.Allowed = append(b.plan.Allowed, d)
		}
	}
	slices.SortFunc(b.plan.Allowed, func(a, b profile.Destination) int { return cmp.Compare(a.String(), b.String()) })
	b.plan.Allowed = slices.Compact(b.plan.Allowed)
	if b.plan.Network == profile.NetworkAllow && len(b.plan.Allowed) == 0 {
		b.plan.Network = profile.NetworkNone
	}
}

// OwnNetwork reports whether the command has a network of its own, with a way out.
func (p Plan) OwnNetwork() bool {
	return p.Network == profile.NetworkPrivate || p.Network == profile.NetworkAllow
}

// NetworkWords says what the command can reach.
func (p Plan) NetworkWords() string {
	switch p.Network {
	case profile.NetworkNone:
		return "none"
	case profile.NetworkPrivate:
		return "its own, which slirp4netns leads out of: what listens on this host's 127.0.0.1 answers nothing, but what the command reads, it can send"
	case profile.NetworkAllow:
		var names []string
		for _, d := range p.Allowed {
			names = append(names, d.String())
		}
		return "its own, which leads to " + join(names) + " and no further: to these, and all that shares their addresses, it can send what it reads"
	}
	return "the host's: what the command reads, it can send"
}
