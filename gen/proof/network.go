package proof

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// Goal is somebody on the network of whom it is said whether the command reaches them.
type Goal struct {
	At      string // HOST:PORT, outside and inside
	Says    string
	Reached bool // inside
	Listens bool // this host's loopback: the proof itself may listen there
	Answers bool // outside, as was tried
}

// Goals are those that can be tried: one that no list names, of the addresses of name
// servers; what the profile lists; and the ports of this host that are to be reached.
func Goals(p plan.Plan, servers []netip.Addr) []Goal {
	var all []Goal
	if at := unlisted(p, servers); at.IsValid() {
		g := Goal{At: net.JoinHostPort(at.String(), strconv.Itoa(domainPort))}
		g.Says, g.Reached = beyondWords(p.Network)
		g.Says = fmt.Sprintf(g.Says, g.At)
		all = append(all, g)
	}
	for _, d := range p.Allowed {
		if !d.Below {
			at := hostPort(d)
			all = append(all, Goal{At: at, Says: at + " can be reached", Reached: true})
		}
	}
	for _, port := range p.Reached {
		at := net.JoinHostPort(profile.Self, strconv.Itoa(port))
		all = append(all, Goal{At: at, Says: at + " of this host can be reached", Reached: true, Listens: true})
	}
	return all
}

// domainPort is that of name servers.
const domainPort = 53

// beyondWords say whether hosts can be reached of which the profile says nothing.
func beyondWords(mode profile.NetworkMode) (says string, reached bool) {
	switch mode {
	case profile.NetworkNone:
		return "other hosts cannot be reached: %s", false
	case profile.NetworkAllow:
		return "hosts that are not listed cannot be reached: %s", false
	}
	return "other hosts can be reached: %s", true
}

// unlisted is the first name server that is another host, and not in network.allow.
func unlisted(p plan.Plan, servers []netip.Addr) netip.Addr {
	for _, at := range servers {
		isListed := slices.ContainsFunc(p.Allowed, func(d profile.Destination) bool { return d.Address == at })
		if !at.IsLoopback() && !isListed {
			return at
		}
	}
	return netip.Addr{}
}

// hostPort is where a destination can be tried; one of all ports, where most listen.
func hostPort(d profile.Destination) string {
	const securePort = 443
	host, port := d.Name, d.Port
	if host == "" {
		host = d.Address.String()
	}
	if port == 0 {
		port = securePort
	}
	return net.JoinHostPort(host, strconv.Itoa(port))
}

// Judge says whether somebody is reached who should be, and nobody else.
func (g Goal) Judge(f Found) Statement {
	s := Statement{Subject: "network", Says: g.Says}
	missing := unless(g.Answers, "nobody answers there outside, either")
	if g.Reached {
		return s.concluded(missing, unless(f.Wrote, "it cannot"))
	}
	return s.concluded(missing, unless(!f.Wrote, "it can"))
}

// published are ports that lead into the sandbox.
func published(p plan.Plan) []Statement {
	var all []Statement
	for _, port := range p.Published {
		all = append(all, unprovable("network", "port "+port.String()+" of this host leads in", "nothing listens inside"))
	}
	return all
}

// loopback judges whether the command reaches who listens on this host alone.
func loopback(p plan.Plan, s Seen, w World) Statement {
	st := Statement{Subject: "network", Says: "what listens on this host's 127.0.0.1 cannot be reached"}
	missing := unless(w.Listens, "nothing can listen here")
	isReached := s.Said["network"] == "yes"
	if p.Network == profile.NetworkHost {
		st.Says = "what listens on this host's 127.0.0.1 can be reached"
		return st.concluded(missing, unless(isReached, "it cannot"))
	}
	return st.concluded(missing, unless(!isReached, "it can"))
}
