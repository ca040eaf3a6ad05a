package adopt

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint"
	"bwrapgen/gen/lint/trace"
)

// script reads a script that calls bwrap.
func (d *draft) script(name string, src []byte) error {
	all, err := lint.Sandboxes(name, src, d.tools)
	if err != nil {
		return err
	}
	chosen := slices.IndexFunc(all, func(s lint.Sandbox) bool {
		return slices.ContainsFunc(s.Command, func(w trace.Argument) bool { return w.Caller })
	})
	chosen = max(chosen, 0)
	d.format = fmt.Sprintf("the call of bwrap in line %d", all[chosen].At.Line)
	for i, s := range all {
		if i != chosen {
			d.leave(fmt.Sprintf("the call of bwrap in line %d", s.At.Line), "a profile describes one sandbox; this is the one of line "+fmt.Sprint(all[chosen].At.Line))
		}
	}
	r := reader{draft: d, Sandbox: all[chosen]}
	r.read()
	return nil
}

// reader turns one call into a profile.
type reader struct {
	*draft
	lint.Sandbox
	mounts  []mount
	lower   []string // of the overlay that follows
	root    bool     // the host's root is shown
	project bool     // the working directory is
}

// mount is an option that puts something at a place.
type mount struct {
	lint.Option
	kind     string // bind, ro-bind, dev-bind, tmpfs, dir, symlink, overlay
	src, at  string // paths of a profile; of a symlink src is its text
	optional bool
	text     trace.Text // the source, as the script has it
}

func (r *reader) read() {
	if r.Unknown != "" {
		r.leave("options that are not known", r.Unknown)
	}
	for _, o := range r.Options {
		r.option(o)
	}
	r.uncover()
	for _, m := range r.mounts {
		r.mount(m)
	}
	r.places()
	r.none("toolchains.use") // the script shows what it shows
	r.environment()
	r.pathVariables()
	r.namespaces()
	r.command()
}

// says is an option as a comment names it.
func says(o lint.Option) string {
	words := []string{o.Name}
	for _, w := range o.Operands {
		words = append(words, w.Text.String())
	}
	return fmt.Sprintf("%s (line %d)", strings.Join(words, " "), o.At.Line)
}

// given are options that a launcher always gives, or has its own way for.
var given = []string{
	"--unshare-all", "--unshare-user", "--unshare-user-try", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
	"--unshare-cgroup", "--unshare-cgroup-try", "--share-net", "--disable-userns", "--assert-userns-disabled", "--die-with-parent",
	"--new-session", "--cap-drop", "--clearenv", "--setenv", "--unsetenv", "--remount-ro", "--level-prefix",
}

// unsaid are options that no profile has, with the reason.
var unsaid = map[string]string{
	"--uid": "a launcher keeps the caller's user", "--gid": "a launcher keeps the caller's group",
	"--hostname": "a launcher keeps the host's name, in a namespace of its own",
	"--cap-add":  "a launcher gives no capabilities", "--mqueue": "no profile has message queues",
	"--file": "what the script writes into it is not in the call", "--bind-data": "what the script writes into it is not in the call",
	"--ro-bind-data": "what the script writes into it is not in the call",
	"--bind-fd":      "the script does not tell which file it is", "--ro-bind-fd": "the script does not tell which file it is",
	"--perms": "a launcher chooses modes itself", "--chmod": "a launcher chooses modes itself", "--size": "no profile limits a tmpfs",
	"--as-pid-1": "a launcher has bwrap as process 1",
}

func (r *reader) option(o lint.Option) {
	base := strings.TrimSuffix(o.Name, "-try")
	switch base {
	case "--bind", "--ro-bind", "--dev-bind":
		r.place(o, base[2:], o.Operands[0].Text, o.Operands[1].Text)
	case "--tmpfs", "--dir":
		r.place(o, base[2:], nil, o.Operands[0].Text)
	case "--symlink":
		r.place(o, "symlink", o.Operands[0].Text, o.Operands[1].Text)
	case "--proc", "--dev":
		if !o.Operands[0].Text.Is("/" + base[2:]) {
			r.leave(says(o), "a launcher has it at /"+base[2:]+" alone")
		}
	case "--overlay-src":
		at, why := pathOf(o.Operands[0].Text)
		if why != "" {
			r.leave(says(o), why)
		}
		r.lower = append(r.lower, at)
	case "--tmp-overlay", "--ro-overlay", "--overlay":
		r.overlay(o)
	case "--chdir":
		if at, why := pathOf(o.Operands[0].Text); why != "" || at != "." {
			r.leave(says(o), "a launcher begins in the project, where the caller is")
		}
	case "--seccomp", "--add-seccomp-fd":
		r.differ(says(o), "a launcher has a filter of its own: kernel.seccomp")
	case "--args":
		r.leave(says(o), "the options are in another file")
	default:
		switch why, known := unsaid[o.Name]; {
		case known:
			r.leave(says(o), why)
		case !slices.Contains(given, o.Name):
			r.leave(says(o), "no profile has it")
		}
	}
}

func (r *reader) place(o lint.Option, kind string, src, at trace.Text) {
	m := mount{Option: o, kind: kind, text: src, optional: o.Branch || strings.HasSuffix(o.Name, "-try")}
	var why string
	switch {
	case kind == "symlink":
		text, known := src.Literal()
		if !known {
			why = "the script does not tell where it leads"
		}
		m.src = text
	case src != nil:
		m.src, why = pathOf(src)
	}
	if why == "" {
		m.at, why = pathOf(at)
		text, known := at.Literal()
		if why == "" && known && !strings.HasPrefix(text, "/") {
			m.at, why = clean("/" + text) // bwrap takes it from its root on
		}
	}
	if r.socket(m) {
		return
	}
	if why != "" {
		r.leave(says(o), why)
		return
	}
	r.mounts = append(r.mounts, m)
}

func (r *reader) overlay(o lint.Option) {
	lower := r.lower
	r.lower = nil
	at, why := pathOf(o.Operands[len(o.Operands)-1].Text)
	switch {
	case why != "":
		r.leave(says(o), why)
	case o.Name != "--tmp-overlay":
		r.leave(says(o), "a launcher keeps changes in a store of its own: project.access = \"overlay\", caches.mode = \"keep\"")
	case len(lower) != 1, lower[0] == "":
		r.leave(says(o), "an overlay of a profile's shows one directory")
	default:
		r.mounts = append(r.mounts, mount{Option: o, kind: "overlay", src: lower[0], at: at, optional: o.Branch})
	}
}

// uncover takes out what a later mount covers: in a profile the most specific path
// wins, whatever the order.
func (r *reader) uncover() {
	var left []mount
	for i, m := range r.mounts {
		covered := slices.ContainsFunc(r.mounts[i+1:], func(later mount) bool {
			covers := !later.optional && !slices.Contains([]string{"symlink", "dir"}, later.kind)
			return covers && expr.Within(m.at, later.at)
		})
		if !covered {
			left = append(left, m)
		}
	}
	r.mounts = left
}

var runtimeDirectory = regexp.MustCompile(`^/run/user/[0-9]+/`)

// socketAt is the name of the socket at a path, or in a directory, or none.
func socketAt(path string) string {
	path = unnumbered(runtimeDirectory.ReplaceAllString(path, "$$XDG_RUNTIME_DIR/"))
	for _, s := range catalogue.Passable() {
		if path != "" && expr.Within(path, unnumbered(s.Top.String())) {
			return s.Name
		}
	}
	return ""
}

// socket lists a socket that profiles know by name.
func (r *reader) socket(m mount) bool {
	if !strings.HasSuffix(m.kind, "bind") {
		return false
	}
	name := socketAt(m.src)
	for _, s := range catalogue.Passable() {
		if slices.ContainsFunc(s.Variables, m.text.MadeOf) {
			name = s.Name
		}
	}
	if name == "" {
		return false
	}
	r.add("sockets.pass", quote(name), "")
	return true
}

// unnumbered is a path without the number at its end: there are wayland-0 and wayland-1.
func unnumbered(at string) string { return strings.TrimRight(at, "0123456789") }

// mount says one mount that nothing covers.
func (r *reader) mount(m mount) {
	writable := m.kind == "bind" || m.kind == "dev-bind"
	_, below := inProject(m.at)
	switch {
	case m.kind == "symlink":
		r.pair("filesystem.link", m.at, m.src)
	case m.kind == "tmpfs":
		r.tmpfs(m)
	case m.kind == "dir":
		r.directory(m)
	case m.kind == "overlay" && m.src == ".":
		r.project = true
		r.set("project.access", "overlay")
	case m.kind == "overlay":
		r.show("filesystem.overlay", entry{path: m.src, at: m.at, optional: m.optional})
	case m.src == "/dev/null":
		r.hide(m.at, m.optional)
	case m.src == ".":
		r.work(m, writable)
	case m.src == "/" && m.at == "/":
		r.root = true
		if writable {
			r.leave(says(m.Option), "no profile makes / writable: here it is read-only")
		}
	case m.src == "/":
		r.leave(says(m.Option), "no profile shows the whole root elsewhere")
	case whole(m.src) != "":
		r.leave(says(m.Option), whole(m.src))
	case m.src == "~" && writable:
		r.leave(says(m.Option), "no profile makes the home directory writable: list what is in it")
	case m.src == "~" && m.at == "~" && r.root: // places says it
	case below && m.src == m.at && !writable:
		name, _ := inProject(m.at)
		if m.optional {
			name += "?"
		}
		r.add("project.protect", quote(name), "")
	case below && m.src == m.at: // the project has it
	case writable:
		r.show("filesystem.write", entry{path: m.src, at: m.at, optional: m.optional})
	default:
		r.show("filesystem.read", entry{path: m.src, at: m.at, optional: m.optional})
	}
}

// whole says why no profile shows all of a directory of the host's.
func whole(src string) string {
	switch src {
	case "/dev":
		return "a launcher has a /dev of its own; list single devices in filesystem.write, with a reason"
	case "/proc":
		return "a launcher has a /proc of its own"
	case "/tmp", "/var/tmp":
		return "a launcher's is private: sockets and files of others lie in the host's"
	case "/run", "/run/user", "$XDG_RUNTIME_DIR":
		return "sockets of all kinds lie there; list those that are needed in sockets.pass"
	}
	return ""
}

// work is the working directory.
func (r *reader) work(m mount, writable bool) {
	r.project = true
	if !writable {
		r.set("project.access", "read")
	}
	if m.at != "." {
		r.set("project.at", m.at)
	}
}

// private are places that a launcher always has empty.
var private = []string{"/", "/tmp", "/var/tmp", "/run", "/dev/shm", "$XDG_RUNTIME_DIR", "/run/user", "~", "/home", "/root", "/proc"}

func (r *reader) tmpfs(m mount) {
	readOnly := slices.ContainsFunc(r.Options, func(o lint.Option) bool {
		if o.Name != "--remount-ro" {
			return false
		}
		at, why := pathOf(o.Operands[0].Text)
		return why == "" && at == m.at
	})
	switch {
	case slices.Contains(private, m.at), strings.HasPrefix(m.at, "/tmp/"), strings.HasPrefix(m.at, "/run/"):
	case readOnly:
		r.hide(m.at, m.optional)
	case r.sensitive("", m.at):
		r.differ(says(m.Option), "hidden, and nothing can be written there either")
		r.hide(m.at, true)
	default:
		r.show("filesystem.empty", entry{path: m.at})
	}
}

// hide makes a path unreadable.
func (r *reader) hide(at string, optional bool) {
	key, text := "filesystem.hide", at
	if name, below := inProject(at); below {
		key, text = "project.hide", name
	}
	if optional {
		text += "?"
	}
	r.add(key, quote(text), "")
}

// directory is one that the script makes. Above a mount it is made anyway.
func (r *reader) directory(m mount) {
	above := slices.ContainsFunc(r.mounts, func(other mount) bool { return other.at != m.at && expr.Within(other.at, m.at) })
	if !above && !slices.Contains(private, m.at) {
		r.show("filesystem.empty", entry{path: m.at})
	}
}

// places says what follows from the mounts together.
func (r *reader) places() {
	homeHidden := slices.ContainsFunc(r.mounts, func(m mount) bool {
		return m.kind == "tmpfs" && slices.Contains([]string{"~", "/home", "/root"}, m.at)
	})
	if r.root {
		r.set("filesystem.base", "host")
		r.differ("the host's / as it is", "its secrets are hidden, but for those that are listed, and other homes")
		r.set("home.mode", "host")
		if homeHidden {
			r.set("home.mode", "empty")
		}
	}
	has := func(name, at string) bool {
		return r.root || slices.ContainsFunc(r.Options, func(o lint.Option) bool { return o.Name == name && o.Operands[0].Text.Is(at) })
	}
	for _, one := range [][2]string{{"--dev", "/dev"}, {"--proc", "/proc"}, {"--tmpfs", "/tmp"}} {
		if !has(one[0], one[1]) {
			r.differ("no "+one[0]+" "+one[1], "a launcher always has one of its own")
		}
	}
	if r.project {
		r.set("project.root", "cwd")
		r.differ("the working directory", "where that is the home directory, /, or a part of the system, a launcher refuses")
		if !r.has("project.protect", "") {
			r.differ("git's hooks and settings in the project can be changed", "a launcher holds them, if git is to be used outside without a risk")
		}
		return
	}
	r.set("project.root", "cwd")
	r.set("project.access", "read")
	if !r.root {
		r.differ("no working directory is shown", "a launcher always has a project: this one can read it")
	}
}

var environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// usual are variables without which programs behave oddly.
var usual = []string{"LANG", "LANGUAGE", "LC_*", "TERM", "COLORTERM", "NO_COLOR", "TZ", "EDITOR", "PAGER"}

func (r *reader) environment() {
	clears := r.Cleared || slices.ContainsFunc(r.Options, func(o lint.Option) bool { return o.Name == "--clearenv" })
	if !clears {
		for _, name := range usual {
			r.add("environment.pass", quote(name), "")
		}
		r.leave("all of the caller's variables", "a launcher passes on those that are listed: add what the command needs to environment.pass")
	}
	for _, w := range r.Given {
		name, value := cut(w.Text)
		r.variable(name, value, fmt.Sprintf("env -i %s", w.Text))
	}
	for _, o := range r.Options {
		if o.Name == "--setenv" {
			name, _ := o.Operands[0].Text.Literal()
			r.variable(name, o.Operands[1].Text, says(o))
		}
	}
}

// ofPath is a variable with which a path in a profile begins.
var ofPath = regexp.MustCompile(`\$\{?([A-Za-z_][A-Za-z0-9_]*)`)

// pathVariables passes on those variables that lead paths elsewhere and that no tool has:
// else no launcher takes such a path.
func (r *reader) pathVariables() {
	known := []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"}
	for _, t := range r.tools.Tools {
		known = append(known, t.Named()...)
	}
	for _, v := range slices.Clone(r.tables) {
		if tableOf(v.key) != "filesystem" {
			continue
		}
		for _, one := range v.items {
			for _, found := range ofPath.FindAllStringSubmatch(one.text, -1) {
				if name := found[1]; !slices.Contains(known, name) {
					r.add("environment.pass", quote(name), "a path depends on it")
				}
			}
		}
	}
}

// cut splits NAME=VALUE.
func cut(t trace.Text) (string, trace.Text) {
	if len(t) == 0 {
		return "", nil
	}
	name, rest, _ := strings.Cut(t[0].Literal, "=")
	value := slices.Clone(t)
	value[0].Literal = rest
	if rest == "" {
		value = value[1:]
	}
	return name, value
}

// own are variables that a launcher sets itself.
var own = []string{"HOME", "USER", "LOGNAME", "PWD", "PATH", "SHELL", "XDG_RUNTIME_DIR", "TMPDIR"}

// isCallers reports whether a text is what the caller's variable of that name holds.
func isCallers(name string, value trace.Text) bool {
	if len(value) != 1 || value[0].Name != name {
		return false
	}
	return value[0].Inherited() || value[0].Of == nil && value[0].Default != nil
}

func (r *reader) variable(name string, value trace.Text, what string) {
	text, known := value.Literal()
	same := isCallers(name, value)
	switch {
	case !environmentName.MatchString(name):
		r.leave(what, "the script does not tell the variable's name")
	case strings.HasPrefix(name, "LD_"):
		r.leave(what, "it would change bwrap itself: set it for the command alone, command = [\"env\", \"NAME=value\", ...]")
	case ofSocket(name): // comes with sockets.pass
	case slices.Contains(own, name):
		if name == "PATH" || !same && !known {
			r.differ(what, "a launcher sets it, from the caller's and what is visible")
		}
	case same:
		r.add("environment.pass", quote(name), "")
	case known:
		r.pair("environment.set", name, text)
	default:
		r.leave(what, "the script does not tell the value")
	}
}

func ofSocket(name string) bool {
	return slices.ContainsFunc(catalogue.Passable(), func(s catalogue.Socket) bool { return slices.Contains(s.Variables, name) })
}

func (r *reader) namespaces() {
	network := "host"
	all := false
	for _, o := range r.Options {
		switch o.Name {
		case "--unshare-all", "--unshare-net":
			all = all || o.Name == "--unshare-all"
			network = "none"
			if o.Branch {
				r.leave(says(o), "the script decides that when it starts; here there is no network")
			}
		case "--share-net":
			if o.Branch && network == "none" {
				r.leave(says(o), "the script decides that when it starts; here there is no network")
			} else {
				network = "host"
			}
		case "--new-session":
			r.set("terminal.mode", "new-session")
		}
	}
	r.set("network.mode", network)
	has := func(names ...string) bool {
		return all || slices.ContainsFunc(r.Options, func(o lint.Option) bool { return slices.Contains(names, o.Name) })
	}
	for _, one := range []struct {
		what  string
		names []string
	}{
		{"the host's processes are seen", []string{"--unshare-pid"}},
		{"the host's shared memory is in reach", []string{"--unshare-ipc"}},
	} {
		if !has(one.names...) {
			r.differ(one.what, "a launcher has namespaces of its own")
		}
	}
	if !slices.ContainsFunc(r.Options, func(o lint.Option) bool { return o.Name == "--disable-userns" }) {
		r.differ("namespaces can be made inside", "a launcher refuses that: kernel.nested-userns = true allows it")
	}
}

// command is what the script runs, up to the caller's arguments.
func (r *reader) command() {
	var words []string
	for i, w := range r.Command {
		text, known := w.Text.Literal()
		switch {
		case w.Caller && i == len(r.Command)-1:
		case w.Many, !known, w.When != 0:
			var all []string
			for _, w := range r.Command {
				all = append(all, w.Text.String())
			}
			r.leave("the command: "+strings.Join(all, " "), "the script does not tell "+w.Text.String()+"; give the command to the launcher, or list it as command = [...]")
			return
		default:
			words = append(words, text)
		}
	}
	for _, word := range words {
		r.add("command", quote(word), "")
	}
}
