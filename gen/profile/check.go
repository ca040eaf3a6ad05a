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
		return notOneLine(text)
	}
	return problem.Problem{}
}

// printable reports whether a text can stand in a comment and on a terminal:
// one line, without control characters and without those that turn the
// direction of writing.
func checkArgument(text string) problem.Problem {
	if strings.ContainsRune(text, 0) {
		return hasNUL(text)
	}
	return problem.Problem{}
}

func checkContent(text string) problem.Problem {
	if text == "" {
		return emptyContent()
	}
	return checkArgument(text)
}

func checkTool(text string) problem.Problem {
	if !toolName.MatchString(text) {
		return badTool(text)
	}
	return problem.Problem{}
}

func checkToolFile(text string) problem.Problem {
	switch {
	case strings.ContainsRune(text, 0):
		return hasNUL(text)
	case !strings.HasSuffix(text, ".toml"):
		return badToolFile(text)
	}
	return problem.Problem{}
}

func checkVariable(text string) problem.Problem {
	if !variableName.MatchString(text) {
		return badVariable(text)
	}
	return problem.Problem{}
}

func checkPattern(text string) problem.Problem {
	if !passPattern.MatchString(text) {
		return badPattern(text)
	}
	return problem.Problem{}
}

func checkSocket(text string) problem.Problem {
	if !slices.Contains(catalogue.SocketNames(), text) {
		return badSocket(text)
	}
	return problem.Problem{}
}

// checkBusName accepts a name of the session bus, or all names below one, but
// none by which the bus starts whatever it is told, outside the sandbox.
func checkBusName(text string) problem.Problem {
	if len(text) > 255 || !busName.MatchString(text) {
		return badBusName(text)
	}
	root := strings.TrimSuffix(text, ".*")
	for _, name := range startersOnBus() {
		if text == name || root != text && strings.HasPrefix(name+".", root+".") {
			return starterOnBus(text, name)
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
		return badHost(text)
	case d.Name == "localhost", d.Address.IsLoopback(), d.Address.IsUnspecified():
		return ownHost(text)
	}
	return problem.Problem{}
}
