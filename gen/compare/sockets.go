package compare

import (
	"maps"
	"slices"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/profile"
)

// sockets compares the services of the session that can be reached.
func (d *differences) sockets() {
	was, is := d.was.Plan.Sockets, d.is.Plan.Sockets
	for _, name := range catalogue.SocketNames() {
		what := "reachable, where the session has it"
		if means := catalogue.SocketMeans(name); means != "" {
			what += ": the command " + means
		}
		d.reach(Socket, name+" socket", what,
			was.Has(name), is.Has(name), origin(d.was.Profile.Sockets.Pass, name), origin(d.is.Profile.Sockets.Pass, name))
	}
	for _, name := range union(was.Talk, is.Talk) {
		d.reach(Socket, name+" on the session bus", "may be spoken to",
			slices.Contains(was.Talk, name), slices.Contains(is.Talk, name), origin(d.was.Profile.Sockets.Talk, name), origin(d.is.Profile.Sockets.Talk, name))
	}
	for _, name := range union(was.Own, is.Own) {
		d.reach(Socket, "the name "+name+" on the session bus", "may be taken",
			slices.Contains(was.Own, name), slices.Contains(is.Own, name), origin(d.was.Profile.Sockets.Own, name), origin(d.is.Profile.Sockets.Own, name))
	}
}

// reach notes what one side can reach and the other cannot.
func (d *differences) reach(kind Kind, subject, what string, was, is bool, wasFrom, isFrom string) {
	c := Change{Subject: subject, Kind: kind, Was: State{What: "out of reach"}, Is: State{What: "out of reach"}}
	if was {
		c.Was = State{What: what, From: wasFrom}
	}
	if is {
		c.Is = State{What: what, From: isFrom}
	}
	d.noteIf(growth(was, is), c)
}

// growth is the direction from one state of affairs to another.
func growth(was, is bool) direction {
	switch {
	case was == is:
		return neither
	case is:
		return more
	}
	return less
}

// origin is where a list has a text from.
func origin(list []profile.Item, text string) string {
	for _, i := range list {
		if i.Text == text {
			return access.Asker("", i.Origin)
		}
	}
	return ""
}

// union lists the texts of both, sorted.
func union(a, b []string) []string {
	all := map[string]bool{}
	for _, text := range slices.Concat(a, b) {
		all[text] = true
	}
	return slices.Sorted(maps.Keys(all))
}
