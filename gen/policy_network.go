package gen

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// resolver is where a network of its own hands questions to the host's resolver
// (slirp4netns(1), "10.0.2.3"; the engine tells pasta the same).
const resolver = "10.0.2.3"

// network is where a network of the sandbox's own leads: single ports, and with a
// list of hosts, what nft and dnsmasq are told.
func (w *policy) network(p plan.Plan) {
	sets, rules := open(p.Allowed)
	w.array("network_sets", w.quoted(sets))
	w.array("network_rules", w.quoted(rules))
	w.array("network_names", w.quoted(tells(p.Allowed)))
	w.group("Where the network leads, and no further: for nft(8) and dnsmasq(8).")
	var published []string
	for _, port := range p.Published {
		published = append(published, port.Options()...)
	}
	w.array("network_published", w.quoted(published))
	w.group("Ports of this host that lead into the network, for pasta(1): where, and whereto.")
	var reached []string
	for _, port := range p.Reached {
		reached = append(reached, strconv.Itoa(port))
	}
	w.setIf(len(reached) > 0, "network_reached", strings.Join(reached, ","))
	w.group("Ports of this host's loopback that the network leads to.")
}

// families are those of addresses, as nft(8) names them: their words in a rule, the type
// and the end of the name of a set, and what who answers for a name cannot lead to: it is
// where clouds hand out a machine's logins.
var families = []struct{ rule, typ, suffix, closed string }{
	{"ip", "ipv4_addr", "", "169.254.0.0/16"},
	{"ip6", "ipv6_addr", "_6", "{ fe80::/10, fd00:ec2::254, fd20:ce::254 }"},
}

// open are commands for nft(8): what it may lead to, beside what it leads to always.
func open(all []profile.Destination) (sets, rules []string) {
	for _, d := range all {
		if d.Name == "" {
			family := families[0].rule
			if d.Address.Is6() {
				family = families[1].rule
			}
			rules = append(rules, accept(family, d.Address.String(), d.Port))
		}
	}
	for i, port := range ports(all) {
		for _, f := range families {
			if i == 0 {
				rules = append(rules, "add rule inet allowed leaving "+f.rule+" daddr "+f.closed+" goto refusing")
			}
			set := addresses(port) + f.suffix
			sets = append(sets, "add set inet allowed "+set+" { type "+f.typ+"; }")
			rules = append(rules, accept(f.rule, "@"+set, port))
		}
	}
	return sets, rules
}

// accept is a rule for addresses of a family.
func accept(family, addresses string, port int) string {
	rule := "add rule inet allowed leaving " + family + " daddr " + addresses
	if port != 0 {
		rule += fmt.Sprintf(" meta l4proto { tcp, udp } th dport %d", port)
	}
	return rule + " accept"
}

// ports are those of the names.
func ports(all []profile.Destination) []int {
	found := map[int]bool{}
	for _, d := range all {
		if d.Name != "" {
			found[d.Port] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// addresses names the sets of those to which a port is open.
func addresses(port int) string {
	if port == 0 {
		return "any"
	}
	return fmt.Sprintf("port%d", port)
}

// tells are options of dnsmasq(8): each name is asked of the host's resolver, a name
// below it is not, where that is not asked for, and what it is told goes into the set.
// The longest name counts, and one with * is no whole label.
func tells(all []profile.Destination) []string {
	byName := map[string][]profile.Destination{}
	for _, d := range all {
		byName[d.Name] = append(byName[d.Name], d)
	}
	delete(byName, "")
	var options []string
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		itself, below := false, false
		var sets []string
		for _, d := range byName[name] {
			itself, below = itself || !d.Below, below || d.Below
			set := "#inet#allowed#" + addresses(d.Port)
			sets = append(sets, "4"+set, "6"+set+families[1].suffix)
		}
		if itself {
			options = append(options, "--server=/"+name+"/"+resolver)
		}
		if below {
			options = append(options, "--server=/*."+name+"/"+resolver)
		} else {
			options = append(options, "--address=/*."+name+"/")
		}
		slices.Sort(sets)
		options = append(options, "--nftset=/"+name+"/"+strings.Join(slices.Compact(sets), ","))
	}
	return options
}
