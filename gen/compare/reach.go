package compare

import (
	"slices"
	"strconv"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/profile"
)

// reach is what the command can reach besides files: sockets, names on the bus, ports.
func (l look) reach() []fact {
	var all []fact
	add := func(kind Kind, subject, what string, from State) {
		all = append(all, fact{kind: kind, subject: subject, State: State{What: what, From: from.From}, much: 1})
	}
	sockets, asked := l.Plan.Sockets, l.Profile.Sockets
	for _, name := range sockets.Pass {
		what := "reachable, where the session has it"
		if means := catalogue.SocketMeans(name); means != "" {
			what += ": the command " + means
		}
		add(Socket, name+" socket", what, from(asked.Pass, name))
	}
	for _, name := range sockets.Talk {
		add(Socket, name+" on the session bus", "may be spoken to", from(asked.Talk, name))
	}
	for _, name := range sockets.Own {
		add(Socket, "the name "+name+" on the session bus", "may be taken", from(asked.Own, name))
	}
	if !l.Plan.OwnNetwork() {
		return all
	}
	for _, i := range l.Profile.Network.Publish {
		if p, ok := profile.ParsePublished(i.Text); ok {
			add(Network, "published port "+p.String(), "leads into the sandbox", State{From: access.Asker("", i.Origin)})
		}
	}
	ports := map[int]State{}
	for _, port := range l.Plan.Reached {
		ports[port] = State{From: l.origin("network.proxy")}
	}
	for _, i := range l.Profile.Network.Reach {
		if port, ok := profile.ParseReached(i.Text); ok {
			ports[port] = State{From: access.Asker("", i.Origin)}
		}
	}
	for port, from := range ports {
		add(Network, "this host's port "+strconv.Itoa(port), "can be reached on its loopback", from)
	}
	return all
}

// from is a state that only says where a list has a text from.
func from(list []profile.Item, text string) State {
	i := slices.IndexFunc(list, func(i profile.Item) bool { return i.Text == text })
	if i < 0 {
		return State{}
	}
	return State{From: access.Asker("", list[i].Origin)}
}
