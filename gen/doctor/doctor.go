// Package doctor knows why a host makes no sandbox, and what to do about it.
//
// It is pure: it reads bwrap's words and what somebody has read of the host. A
// launcher holds the same table, in bash.
package doctor

import (
	_ "embed" // the table
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// Trouble is one reason why there is no sandbox. Its table says what each text is.
type Trouble struct{ Sign, Host, What, Fix, More string }

//go:embed troubles.toml
var table []byte

// Troubles is the whole table. Of two that match, the first counts.
var Troubles = sync.OnceValue(func() []Trouble {
	var read struct{ Trouble []Trouble }
	if err := toml.Unmarshal(table, &read); err != nil {
		panic(err) // a test reads it, too
	}
	return read.Trouble
})

// refusals are bwrap's words where it may have no namespace of its own.
var refusals = []string{"namespace", "uid map", "RTM_NEWADDR"}

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
	if containsAny(words, refusals...) {
		b.WriteString(" refused;")
	}
	for _, name := range Settings() {
		if value, ok := s.Settings[name]; ok {
			b.WriteString(" " + name + "=" + value + ";")
		}
	}
	if s.Container {
		b.WriteString(" container;")
	}
	if s.Setuid || containsAny(words, "setuid use", "Unexpected cap") {
		b.WriteString(" u+s;")
	}
	return b.String()
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
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
