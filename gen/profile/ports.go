package profile

import (
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
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

var publishedForm = regexp.MustCompile(
	`^(?:(\[[0-9A-Fa-f:.]+\]|[0-9]+\.[0-9.]+):)?` + `([0-9]+)(?:-([0-9]+))?(?::([0-9]+))?$`)

// ParsePublished reads [ADDRESS:]PORTS[:INSIDE], PORTS being one or FIRST-LAST. Without an
// address, it is 127.0.0.1; one of IPv6 stands in [ ].
func ParsePublished(text string) (Published, bool) {
	p := Published{Address: loopback}
	part := publishedForm.FindStringSubmatch(text)
	if part == nil {
		return p, false
	}
	if part[1] != "" {
		address, err := netip.ParseAddr(strings.Trim(part[1], "[]"))
		isBracketed := strings.HasPrefix(part[1], "[")
		if err != nil || address.Unmap().Is6() != isBracketed {
			return p, false
		}
		p.Address = address
	}
	p.First = parsePort(part[2])
	p.Last, p.Inside = p.First, p.First
	if part[3] != "" {
		p.Last = parsePort(part[3])
	}
	if part[4] != "" {
		p.Inside = parsePort(part[4])
	}
	isRange := 0 < p.First && p.First <= p.Last
	return p, isRange && 0 < p.Inside && p.Inside+p.Last-p.First <= mostPort
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
		return wrong(`write 3000, "8080:80", "3000-3009", "0.0.0.0:3000" or "[::1]:3000", of 1 to 65535`,
			"not a port to publish: %q", text)
	case p.Last-p.First >= mostPublished:
		return wrong("publish those that something listens on", "more than %d ports: %q", mostPublished, text)
	}
	return problem.Problem{}
}

// ParseReached reads an entry of network.reach, which is a port of this host's loopback:
// 127.0.0.1:PORT, localhost:PORT or [::1]:PORT. pasta(1) reaches it in both families.
func ParseReached(text string) (port int, ok bool) {
	host, number, _ := splitPort(text)
	if !slices.Contains([]string{"127.0.0.1", "localhost", "::1"}, host) {
		return 0, false
	}
	port = parsePort(number)
	return port, port != 0
}

func isReached(text string) bool {
	_, ok := ParseReached(text)
	return ok
}

var checkReached = accept(isReached,
	`write "127.0.0.1:5432", "localhost:5432" or "[::1]:5432"; what else there is, network.allow lists`,
	"not a port of this host's loopback: %q")

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

func isProxy(text string) bool {
	_, ok := ParseProxy(text)
	return ok || text == ""
}

var checkProxy = accept(isProxy,
	`write "http://127.0.0.1:3128"; for one elsewhere, set http_proxy and https_proxy in environment.set`,
	"not a proxy on this host's loopback: %q")

// own reports whether the command has a network of its own, with a way out.
func (n Network) own() bool { return n.Mode == NetworkPrivate || n.Mode == NetworkAllow }

// agreePorts reports ports without a network that they could lead out of or into, and
// those that would be opened twice.
func (p *Profile) agreePorts(report func(Origin, problem.Problem)) {
	n := p.Network
	if !n.own() {
		opened := slices.Concat(first(n.Publish), first(n.Reach))
		if n.Proxy != "" {
			opened = append(opened, Item{Origin: p.Origins["network.proxy"]})
		}
		for _, i := range opened {
			report(i.Origin, wrong(`write network.mode = "private" or "allow", or leave it out`,
				"has no effect with network.mode %q", n.Mode))
		}
		return
	}
	var before []Published
	for _, i := range n.Publish {
		published, _ := ParsePublished(i.Text)
		for _, other := range before {
			if published.meets(other) {
				report(i.Origin, wrong("publish each port once", "%q publishes a port that %q publishes, too", i.Text, other))
			}
		}
		for _, port := range n.Reached() {
			if published.into(port) {
				report(i.Origin, wrong("let it lead to another port inside",
					"leads to port %d of the sandbox, which leads to this host's by network.reach or proxy", port))
			}
		}
		before = append(before, published)
	}
}

// first is the first of a list, if there is one.
func first(list []Item) []Item { return list[:min(1, len(list))] }

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
