package profile

import (
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/problem"
)

// Published is one entry of network.publish: ports of this host that lead into the sandbox.
type Published struct {
	Address     netip.Addr // of the host, where they are opened
	First, Last int        // of the host
	Inside      int        // where First leads
}

// mostPublished is how many ports one entry may publish: pasta(1) opens each of them.
const mostPublished = 100

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// ParsePublished reads [ADDRESS:]PORTS[:INSIDE], PORTS being one or FIRST-LAST. Without an
// address, it is 127.0.0.1.
func ParsePublished(text string) (Published, bool) {
	p := Published{Address: loopback}
	ports := text
	if end := strings.LastIndex(text, "]:"); strings.HasPrefix(text, "[") && end > 0 {
		address, err := netip.ParseAddr(text[1:end])
		if err != nil || address.Unmap() != address || !address.Is6() { // one of IPv4
			return p, false
		}
		if address.Zone() != "" {
			return p, false
		}
		p.Address, ports = address, text[end+2:]
	} else if first, rest, more := strings.Cut(text, ":"); more {
		if address, err := netip.ParseAddr(first); err == nil {
			p.Address, ports = address, rest
		}
	}
	outside, inside, mapped := strings.Cut(ports, ":")
	first, last, isRange := strings.Cut(outside, "-")
	if !isRange {
		last = first
	}
	if !mapped {
		inside = first
	}
	var ok [3]bool
	p.First, ok[0] = parsePort(first)
	p.Last, ok[1] = parsePort(last)
	p.Inside, ok[2] = parsePort(inside)
	return p, ok == [3]bool{true, true, true} && p.First <= p.Last && p.Inside+p.Last-p.First <= 65535
}

// String writes it as a profile does.
func (p Published) String() string {
	text := strconv.Itoa(p.First)
	if p.Last != p.First {
		text += "-" + strconv.Itoa(p.Last)
	}
	if p.Inside != p.First {
		text += ":" + strconv.Itoa(p.Inside)
	}
	if p.Address == loopback {
		return text
	}
	return strings.TrimSuffix(netip.AddrPortFrom(p.Address, 0).String(), "0") + text
}

// MarshalText prints it as String does.
func (p Published) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Options are its ports as pasta(1) has them, ADDRESS/PORT:PORT. Of a range, pasta would
// leave out in silence what is taken.
func (p Published) Options() []string {
	var all []string
	for i := range p.Last - p.First + 1 {
		all = append(all, fmt.Sprintf("%s/%d:%d", p.Address, p.First+i, p.Inside+i))
	}
	return all
}

// meets reports whether both publish a port of the same number: pasta(1) opens one once.
func (p Published) meets(other Published) bool { return p.First <= other.Last && other.First <= p.Last }

// into reports whether a port of the sandbox is one that it leads to.
func (p Published) into(port int) bool { return p.Inside <= port && port <= p.Inside+p.Last-p.First }

func checkPublished(text string) problem.Problem {
	p, ok := ParsePublished(text)
	switch {
	case !ok:
		return badPublished(text)
	case p.Last-p.First >= mostPublished:
		return problem.New(fmt.Sprintf("more than %d ports: %q", mostPublished, text), "publish those that something listens on")
	}
	return problem.Problem{}
}

// ParseReached reads an entry of network.reach, which is a port of this host's loopback:
// 127.0.0.1:PORT, localhost:PORT or [::1]:PORT. pasta(1) reaches it in both families.
func ParseReached(text string) (port int, ok bool) {
	host, number, _ := splitPort(text)
	if host != "127.0.0.1" && host != "localhost" && host != "::1" {
		return 0, false
	}
	return parsePort(number)
}

func checkReached(text string) problem.Problem {
	if _, ok := ParseReached(text); !ok {
		return badReached(text)
	}
	return problem.Problem{}
}

// ParseProxy gives the port of network.proxy, a proxy on this host's loopback.
func ParseProxy(text string) (port int, ok bool) {
	u, err := url.Parse(text)
	if err != nil || !strings.EqualFold(strings.TrimSuffix(text, "/"), u.Scheme+"://"+u.Host) {
		return 0, false
	}
	switch u.Scheme {
	case "http", "socks5", "socks5h":
		return ParseReached(u.Host)
	}
	return 0, false
}

func checkProxy(text string) problem.Problem {
	if _, ok := ParseProxy(text); !ok && text != "" {
		return badProxy(text)
	}
	return problem.Problem{}
}

// ports are what lists and the proxy open, each with what it stands under.
func (n Network) ports(origins map[string]Origin) []Origin {
	var all []Origin
	for _, list := range [][]Item{n.Publish, n.Reach} {
		if len(list) > 0 {
			all = append(all, list[0].Origin)
		}
	}
	if n.Proxy != "" {
		all = append(all, origins["network.proxy"])
	}
	return all
}

// agreePorts reports ports without a network that they could lead out of or into, and
// those that would be opened twice.
func (p *Profile) agreePorts(report func(Origin, problem.Problem)) {
	if p.Network.Mode != NetworkPrivate && p.Network.Mode != NetworkAllow {
		for _, o := range p.Network.ports(p.Origins) {
			report(o, portsWithoutNetwork(p.Network.Mode))
		}
		return
	}
	var before []Published
	for _, i := range p.Network.Publish {
		published, _ := ParsePublished(i.Text)
		for _, other := range before {
			if published.meets(other) {
				report(i.Origin, publishedTwice(i.Text, other.String()))
			}
		}
		for _, port := range p.Network.Reached() {
			if published.into(port) {
				report(i.Origin, publishedAndReached(port))
			}
		}
		before = append(before, published)
	}
}

// Reached are the ports of this host's loopback that the command can reach.
func (n Network) Reached() []int {
	found := map[int]bool{}
	for _, i := range n.Reach {
		if port, ok := ParseReached(i.Text); ok {
			found[port] = true
		}
	}
	if port, ok := ParseProxy(n.Proxy); ok {
		found[port] = true
	}
	return slices.Sorted(maps.Keys(found))
}
