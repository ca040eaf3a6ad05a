package profile

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Each check answers with the zero fault where the text is right.

var (
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	passPattern  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*?$`)
	toolName     = regexp.MustCompile(`^[a-z0-9][a-z0-9+._-]*$`)
	busName      = regexp.MustCompile(`^[A-Za-z_-][A-Za-z0-9_-]*(\.[A-Za-z_-][A-Za-z0-9_-]*)+(\.\*)?$`)
	hostName     = regexp.MustCompile(`^(\*\.)?([A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?\.)*[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?$`)
)

func checkLine(text string) fault {
	if !printable(text) {
		return notOneLine(text)
	}
	return fault{}
}

// printable reports whether a text can stand in a comment and on a terminal:
// one line, without control characters and without those that turn the
// direction of writing.
func printable(text string) bool {
	for _, c := range text {
		if !unicode.IsGraphic(c) {
			return false
		}
	}
	return utf8.ValidString(text)
}

func checkArgument(text string) fault {
	if strings.ContainsRune(text, 0) {
		return hasNUL(text)
	}
	return fault{}
}

func checkContent(text string) fault {
	if text == "" {
		return emptyContent()
	}
	return checkArgument(text)
}

func checkTool(text string) fault {
	if !toolName.MatchString(text) {
		return badTool(text)
	}
	return fault{}
}

func checkToolFile(text string) fault {
	switch {
	case strings.ContainsRune(text, 0):
		return hasNUL(text)
	case !strings.HasSuffix(text, ".toml"):
		return badToolFile(text)
	}
	return fault{}
}

func checkVariable(text string) fault {
	if !variableName.MatchString(text) {
		return badVariable(text)
	}
	return fault{}
}

func checkPattern(text string) fault {
	if !passPattern.MatchString(text) {
		return badPattern(text)
	}
	return fault{}
}

func checkSocket(text string) fault {
	if !slices.Contains(SocketNames(), text) {
		return badSocket(text)
	}
	return fault{}
}

// checkBusName accepts a name of the session bus, or all names below one, but
// none by which the bus starts whatever it is told, outside the sandbox.
func checkBusName(text string) fault {
	if len(text) > 255 || !busName.MatchString(text) {
		return badBusName(text)
	}
	root := strings.TrimSuffix(text, ".*")
	for _, name := range startersOnBus() {
		if text == name || root != text && strings.HasPrefix(name+".", root+".") {
			return starterOnBus(text, name)
		}
	}
	return fault{}
}

// startersOnBus are the names that run any command for those who ask.
func startersOnBus() []string {
	return []string{
		"org.freedesktop.DBus", "org.freedesktop.systemd1", "org.freedesktop.Flatpak",
		"org.freedesktop.impl.portal.PermissionStore", "org.gnome.Shell", "org.kde.kwin", "org.kde.plasmashell", "ca.desrt.dconf",
	}
}

// checkHost accepts a name, *.name or address, with or without a port.
func checkHost(text string) fault {
	host, port, hasPort := text, "", false
	if _, err := netip.ParseAddr(text); err == nil {
		return fault{}
	}
	if i := strings.LastIndexByte(text, ':'); i >= 0 && !strings.HasSuffix(text, "]") {
		host, port, hasPort = text[:i], text[i+1:], true
	}
	if n, err := strconv.Atoi(port); hasPort && (err != nil || n < 1 || n > 65535 || port != strconv.Itoa(n)) {
		return badHost(text)
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err == nil && addr.Is6() && strings.HasSuffix(inner, "]") {
			return fault{}
		}
		return badHost(text)
	}
	long := func(label string) bool { return len(label) > 63 }
	if len(host) > 253 || !hostName.MatchString(host) || slices.ContainsFunc(strings.Split(host, "."), long) {
		return badHost(text)
	}
	return fault{}
}
