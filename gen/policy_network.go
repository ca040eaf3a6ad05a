package gen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// slirpResolver is where slirp4netns hands questions to the host's resolver
// (slirp4netns(1), "10.0.2.3").
const slirpResolver = "10.0.2.3"

// network is where a network of the sandbox's own leads: with a list of hosts,
// what nft and dnsmasq are told.
func (w *policy) network(p plan.Plan) {
	if p.Network != profile.NetworkAllow {
		return
	}
	sets, rules := open(p.Allowed)
	w.array("network_sets", w.quoted(sets))
	w.array("network_rules", w.quoted(rules))
	var tell []bash.Word
	for _, words := range tells(p.Allowed) {
		tell = append(tell, w.quoted(words)...)
	}
	w.array("network_names", tell)
	w.group("Where the network leads, and no further: for nft(8) and dnsmasq(8).")
}

// open are commands for nft(8): what it may lead to, beside what it leads to always.
// Who answers for a name cannot lead to where clouds hand out a machine's logins.
func open(all []profile.Destination) (sets, rules []string) {
	for _, d := range all {
		if d.Name == "" {
			rules = append(rules, accept(d.Address.String(), d.Port))
		}
	}
	for i, port := range ports(all) {
		if i == 0 {
			rules = append(rules, "add rule inet allowed leaving ip daddr 169.254.0.0/16 reject with icmpx type admin-prohibited")
		}
		sets = append(sets, "add set inet allowed "+addresses(port)+" { type ipv4_addr; }")
		rules = append(rules, accept("@"+addresses(port), port))
	}
	return sets, rules
}

// accept is a rule for addresses.
func accept(addresses string, port int) string {
	rule := "add rule inet allowed leaving ip daddr " + addresses
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

// addresses names the set of those to which a port is open.
func addresses(port int) string {
	if port == 0 {
		return "any"
	}
	return fmt.Sprintf("port%d", port)
}

// tells are options of dnsmasq(8): each name is asked of the host's resolver, a name
// below it is not, where that is not asked for, and what it is told goes into the set.
// The longest name counts, and one with * is no whole label.
func tells(all []profile.Destination) [][]string {
	byName := map[string][]profile.Destination{}
	for _, d := range all {
		byName[d.Name] = append(byName[d.Name], d)
	}
	delete(byName, "")
	var names [][]string
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		itself, below := false, false
		var words, sets []string
		for _, d := range byName[name] {
			itself, below = itself || !d.Below, below || d.Below
			sets = append(sets, "4#inet#allowed#"+addresses(d.Port))
		}
		if itself {
			words = append(words, "--server=/"+name+"/"+slirpResolver)
		}
		if below {
			words = append(words, "--server=/*."+name+"/"+slirpResolver)
		} else {
			words = append(words, "--address=/*."+name+"/")
		}
		slices.Sort(sets)
		names = append(names, append(words, "--nftset=/"+name+"/"+strings.Join(slices.Compact(sets), ",")))
	}
	return names
}
