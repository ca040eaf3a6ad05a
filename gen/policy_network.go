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

// resolver is the address at which the forwarder takes queries for the host's resolver
// (slirp4netns(1), "10.0.2.3"; the engine gives pasta the same).
const resolver = "10.0.2.3"

// network writes what a private network can reach: published and reached ports, and for a
// list of hosts the commands for nft and the options for dnsmasq.
func (w *policy) network(p plan.Plan) {
	sets, rules := allowRules(p.Allowed)
	w.array("network_sets", w.quoted(sets))
	w.array("network_rules", w.quoted(rules))
	w.array("network_names", w.quoted(dnsmasqOptions(p.Allowed)))
	w.group("The hosts of network.allow: commands for nft(8) and options for dnsmasq(8).")
	var published []string
	for _, port := range p.Published {
		published = append(published, port.Options()...)
	}
	w.array("network_published", w.quoted(published))
	w.group("Published ports, for pasta(1): address and port on this machine, and the port inside.")
	var reached []string
	for _, port := range p.Reached {
		reached = append(reached, strconv.Itoa(port))
	}
	w.setIf(len(reached) > 0, "network_reached", strings.Join(reached, ","))
	w.group("Ports on this machine's loopback that the command can reach.")
}

// families are the address families of nft(8): the keyword in a rule, the type of a set and the
// suffix of its name, and the addresses that no name may resolve to, since clouds serve a
// machine's credentials there.
var families = []struct{ rule, typ, suffix, closed string }{
	{"ip", "ipv4_addr", "", "169.254.0.0/16"},
	{"ip6", "ipv6_addr", "_6", "{ fe80::/10, fd00:ec2::254, fd20:ce::254 }"},
}

// allowRules are the commands for nft(8) that allow the destinations.
func allowRules(all []profile.Destination) (sets, rules []string) {
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

// accept is an nft rule that allows addresses of a family, on one port or (0) on all.
func accept(family, addresses string, port int) string {
	rule := "add rule inet allowed leaving " + family + " daddr " + addresses
	if port != 0 {
		rule += fmt.Sprintf(" meta l4proto { tcp, udp } th dport %d", port)
	}
	return rule + " accept"
}

// ports are the ports listed with names, sorted; 0 means all.
func ports(all []profile.Destination) []int {
	found := map[int]bool{}
	for _, d := range all {
		if d.Name != "" {
			found[d.Port] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// addresses names the nft set of the addresses to which a port is open.
func addresses(port int) string {
	if port == 0 {
		return "any"
	}
	return fmt.Sprintf("port%d", port)
}

// dnsmasqOptions are options of dnsmasq(8): listed names are resolved by the host's resolver,
// names below them only for *.NAME, and the answers are added to the nft sets. In dnsmasq the
// longest matching name decides.
func dnsmasqOptions(all []profile.Destination) []string {
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
