// Package doctor knows why a host makes no sandbox, and what to do about it.
//
// It is pure: it reads bwrap's words and what somebody has read of the host. A
// launcher holds the same table, in bash.
package doctor

import (
	"slices"
	"strings"
)

// Trouble is one reason why there is no sandbox.
type Trouble struct {
	Sign string // a part of bwrap's words, or refused
	Host string // a part of what Signs say of the host, after it; may be empty
	What string // a sentence
	Fix  string // what to do, in one line
	More string // what else to know; may be empty
}

// refused stands for all of Refusals.
const refused = "refused;"

// Refusals are bwrap's words where it may have no namespace of its own.
func Refusals() []string { return []string{"namespace", "uid map", "RTM_NEWADDR"} }

// Settings are the kernel's settings, below /proc/sys, that matter.
func Settings() []string {
	return []string{
		"kernel/apparmor_restrict_unprivileged_userns", "kernel/unprivileged_userns_clone",
		"kernel/osrelease", "user/max_user_namespaces",
	}
}

// Signs is what somebody has read of a host.
type Signs struct {
	Settings  map[string]string // values of Settings, as far as there are any
	Container bool              // this runs in a container
	Setuid    bool              // bwrap is a set-uid program
}

// text is what is searched: bwrap's words and the signs.
func (s Signs) text(words string) string {
	var b strings.Builder
	b.WriteString(words)
	if slices.ContainsFunc(Refusals(), func(w string) bool { return strings.Contains(words, w) }) {
		b.WriteString(" " + refused)
	}
	for _, name := range Settings() {
		if value, ok := s.Settings[name]; ok {
			b.WriteString(" " + name + "=" + value + ";")
		}
	}
	if s.Container {
		b.WriteString(" container;")
	}
	if s.Setuid || strings.Contains(words, "setuid use") || strings.Contains(words, "Unexpected cap") {
		b.WriteString(" u+s;")
	}
	return b.String()
}

// Find gives the first trouble that bwrap's words and the signs show.
func Find(words string, s Signs) (Trouble, bool) {
	text := s.text(words)
	for _, t := range Troubles() {
		if _, after, ok := strings.Cut(text, t.Sign); ok && strings.Contains(after, t.Host) {
			return t, true
		}
	}
	return Trouble{}, false
}
