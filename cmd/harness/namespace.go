package harness

import (
	"slices"
	"strconv"
)

// InNamespace has a script of sh run before the program, in a mount namespace
// of its own, where it may mount what it likes; $1 and so on are its arguments.
// An ordinary user does that in a user namespace, and is nobody but that user
// again when the program starts.
func (s Start) InNamespace(script string, arguments ...string) Start {
	script += "\nshift " + strconv.Itoa(len(arguments)) + "\nexec \"$@\""
	words := slices.Concat([]string{"--mount", "sh", "-euc", script, "sh"}, arguments)
	if s.As.UID != 0 {
		words = slices.Concat([]string{"--user", "--map-root-user"}, words,
			[]string{"unshare", "--user", "--map-user=" + strconv.Itoa(s.As.UID), "--map-group=" + strconv.Itoa(s.As.GID), "--"})
	}
	s.Words = slices.Concat(words, []string{s.Program}, s.Words)
	s.Program = "/usr/bin/unshare"
	return s
}

// InNetwork is InNamespace with a network of its own, too, where nothing is.
func (s Start) InNetwork(script string, arguments ...string) Start {
	s = s.InNamespace(script, arguments...)
	s.Words = slices.Concat([]string{"--net"}, s.Words)
	return s
}
