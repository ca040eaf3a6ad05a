package profile

import (
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/problem"
)

// check answers with the zero Problem where a text is right.
type check func(text string) problem.Problem

// accept is a check by a question; what has a %q for the text.
func accept(isRight func(text string) bool, hint, what string) check {
	return func(text string) problem.Problem {
		if isRight(text) {
			return problem.Problem{}
		}
		return wrong(hint, what, text)
	}
}

// every is the first problem of some checks.
func every(checks ...check) check {
	return func(text string) problem.Problem {
		for _, check := range checks {
			if bad := check(text); bad.What != "" {
				return bad
			}
		}
		return problem.Problem{}
	}
}

func matches(pattern string) func(text string) bool { return regexp.MustCompile(pattern).MatchString }

var (
	notEmpty  = accept(func(text string) bool { return text != "" }, "leave it out", "empty text: %q")
	checkLine = accept(problem.Printable,
		"leave out line breaks and control characters; it becomes a comment of the launcher", "not one printable line: %q")
	checkArgument = accept(func(text string) bool { return !strings.ContainsRune(text, 0) },
		"no path, argument or variable can hold one", "holds a NUL byte: %q")
	checkTool = accept(matches(`^[a-z0-9][a-z0-9+._-]*$`),
		"bwrapgen catalogue lists the names", "not a tool's name: %q")
	checkToolFile = every(checkArgument, accept(func(text string) bool { return strings.HasSuffix(text, ".toml") },
		"name a file that ends in .toml", "not a file in TOML: %q"))
	checkVariable = accept(matches(`^[A-Za-z_][A-Za-z0-9_]*$`),
		"a name holds letters, digits and _, and does not begin with a digit", "not a variable's name: %q")
	checkPattern = every(
		accept(func(text string) bool { return text != "*" },
			"list the names, or prefixes such as LC_*", "would pass the whole environment: %q"),
		accept(matches(`^[A-Za-z_][A-Za-z0-9_]*\*?$`),
			"write NAME, or PREFIX_* for all that begin so", "not a variable's name: %q"))
)

func checkSocket(text string) problem.Problem {
	if !slices.Contains(catalogue.SocketNames(), text) {
		return notOneOf(catalogue.SocketNames(), text)
	}
	return problem.Problem{}
}

var isBusName = matches(`^[A-Za-z_-][A-Za-z0-9_-]*(\.[A-Za-z_-][A-Za-z0-9_-]*)+(\.\*)?$`)

// checkBusName accepts a name of the session bus, or all names below one, but
// none by which the bus starts whatever it is told, outside the sandbox.
func checkBusName(text string) problem.Problem {
	if len(text) > 255 || !isBusName(text) {
		return wrong(`write "org.freedesktop.Notifications", or "org.mpris.MediaPlayer2.*" for all below it`,
			"not a name on the session bus: %q", text)
	}
	above, all := strings.CutSuffix(text, "*")
	for _, name := range startersOnBus() {
		isAbove := all && strings.HasPrefix(name+".", above)
		if text == name || isAbove {
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
		"org.freedesktop.impl.portal.PermissionStore", "org.gnome.Shell", "org.kde.kwin", "org.kde.plasmashell",
		"ca.desrt.dconf",
	}
}

// checkHost accepts a name, *.name or address, with or without a port. A name without a dot is
// usually that of a tool, and resolves on local networks at most.
func checkHost(text string) problem.Problem {
	d, ok := ParseDestination(text)
	switch {
	case !ok:
		const hint = `write "github.com", "*.githubusercontent.com", "example.org:443" or "[2001:db8::1]:443", without scheme and path`
		return wrong(hint, "not a host: %q", text)
	case d.Name != "" && d.Name != "localhost" && !d.Below && !strings.Contains(d.Name, "."):
		return wrong(`write the full name, such as "registry.npmjs.org:443", or an address; tools go into toolchains.use`,
			"not a host: %q has no dot", text)
	case d.Name == "localhost", d.Address.IsLoopback(), d.Address.IsUnspecified():
		return wrong("list the port of this machine's loopback in network.reach",
			"%q is the sandbox's own loopback, not this machine's", text)
	}
	return problem.Problem{}
}
