package profile

import (
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/problem"
)

// Each check answers with the zero Problem where the text is right.

var (
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	passPattern  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*?$`)
	toolName     = regexp.MustCompile(`^[a-z0-9][a-z0-9+._-]*$`)
	busName      = regexp.MustCompile(`^[A-Za-z_-][A-Za-z0-9_-]*(\.[A-Za-z_-][A-Za-z0-9_-]*)+(\.\*)?$`)
)

func checkLine(text string) problem.Problem {
	if !problem.Printable(text) {
		return wrong("leave out line breaks and control characters; it becomes a comment of the launcher",
			"not one printable line: %q", text)
	}
	return problem.Problem{}
}

// filled is a check that refuses an empty text, too.
func filled(check func(text string) problem.Problem) func(text string) problem.Problem {
	return func(text string) problem.Problem {
		if text == "" {
			return problem.New("empty text", "leave it out")
		}
		return check(text)
	}
}

func checkArgument(text string) problem.Problem {
	if strings.ContainsRune(text, 0) {
		return wrong("no path, argument or variable can hold one", "holds a NUL byte: %q", text)
	}
	return problem.Problem{}
}

func checkTool(text string) problem.Problem {
	if !toolName.MatchString(text) {
		return wrong("bwrapgen catalogue lists the names", "not a tool's name: %q", text)
	}
	return problem.Problem{}
}

func checkToolFile(text string) problem.Problem {
	if bad := checkArgument(text); bad.What != "" || strings.HasSuffix(text, ".toml") {
		return bad
	}
	return wrong("name a file that ends in .toml", "not a file in TOML: %q", text)
}

func checkVariable(text string) problem.Problem {
	if !variableName.MatchString(text) {
		return wrong("a name holds letters, digits and _, and does not begin with a digit",
			"not a variable's name: %q", text)
	}
	return problem.Problem{}
}

func checkPattern(text string) problem.Problem {
	switch {
	case text == "*":
		return problem.New(`would pass the whole environment: "*"`, "list the names, or prefixes such as LC_*")
	case !passPattern.MatchString(text):
		return wrong("write NAME, or PREFIX_* for all that begin so", "not a variable's name: %q", text)
	}
	return problem.Problem{}
}

func checkSocket(text string) problem.Problem {
	if !slices.Contains(catalogue.SocketNames(), text) {
		return notOneOf(catalogue.SocketNames(), text)
	}
	return problem.Problem{}
}

// checkBusName accepts a name of the session bus, or all names below one, but
// none by which the bus starts whatever it is told, outside the sandbox.
func checkBusName(text string) problem.Problem {
	if len(text) > 255 || !busName.MatchString(text) {
		return wrong(`write "org.freedesktop.Notifications", or "org.mpris.MediaPlayer2.*" for all below it`,
			"not a name on the session bus: %q", text)
	}
	root := strings.TrimSuffix(text, ".*")
	for _, name := range startersOnBus() {
		if text == name || root != text && strings.HasPrefix(name+".", root+".") {
			return wrong("name what is needed, and no more",
				"%q reaches %s, which starts programs outside the sandbox or guards them", text, name)
		}
	}
	return problem.Problem{}
}

// startersOnBus are the names that run any command for those who ask.
func startersOnBus() []string {
	return []string{
		"org.freedesktop.DBus", "org.freedesktop.systemd1", "org.freedesktop.Flatpak",
		"org.freedesktop.impl.portal.PermissionStore", "org.gnome.Shell", "org.kde.kwin", "org.kde.plasmashell", "ca.desrt.dconf",
	}
}

// checkHost accepts a name, *.name or IPv4 address, with or without a port.
func checkHost(text string) problem.Problem {
	d, ok := ParseDestination(text)
	switch {
	case !ok:
		return wrong(`write "github.com", "*.githubusercontent.com", "host:port" or "[2001:db8::1]:443", without scheme and path`,
			"not a host: %q", text)
	case d.Name == "localhost", d.Address.IsLoopback(), d.Address.IsUnspecified():
		return wrong("write in network.reach which port of this host's loopback is meant",
			"the sandbox's own, and never this host's: %q", text)
	}
	return problem.Problem{}
}
