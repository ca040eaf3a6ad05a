package verify

import (
	"net"
	"net/netip"
	"slices"
	"strconv"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// goal is somebody on the network of whom it is said whether the command reaches them.
type goal struct {
	at        string // HOST:PORT, outside and inside
	says      string
	isReached bool // inside
	isOurs    bool // on this host's loopback, where the proof itself may listen
	answers   bool // outside, as was tried
}

// goalsOf are those that can be tried: one that no list names, of the addresses of name
// servers; what the profile lists; the ports of this host that are to be reached; and who
// listens on its loopback alone.
func goalsOf(p plan.Plan, servers []netip.Addr, listener string) []goal {
	var all []goal
	if at := unlisted(p, servers); at.IsValid() {
		says, isClosed := closedWords[p.Network]
		if !isClosed {
			says = "other hosts can be reached"
		}
		other := net.JoinHostPort(at.String(), strconv.Itoa(domainPort))
		all = append(all, goal{at: other, says: says + ": " + other, isReached: !isClosed})
	}
	for _, d := range p.Allowed {
		if !d.Below {
			at := hostPort(d)
			all = append(all, goal{at: at, says: at + " can be reached", isReached: true})
		}
	}
	for _, port := range p.Reached {
		at := net.JoinHostPort(profile.Self, strconv.Itoa(port))
		all = append(all, goal{at: at, says: at + " of this host can be reached", isReached: true, isOurs: true})
	}
	alone := goal{at: listener, says: "what listens on this host's 127.0.0.1 cannot be reached"}
	if p.Network == profile.NetworkHost {
		alone.says, alone.isReached = "what listens on this host's 127.0.0.1 can be reached", true
	}
	return append(all, alone)
}

// domainPort is that of name servers.
const domainPort = 53

// closedWords say that hosts cannot be reached of which the profile says nothing, where that is
// so.
var closedWords = map[profile.NetworkMode]string{
	profile.NetworkNone:  "other hosts cannot be reached",
	profile.NetworkAllow: "hosts that are not listed cannot be reached",
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

// judge says whether somebody is reached who should be, and nobody else.
func (g goal) judge(f finding) Statement {
	s := Statement{Subject: "network", Says: g.says}
	missing := unless(g.answers, "nobody answers there outside, either")
	if g.isReached {
		return s.concluded(missing, less(f.worked, "it cannot"))
	}
	return s.concluded(missing, more(!f.worked, "it can"))
}

// published are ports that lead into the sandbox.
func published(p plan.Plan) []Statement {
	var all []Statement
	for _, port := range p.Published {
		all = append(all, skipped("network", "port "+port.String()+" of this host leads in", "nothing listens inside"))
	}
	return all
}
