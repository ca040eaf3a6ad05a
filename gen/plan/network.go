package plan

import (
	"cmp"
	"slices"
	"strings"

	"bwrapgen/gen/profile"
)

// Reach is what the command can reach besides files.
type Reach struct {
	Network   profile.NetworkMode
	Allowed   []profile.Destination `json:",omitzero"` // of NetworkAllow
	Published []profile.Published   `json:",omitzero"` // of private networks
	Reached   []int                 `json:",omitzero"` // of private networks: ports of the host's loopback
}

// reachOf decides what the command can reach. An empty list of hosts, without ports, is
// NetworkNone.
func reachOf(n profile.Network) Reach {
	r := Reach{Network: n.Mode}
	if !r.OwnNetwork() {
		return r
	}
	for _, i := range n.Publish {
		if p, ok := profile.ParsePublished(i.Text); ok {
			r.Published = append(r.Published, p)
		}
	}
	slices.SortFunc(r.Published, func(a, b profile.Published) int { return cmp.Compare(a.First, b.First) })
	r.Reached = n.Reached()
	if n.Mode != profile.NetworkAllow {
		return r
	}
	for _, i := range n.Allow {
		if d, ok := profile.ParseDestination(i.Text); ok {
			r.Allowed = append(r.Allowed, d)
		}
	}
	slices.SortFunc(r.Allowed, func(a, b profile.Destination) int { return cmp.Compare(a.String(), b.String()) })
	r.Allowed = slices.Compact(r.Allowed)
	if len(r.Allowed)+len(r.Published)+len(r.Reached) == 0 {
		r.Network = profile.NetworkNone
	}
	return r
}

// OwnNetwork reports whether the command has a private network that is connected to the host's.
func (r Reach) OwnNetwork() bool {
	return r.Network == profile.NetworkPrivate || r.Network == profile.NetworkAllow
}

// proxyVariables name the proxy in lower and upper case: git and curl read the former, other
// programs the latter.
func (b *builder) proxyVariables() []profile.Variable {
	proxy := b.profile.Network.Proxy
	if proxy == "" || !b.plan.OwnNetwork() {
		return nil
	}
	var all []profile.Variable
	for _, name := range []string{"http_proxy", "https_proxy", "all_proxy"} {
		for _, spelled := range []string{name, strings.ToUpper(name)} {
			all = append(all, profile.Variable{Name: spelled, Text: proxy})
		}
	}
	const own = "localhost,127.0.0.1,::1"
	return append(all, profile.Variable{Name: "no_proxy", Text: own}, profile.Variable{Name: "NO_PROXY", Text: own})
}

// Need is a program that a private network needs on the host.
type Need struct {
	Programs []string // one of these
	Packages string   // that contain one, by their names in Debian
}

// NetworkNeeds are the needs of a mode, with or without published and reached ports.
func NetworkNeeds(mode profile.NetworkMode, ports bool) []Need {
	forwarder := Need{[]string{"pasta", "slirp4netns"}, "passt, or slirp4netns"}
	if ports {
		forwarder = Need{[]string{"pasta"}, "passt"}
	}
	switch mode {
	case profile.NetworkPrivate:
		return []Need{forwarder}
	case profile.NetworkAllow:
		return []Need{forwarder, {[]string{"nft"}, "nftables"}, {[]string{"dnsmasq"}, "dnsmasq-base, or dnsmasq"}}
	}
	return nil
}

// Names lists the programs as alternatives.
func (n Need) Names() string { return strings.Join(n.Programs, " or ") }

// NetworkCost is what a private network costs at start-up, as measured with passt of 2023 to 2026.
func NetworkCost(mode profile.NetworkMode) string {
	if mode == profile.NetworkAllow {
		return "a start takes two and a half to three and a half times as long"
	}
	return "a start takes two to three times as long"
}
