package lint

import (
	"path"
	"regexp"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint/trace"
)

// Stand-ins for what differs from user to user, in a place.
const (
	someone = "\x01"
	home    = "/home/" + someone
	uid     = "\x02"
	runtime = "/run/user/" + uid
	cwd     = "/\x03"
)

// place is a path in which names stand for what the script does not tell: two
// places that are the same text are the same path. Empty: not known at all.
func place(t trace.Text) string {
	if len(t) == 0 {
		return ""
	}
	var b strings.Builder
	for i, p := range t {
		b.WriteString(stand(p, i == 0))
	}
	at := b.String()
	if strings.Contains(at, "\x00") { // what lies above a place that is not known is not known either
		at = strings.ReplaceAll(at, "/..", "/\x00..\x00")
	}
	if !strings.HasPrefix(at, "/") {
		at = cwd + "/" + at
	}
	return settle(path.Clean(at))
}

// stands are variables that differ from user to user, and what stands for their values.
var stands = map[string]string{
	"HOME": home, "PWD": cwd, "XDG_RUNTIME_DIR": runtime, "UID": uid, "EUID": uid, "USER": someone, "LOGNAME": someone,
}

func stand(p trace.Piece, first bool) string {
	if p.Name == "" {
		return p.Literal
	}
	key := trace.Text{p}.Key()
	switch at, known := stands[p.Name]; {
	case known && p.Inherited():
		return at
	case !first:
		return key
	case !p.Inherited():
	case homes[p.Name] != "":
		return home + "/" + homes[p.Name]
	case place(p.Default) != "":
		return place(p.Default)
	}
	return "/" + key
}

// homes are variables that lead to a place in the home directory, and where that is
// while they are unset.
var homes = map[string]string{
	"XAUTHORITY": ".Xauthority", "XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share", "XDG_CACHE_HOME": ".cache", "XDG_STATE_HOME": ".local/state",
	"GNUPGHOME": ".gnupg", "CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup", "CODEX_HOME": ".codex", "CLAUDE_CONFIG_DIR": ".claude",
}

// settled are other names of places, and the one that is used here.
var settled = []struct {
	other *regexp.Regexp
	place string
}{
	{regexp.MustCompile(`^/root(/|$)`), home + "$1"},
	{regexp.MustCompile(`^/home/[^/\x00]+(/|$)`), home + "$1"},
	{regexp.MustCompile(`^/var/run(/|$)`), "/run$1"},
	{regexp.MustCompile(`^/run/user/[^/\x00]+(/|$)`), runtime + "$1"},
}

// settle gives other names of the same places one name.
func settle(at string) string {
	if expr.Within(at, "/home/linuxbrew") {
		return at
	}
	for _, s := range settled {
		at = s.other.ReplaceAllString(at, s.place)
	}
	return at
}

// maybeWithin is expr.Within; where the script does not determine the rest of top, it assumes yes.
func maybeWithin(at, top string) bool {
	if i := strings.IndexByte(top, 0); i >= 0 {
		return strings.HasPrefix(at, top[:i]) || strings.HasPrefix(top[:i], at)
	}
	return expr.Within(at, top)
}

// unknown is a piece of a place that the script does not tell.
var unknown = regexp.MustCompile(`\x00[^\x00]*\x00(?:-?\d+\x00)?`)

// shown is a place as a sentence names it.
func shown(at string) string {
	if strings.HasPrefix(at, "/\x00") { // nobody knows whether it begins at the root
		at = at[1:]
	}
	at = strings.ReplaceAll(unknown.ReplaceAllStringFunc(at, func(piece string) string {
		switch name := strings.Split(piece, "\x00")[1]; name {
		case "*": // what the pattern before it stands for
			return ""
		case "..":
			return name
		default:
			return "$" + name
		}
	}), uid, "UID")
	switch {
	case expr.Within(at, home):
		return "~" + at[len(home):]
	case expr.Within(at, cwd):
		return "$PWD" + at[len(cwd):]
	}
	return strings.ReplaceAll(at, someone, "USER")
}

// maybeSame reports whether two places are, or may be, the same: the script may not determine the first.
func maybeSame(at, other string) bool {
	return at == other || strings.IndexByte(at, 0) >= 0 && maybeWithin(other, at)
}
