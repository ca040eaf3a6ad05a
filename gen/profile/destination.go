package profile

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/problem"
)

// Destination is one entry of network.allow: a host that the command may talk to.
type Destination struct {
	Name    string // in small letters, without *.; empty: an address
	Below   bool   // the names below Name are meant, and not Name itself
	Address netip.Addr
	Port    int // of TCP and UDP; 0: all, and what has no ports
}

var hostName = regexp.MustCompile(`^(\*\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$`)

// ParseDestination reads a name, *.name or address, with or without :port. One of IPv6
// stands in [ ] where a port follows.
func ParseDestination(text string) (Destination, bool) {
	host, port, hasPort := splitPort(strings.ToLower(text))
	var d Destination
	if d.Port = parsePort(port); hasPort && d.Port == 0 {
		return d, false
	}
	if address, err := netip.ParseAddr(host); err == nil && address.Zone() == "" && !address.Is4In6() {
		d.Address = address
		return d, true
	}
	labels := strings.Split(host, ".")
	long := func(label string) bool { return len(label) > 63 }
	switch {
	case len(host) > 253, !hostName.MatchString(host), slices.ContainsFunc(labels, long), number(labels[len(labels)-1]):
		return d, false
	}
	d.Name, d.Below = strings.CutPrefix(host, "*.")
	return d, true
}

// splitPort cuts a port off a host, which may be an address of IPv6, in [ ] or without a port.
func splitPort(text string) (host, port string, hasPort bool) {
	if rest, ok := strings.CutPrefix(text, "["); ok {
		if host, after, closed := strings.Cut(rest, "]"); closed && strings.Contains(host, ":") {
			port, hasPort = strings.CutPrefix(after, ":")
			if hasPort || after == "" {
				return host, port, hasPort
			}
		}
		return text, "", false
	}
	if strings.Count(text, ":") > 1 {
		return text, "", false
	}
	return strings.Cut(text, ":")
}

const mostPort = 65535

// parsePort reads a port as it is usually written, or gives 0.
func parsePort(text string) int {
	n, _ := strconv.Atoi(text)
	if n < 0 || n > mostPort || text != strconv.Itoa(n) {
		return 0
	}
	return n
}

// number reports whether a name's last part is one: it is then an address, or none.
func number(label string) bool {
	_, err := strconv.ParseUint(label, 0, 64)
	return err == nil
}

// String writes a destination as a profile does.
func (d Destination) String() string {
	text := d.Name
	switch {
	case d.Below:
		text = "*." + d.Name
	case d.Name == "" && d.Address.Is6() && d.Port != 0:
		text = "[" + d.Address.String() + "]"
	case d.Name == "":
		text = d.Address.String()
	}
	if d.Port != 0 {
		text += ":" + strconv.Itoa(d.Port)
	}
	return text
}

// covers reports whether each name that the other stands for is one that this stands for, too.
func (d Destination) covers(other Destination) bool {
	isBelow := d.Below && strings.HasSuffix(other.Name, "."+d.Name)
	return isBelow || d == other
}

// agreeHosts reports a host that has other ports than one with a * that stands for it
// or for what is below it: an address of both would be told with the ports of both.
func (n Network) agreeHosts(report func(Origin, problem.Problem)) {
	ports := map[Destination][]int{}
	withoutPort := func(i Item) Destination {
		d, _ := ParseDestination(i.Text)
		d.Port = 0
		return d
	}
	for _, i := range n.Allow {
		d, _ := ParseDestination(i.Text)
		host := withoutPort(i)
		ports[host] = slices.Compact(slices.Sorted(slices.Values(append(ports[host], d.Port))))
	}
	for _, w := range n.Allow {
		above := withoutPort(w)
		for _, i := range n.Allow {
			d := withoutPort(i)
			mayShare := above.Below && (above.covers(d) || d.Name == above.Name)
			if mayShare && !slices.Equal(ports[above], ports[d]) {
				report(i.Origin, wrong("list both with the same ports, or without any",
					"%q has other ports than %q, and may have its addresses", i.Text, w.Text))
				return
			}
		}
	}
}
