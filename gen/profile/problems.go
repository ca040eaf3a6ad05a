package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// --- Files and inheritance ---

func unreadable(err error) problem.Problem {
	hint := "a profile is a file in TOML"
	if errors.Is(err, fs.ErrPermission) {
		hint = "see with ls -ld who may read it, and who may enter the directories above"
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // the place is named already
	}
	return problem.New(fmt.Sprintf("cannot be read: %v", err), hint)
}

func noSuchFile(name, near string, chain []string) problem.Problem {
	hint := "a path is relative to the profile that names it"
	if len(chain) < 2 { // nobody named it but the command line
		hint = "look for a mistake in the name"
	}
	if near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return problem.New(fmt.Sprintf("no such file: %q%s", name, via(chain)), hint)
}

func noSuchProfile(name string, known, chain []string) problem.Problem {
	f := problem.Problem{What: fmt.Sprintf("no built-in profile of this name: %q%s", name, via(chain))}
	switch near := source.Nearest(name, known); {
	case near != "":
		f.Hint = fmt.Sprintf("did you mean %q? a file is named with its .toml", near)
	case len(known) > 0:
		f.Hint = "built in are " + strings.Join(known, ", ") + "; a file is named with its .toml"
	default:
		f.Hint = "a file is named with its .toml"
	}
	if name == "-" {
		f.Hint = "a profile is not read from standard input: write it to a file, and name that"
	}
	return f
}

// via names the profiles that lead to a missing one.
func via(chain []string) string {
	if len(chain) < 3 {
		return ""
	}
	return " (" + arrows(chain) + ")"
}

func arrows(chain []string) string {
	shown := make([]string, len(chain))
	for i, name := range chain {
		shown[i] = problem.OneLine(name)
	}
	return strings.Join(shown, " -> ")
}

func cycle(chain []string) problem.Problem {
	return problem.New("extends itself: "+arrows(chain), "take one of these out of its extends")
}

func tooDeep(chain []string) problem.Problem {
	return problem.New(fmt.Sprintf("more than %d profiles in a row extend each other: %s -> ...",
		maxDepth, arrows(chain[:3])), "shorten the chain")

}

func fileInBuiltin(name string) problem.Problem {
	return problem.New(fmt.Sprintf("a built-in profile names a file: %q", name), "name a built-in profile")
}

// --- Keys and types ---

// retired are keys of older versions, and what to write instead. A key of
// [caches.NAME] stands here as one of [caches].
var retired = map[string]string{
	"caches.store":    `leave it out: caches.mode = "ephemeral" is memory, "keep" and "session" are on disk`,
	"caches.fallback": "leave it out: a cache that cannot be overlaid is empty and kept in the store",
}

func unknownKey(key string, known []string) problem.Problem {
	f := problem.Problem{What: "unknown key"}
	table, name := splitKey(key)
	first, _, _ := strings.Cut(table, ".")
	if hint, ok := retired[first+"."+name]; ok {
		f.Hint = hint
		return f
	}
	if near := nearestKey(key, known); near != "" {
		f.Hint = "did you mean " + near + "?"
		return f
	}
	var same []string
	for _, k := range known {
		if t, name := splitKey(k); t == table {
			same = append(same, name)
		}
	}
	switch {
	case table == "":
		f.Hint = "outside of tables stand " + strings.Join(same, ", ")
	case len(same) > 0:
		f.Hint = "[" + table + "] knows " + strings.Join(same, ", ")
	}
	return f
}

func unknownTable(key string, known []string) problem.Problem {
	f := problem.Problem{What: "unknown table"}
	if near := source.Nearest(key, known); near != "" {
		f.Hint = "did you mean [" + near + "]?"
	} else {
		f.Hint = "the tables are " + strings.Join(known, ", ")
	}
	return f
}

func wrongType(got any, want, example string) problem.Problem {
	return problem.New(fmt.Sprintf("not %s but %s", want, source.TypeName(got)), "write "+example)
}

func notOneOf(err error, known []string, text string) problem.Problem {
	f := problem.New(err.Error(), "write one of these")
	if near := source.Nearest(text, known); near != "" {
		f.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	return f
}

func notADrop(key string) problem.Problem {
	return problem.New("only what a list holds can be dropped", "to change "+key+", write it anew")
}

func dropsAbsent(text, key string) problem.Problem {
	return problem.New(fmt.Sprintf("drops what is not there: %q", text),
		"the inherited "+key+" does not hold it; profiles show --resolved lists what it holds")

}

// --- Texts and names ---

func hasNUL(text string) problem.Problem {
	return problem.New(fmt.Sprintf("holds a NUL byte: %q", text), "no path, argument or variable can hold one")
}

func isEmpty(hint string) problem.Problem { return problem.New("empty text", hint) }

func notOneLine(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not one printable line: %q", text),
		"leave out line breaks and control characters; it becomes a comment of the launcher")

}

func badVariable(name string) problem.Problem {
	return problem.New(fmt.Sprintf("not a variable's name: %q", name),
		"a name holds letters, digits and _, and does not begin with a digit")

}

func badPattern(name string) problem.Problem {
	if name == "*" {
		return problem.New(`would pass the whole environment: "*"`, "list the names, or prefixes such as LC_*")
	}
	return problem.New(fmt.Sprintf("not a variable's name: %q", name),
		"write NAME, or PREFIX_* for all that begin so")

}

func badTool(name string) problem.Problem {
	return problem.New(fmt.Sprintf("not a tool's name: %q", name), "bwrapgen catalogue lists the names")
}

func badToolFile(name string) problem.Problem {
	return problem.New(fmt.Sprintf("not a file in TOML: %q", name), "name a file that ends in .toml")
}

func badBusName(name string) problem.Problem {
	return problem.New(fmt.Sprintf("not a name on the session bus: %q", name), `write "org.freedesktop.Notifications", or "org.mpris.MediaPlayer2.*" for all below it`)
}

func starterOnBus(text, name string) problem.Problem {
	return problem.New(fmt.Sprintf("%q reaches %s, which starts programs outside the sandbox or guards them", text, name), "name what is needed, and no more")
}

func busWithoutPass(key string) problem.Problem {
	return problem.New(key+" has no effect without the session bus", `write sockets.pass = ["dbus"], or leave it out`)
}

func badSocket(name string) problem.Problem {
	return notOneOf(fmt.Errorf("not one of %s: %q", strings.Join(catalogue.SocketNames(), ", "), name),
		catalogue.SocketNames(), name)
}

func badHost(name string) problem.Problem {
	return problem.New(fmt.Sprintf("not a host: %q", name),
		`write "github.com", "*.githubusercontent.com", "host:port" or "[2001:db8::1]:443", without scheme and path`)
}

func badPublished(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not a port to publish: %q", text), `write 3000, "8080:80", "3000-3009", "0.0.0.0:3000" or "[::1]:3000", of 1 to 65535`)
}

func badReached(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not a port of this host's loopback: %q", text), `write "127.0.0.1:5432", "localhost:5432" or "[::1]:5432"; what else there is, network.allow lists`)
}

func badProxy(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not a proxy on this host's loopback: %q", text), `write "http://127.0.0.1:3128"; for one elsewhere, set http_proxy and https_proxy in environment.set`)
}

func portsWithoutNetwork(mode NetworkMode) problem.Problem {
	return problem.New(fmt.Sprintf("has no effect with network.mode %q", mode.String()), `write network.mode = "private" or "allow", or leave it out`)
}

func publishedTwice(text, other string) problem.Problem {
	return problem.New(fmt.Sprintf("%q publishes a port that %q publishes, too", text, other), "publish each port once")
}

func publishedAndReached(port int) problem.Problem {
	return problem.New(fmt.Sprintf("leads to port %d of the sandbox, which leads to this host's by network.reach or proxy", port), "let it lead to another port inside")
}

func ownHost(name string) problem.Problem {
	return problem.New(fmt.Sprintf("the sandbox's own, and never this host's: %q", name),
		`write in network.reach which port of this host's loopback is meant`)
}

func emptyCommand() problem.Problem {
	return problem.New("the command's name is empty", "write command = [] to take it from the arguments")
}

// --- Numbers ---

func badDuration(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not a duration: %q", text), `write whole seconds, minutes or hours: "120s", "2m", "1h"`)
}

func tooLong(text string) problem.Problem {
	return problem.New(fmt.Sprintf("longer than a year: %q", text), "leave it out for no limit")
}

func badSize(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not a size: %q", text), `write bytes or a power of 1024: "30KiB", "512MiB", "2GiB"`)
}

func tooSmall(text, least, none string) problem.Problem {
	f := problem.New(fmt.Sprintf("less than %s: %s", least, text), "write "+least+" or more")
	if none != "" {
		f.Hint = "for no limit, write " + none
	}
	return f
}

func tooMany(text string) problem.Problem {
	return problem.New("too large: "+text, "for no limit, write 0")
}

func timeoutAboveMax(timeout, limit string) problem.Problem {
	return problem.New(fmt.Sprintf("longer than limits.max-timeout: %q", timeout),
		fmt.Sprintf("max-timeout is %s; raise it, or shorten the timeout", limit))

}

// --- Paths ---

func badPath(err error, text string) problem.Problem {
	f := problem.Problem{What: fmt.Sprintf("%s: %q", strings.TrimPrefix(err.Error(), "is "), text)}
	switch {
	case strings.Contains(f.What, "absolute"):
		f.Hint = "a path begins with /, ~/, ./ (the project) or a variable such as $XDG_CACHE_HOME/"
	case strings.Contains(f.What, "$"), strings.Contains(f.What, "variable"):
		f.Hint = "write $NAME/rest or ${NAME:-~/fallback}/rest; nothing else is expanded"
	case strings.Contains(f.What, "another user"):
		f.Hint = "write the path in full"
	case strings.Contains(f.What, "NUL"):
		f.Hint = "no path, argument or variable can hold one"
	case strings.Contains(f.What, "empty"):
		f.Hint = "write a path, or leave the element out"
	case strings.Contains(f.What, "climbs"):
		f.Hint = "write the path without .."
	}
	return f
}

func notInProject(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not a path inside the project: %q", text),
		"write it from the project's root: .git/hooks")

}

func wholeProject(kind Kind) problem.Problem {
	if kind == KindProtect {
		return problem.New("would protect the whole project", `write project.access = "read"`)
	}
	return problem.New("would hide the whole project", "name what is in it")
}

func notAbsolute(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not an absolute path: %q", text), `a place inside begins with /; write "" for its own path`)
}

func twoSuffixes(text string) problem.Problem {
	return problem.New(fmt.Sprintf("more than one suffix: %q", text),
		"write ? for what may be absent or ! for what is made where it is absent; "+
			"for a name that ends so, write { path = ... }")

}

func optionalAndCreated(text string) problem.Problem {
	return problem.New(fmt.Sprintf("both optional and created: %q", text), "what is created is never absent; choose one")
}

func noCreate(kind Kind, text string) problem.Problem {
	return problem.New(fmt.Sprintf("nothing is created for %s: %q", kind, text),
		"leave out the !; for a name that ends so, write { path = ... }")

}

func literal(char, text string) problem.Problem {
	hint := "list the names: only project.protect and project.hide take patterns, and filesystem.hide a * in a plain last name; " +
		"for a name that really holds a *, write { path = ... }"
	if char == "$" {
		hint = "a variable stands only at the beginning; for a name that really holds a $, write { path = ... }"
	}
	return problem.New(fmt.Sprintf("holds a %s, which is not expanded: %q", char, text), hint)
}

func deepPattern(rest string) problem.Problem {
	return problem.New(fmt.Sprintf("holds a **: %q", rest[1:]), `a * stands for a part of one name: list each depth, as ".env", "*/.env", "*/*/.env"`)
}

func badNames(rest string) problem.Problem {
	return problem.New(fmt.Sprintf("not a pattern: %q", rest[1:]),
		"* is any text, ? one character, [abc], [a-z] or [!0-9] one of some; for a name that holds one of them, write [*], [?] or [[]")

}

func noPath() problem.Problem {
	return problem.New("has no path", `write { path = "~/.gitconfig" }`)
}

func entryKey(name string, known []string) problem.Problem {
	return problem.New(fmt.Sprintf("unknown key in an entry: %q", name), "an entry here knows "+strings.Join(known, ", "))
}

func emptyContent() problem.Problem {
	return problem.New("a file of nothing", `say what it begins with: content = "{}\n"`)
}

func noWhy() problem.Problem {
	return problem.New("a credential without its reason", `say what it is for: why = "..."`)
}

func credentialPlace(text string) problem.Problem {
	return problem.New(fmt.Sprintf("a credential outside home and project: %q", text),
		`choose a place below ~/ or ./: at = "~/.netrc"`)

}

func credentialText() problem.Problem {
	return problem.New("a credential needs its reason", `write { path = "...", at = "~/...", why = "..." }`)
}

func contradicts(text string, with Origin, why string) problem.Problem {
	line := ""
	if with.Line > 0 {
		line = fmt.Sprintf(" in line %d", with.Line)
	}
	return problem.New(fmt.Sprintf("contradicts %s%s: %q", with.Key, line, text), why)
}

func samePlace() string { return "one path has one entry in a file; take one of the two out" }

func linkTarget() problem.Problem {
	return problem.New("a link without a target", `write what the link says: "/bin" = "usr/bin"`)
}

func refusedPlace(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not a place for this inside: %q", text),
		"choose a directory of its own, such as /workspace or /home/sandbox")

}

func hostProcesses(text string) problem.Problem {
	return problem.New(fmt.Sprintf("would show the host's processes: %q", text),
		"leave it out: a /proc of the sandbox's own is always there")

}

func ownDevice(text string) problem.Problem {
	return problem.New(fmt.Sprintf("the sandbox has its own: %q", text), "leave it out")
}

func deviceRead(text string) problem.Problem {
	return problem.New(fmt.Sprintf("a device cannot be had read-only: %q", text),
		fmt.Sprintf("list it in filesystem.write: { path = %q, why = \"...\" }", text))

}

func deviceNoWhy(text string) problem.Problem {
	return problem.New(fmt.Sprintf("is a device of the host: %q", text),
		fmt.Sprintf("if that is meant, say why: { path = %q, why = \"...\" }", text))

}

func tooWide(what, text string) problem.Problem {
	switch what {
	case "home":
		return problem.New(fmt.Sprintf("would make the whole home directory writable: %q", text),
			"name the directory below it that is meant")

	case "/":
		return problem.New(fmt.Sprintf("would make the whole file system writable: %q", text),
			"name the directory that is meant")

	}
	return problem.New(fmt.Sprintf("would make a system directory writable: %q", text),
		"show it with filesystem.read, or name a directory of your own")

}

func wideProject(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not a directory that can be a project: %q", text),
		"home and system directories are never writable as a whole; name the project's own directory")

}

func projectRoot(text string) problem.Problem {
	return problem.New(fmt.Sprintf("not git, cwd or a path: %q", text),
		"a path begins with /, ~/ or a variable")

}

// --- Settings that must agree ---

func hostHome() problem.Problem {
	return problem.New(`home.mode "host" without filesystem.base "host"`,
		`write filesystem.base = "host", or list what home shows in filesystem.read`)

}

func hostHomeAt() problem.Problem {
	return problem.New("the host's home stands at its own path", `leave out home.at, or write home.mode = "empty"`)
}

func allowWithoutMode(mode NetworkMode) problem.Problem {
	return problem.New(fmt.Sprintf("has no effect with network.mode %q", mode.String()), `write network.mode = "allow"`)
}

func yesWithoutQuestion() problem.Problem {
	return problem.New(`has no effect with confirm.mode "never"`, `write confirm.mode = "always"`)
}

func unevenPorts(host, wide string) problem.Problem {
	return problem.New(fmt.Sprintf("%q has other ports than %q, and may have its addresses", host, wide), "list both with the same ports, or without any")
}
