package lint

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint/trace"
)

// sensitive is one place of the catalogue.
type sensitive struct {
	at   string // may hold *
	pass string
}

// places are those of the catalogue for a user of whom nothing is known.
func places(list []catalogue.Secret, kinds ...catalogue.Kind) []sensitive {
	env := expr.Env{Home: home, Lookup: map[string]string{"XDG_RUNTIME_DIR": runtime}}
	var all []sensitive
	for _, s := range list {
		at, ok := s.Eval(env)
		one := sensitive{settle(strings.Replace(at, "/run/user/*", runtime, 1)), s.Pass}
		switch {
		case !ok, !slices.Contains(kinds, s.Kind), slices.Contains(all, one):
		default:
			all = append(all, one)
		}
	}
	return all
}

// public are names among secrets that tell nothing.
var public = regexp.MustCompile(`(^|/)([^/]*\.pub|known_hosts2?|config|allowed_signers|pubring\.(kbx|gpg))$`)

// exposed lists which of the places the command reaches through a mount: that
// of the bind itself, or those below it.
func (m *mount) exposed(all []sensitive) (itself bool, below []sensitive) {
	for _, s := range all {
		isUsers := expr.Within(s.at, home) || expr.Within(s.at, "/run") // what lies elsewhere is mostly root's alone
		switch at := fixed(s.at); {
		case !m.bind:
		case matches(m.src, s.at):
			itself = true
		case isUsers && m.reaches(at):
			below = append(below, s)
		}
	}
	return itself, below
}

// matches reports whether a place is a sensitive one, or lies in it.
func matches(at, pattern string) bool {
	at, _, isGlob := strings.Cut(at, "\x00*\x00") // what a pattern of the script's stands for
	parts, depth := strings.Split(at, "/"), strings.Count(pattern, "/")+1
	if len(parts) < depth {
		return false
	}
	top := strings.Join(parts[:depth], "/")
	ok, _ := path.Match(pattern, top)
	if isGlob && !ok {
		ok, _ = path.Match(top, pattern)
	}
	return ok
}

// fixed is the part of a pattern that names a directory for sure.
func fixed(pattern string) string {
	if i := strings.IndexAny(pattern, "*?["); i >= 0 {
		return path.Dir(pattern[:i] + "x")
	}
	return pattern
}

// wellKnown stand first in a list.
var wellKnown = []string{
	home + "/.ssh", home + "/.gnupg", home + "/.aws", home + "/.netrc", home + "/.git-credentials", home + "/.config/gh",
	home + "/.kube", "/run/docker.sock", "/run/podman/podman.sock", runtime + "/bus",
}

// listed names the first few of some places.
func listed(all []sensitive) string {
	rank := func(s sensitive) uint { return uint(slices.Index(wellKnown, s.at)) } // of another one the last
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b sensitive) int { return cmp.Compare(rank(a), rank(b)) })
	var names []string
	for _, s := range all[:min(3, len(all))] {
		names = append(names, shown(s.at))
	}
	if len(all) > len(names) {
		return strings.Join(names, ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

func secrets(m *mount) {
	if public.MatchString(m.src) {
		return
	}
	itself, below := m.exposed(m.call.script.credentials)
	isRoots := func(s sensitive) bool { return expr.Within(s.at, "/run") && !expr.Within(s.at, runtime) }
	below = slices.DeleteFunc(below, isRoots)
	switch {
	case itself:
		m.report("the command can read the secrets in %s", shown(m.src))
	case len(below) > 0:
		m.report("the command can read what lies in %s: %s", shown(m.src), listed(below))
	}
}

func persistence(m *mount) {
	switch itself, below := m.exposed(m.call.script.persistent); {
	case expr.Within(home, m.src): // another rule's
	case m.holdsScript():
		m.report("the command can change this script, and so what is outside the next time")
	case itself:
		m.report("the command can change %s, which is run or believed outside later", shown(m.src))
	case len(below) > 0:
		m.report("the command can change what is run or believed outside later: %s", listed(below))
	default:
		if isCredential, _ := m.exposed(m.call.script.credentials); isCredential && !expr.Within(m.src, "/run") {
			m.report("the command can change the credentials in %s, and settings beside them", shown(m.src))
		}
	}
}

// holdsScript reports whether a mount shows the directory in which the script lies, or one
// above it, and nothing holds the script.
func (m *mount) holdsScript() bool {
	text := m.Operands[0].Text
	if !ofScript(text.First()) {
		return false
	}
	above, known := text[1:].Literal()
	if !known || strings.Trim(above, "./") != "" {
		return false
	}
	return !slices.ContainsFunc(m.later(), func(later mount) bool {
		return !later.writable && ofScript(later.Operands[0].Text)
	})
}

// ofScript reports whether a text is made of the script's own path.
func ofScript(t trace.Text) bool { return slices.ContainsFunc([]string{"0", "BASH_SOURCE"}, t.MadeOf) }

func masks(m *mount) {
	isSecret := func(s sensitive) bool { return m.dest == s.at }
	switch {
	case m.Name != "--tmpfs", !m.sure, m.call.remounted(m.dest):
	case slices.ContainsFunc(m.call.script.credentials, isSecret):
		m.report("what covers %s can be written to", shown(m.dest))
	}
}

// socketKind is a group of sockets of which one rule tells.
type socketKind struct {
	Rule      string
	Severity  Severity // 0: the rule's
	Pass      []string // names in the catalogue
	Variables []string // that lead to it
	Says      string
}

// waylandSocket is the socket of any compositor of the user's.
var waylandSocket = regexp.MustCompile(`/wayland-\d+$`)

// socketKind gives the kind of the socket that a mount shows by itself.
func (m *mount) socketKind() socketKind {
	src := waylandSocket.ReplaceAllString(m.src, "/wayland-0") // the catalogue has the first
	for _, kind := range data().Sockets {
		isIts := func(s sensitive) bool { return slices.Contains(kind.Pass, s.pass) && matches(src, s.at) }
		switch {
		case slices.ContainsFunc(kind.Variables, m.Operands[0].Text.MadeOf), slices.ContainsFunc(m.call.script.sockets, isIts):
			return kind
		}
	}
	return socketKind{}
}

// socketOf is a rule's function for the sockets of its kinds.
func socketOf(rule string) func(*mount) {
	return func(m *mount) {
		if m.socket.Rule == rule {
			m.reportPower(m.socket.Says, m.socket.Severity)
		}
	}
}

// lookups are places of services that only answer questions.
var lookups = []string{"/run/systemd/userdb", "/run/systemd/resolve", "/run/nscd", "/run/udev"}

// directories are places that hold sockets of all kinds.
var directories = []string{"/run", "/run/user", runtime}

func controlSocket(m *mount) {
	if m.socket.Rule != "" {
		socketOf("control-socket")(m)
		return
	}
	itself, below := m.exposed(slices.DeleteFunc(slices.Clone(m.call.script.sockets), func(s sensitive) bool {
		switch {
		case expr.Within(s.at, "/tmp"): // another rule's
			return true
		case matches(m.src, s.at):
			return !slices.Contains([]string{"", "dbus"}, s.pass)
		}
		// In home few hosts have one, where a directory is bound that holds other things.
		return !expr.Within(s.at, "/run")
	}))
	switch {
	case slices.Contains(lookups, m.src):
	case itself:
		m.report("the command can ask the daemon behind %s to act outside the sandbox", shown(m.src))
	case slices.Contains(directories, m.src) && m.reaches(m.src):
		m.report("the command can connect to all sockets in %s", shown(m.src))
	case len(below) > 0:
		m.report("the command can connect to sockets in %s: %s", shown(m.src), listed(below))
	}
}

func x11(m *mount) {
	if expr.Within(m.src, "/tmp/.X11-unix") && m.reaches(m.src) {
		m.report("the command can read and send keys of all X11 programs")
	}
}
