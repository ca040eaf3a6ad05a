package adopt

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint"
	"bwrapgen/gen/lint/trace"
	"bwrapgen/gen/source"
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
	r.values = append(r.values, &value{key: "toolchains.use", items: []item{{text: "[]"}}}) // the script shows what it shows
	r.environment()
	r.pathVariables()
	r.namespaces()
	r.command()
}

// says is an option as a comment names it.
func says(o lint.Option) string {
	words := append([]string{o.Name}, trace.Shown(o.Operands)...)
	return fmt.Sprintf("%s (line %d)", strings.Join(words, " "), o.At.Line)
}

func (r *reader) option(o lint.Option) {
	base := strings.TrimSuffix(o.Name, "-try")
	switch base {
	case "--bind", "--ro-bind", "--dev-bind", "--symlink", "--tmpfs", "--dir":
		r.place(o, base[2:])
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
		if at, _ := pathOf(o.Operands[0].Text); at != "." {
			r.leave(says(o), "a launcher begins in the project, where the caller is")
		}
	case "--seccomp", "--add-seccomp-fd":
		r.differ(says(o), "a launcher has a filter of its own: kernel.seccomp")
	default:
		if !slices.Contains(reasons().Given, o.Name) {
			r.leave(says(o), cmp.Or(reasons().Options[o.Name], noKey))
		}
	}
}

func (r *reader) place(o lint.Option, kind string) {
	m := mount{Option: o, kind: kind, optional: o.When != 0 || strings.HasSuffix(o.Name, "-try")}
	first, last := o.Operands[0].Text, o.Operands[len(o.Operands)-1].Text
	why, isKnown := "", true
	switch {
	case kind == "symlink":
		m.src, isKnown = first.Literal()
	case len(o.Operands) > 1:
		m.src, why = pathOf(first)
	}
	if !isKnown {
		why = "the script does not tell where it leads"
	}
	var wrong string
	m.at, wrong = pathOf(last)
	if text, _ := last.Literal(); text != "" && wrong == "" {
		m.at, wrong = clean("/" + strings.TrimPrefix(text, "/")) // bwrap takes it from its root on
	}
	why = cmp.Or(why, wrong)
	switch {
	case r.socket(m):
	case why != "":
		r.leave(says(o), why)
	default:
		r.mounts = append(r.mounts, m)
	}
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
		r.mounts = append(r.mounts, mount{Option: o, kind: "overlay", src: lower[0], at: at, optional: o.When != 0})
	}
}

// uncover takes out what a later mount covers: in a profile the most specific path
// wins, whatever the order.
func (r *reader) uncover() {
	var left []mount
	for i, m := range r.mounts {
		covers := func(later mount) bool {
			isNothing := later.optional || slices.Contains([]string{"symlink", "dir"}, later.kind)
			return !isNothing && expr.Within(m.at, later.at)
		}
		if !slices.ContainsFunc(r.mounts[i+1:], covers) {
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
		if expr.Within(path, unnumbered(s.Top.String())) {
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
		if slices.ContainsFunc(s.Variables, m.Operands[0].Text.MadeOf) {
			name = s.Name
		}
	}
	if name == "" {
		return false
	}
	r.add("sockets.pass", name)
	return true
}

// unnumbered is a path without the number at its end: there are wayland-0 and wayland-1.
func unnumbered(at string) string { return strings.TrimRight(at, "0123456789") }

// mount says one mount that nothing covers.
func (r *reader) mount(m mount) {
	switch m.kind {
	case "symlink":
		r.pair("filesystem.link", m.at, m.src)
	case "tmpfs":
		r.tmpfs(m)
	case "dir":
		isInside := func(other mount) bool { return expr.Below(other.at, m.at) } // and so it is made anyway
		if !slices.ContainsFunc(r.mounts, isInside) && !slices.Contains(private, m.at) {
			r.show("filesystem.empty", entry{path: m.at})
		}
	case "overlay":
		if m.src == "." {
			r.project = true
			r.set("project.access", "overlay")
		} else {
			r.show("filesystem.overlay", entry{path: m.src, at: m.at, optional: m.optional})
		}
	default:
		r.bind(m, m.kind != "ro-bind")
	}
}

func (r *reader) bind(m mount, writable bool) {
	kind := "hold"
	if writable {
		kind = "write"
	}
	switch whole := reasons().Whole[m.src]; {
	case m.src == "/dev/null":
		r.list("hide", entry{path: m.at, optional: m.optional})
	case m.src == ".":
		r.work(m, writable)
	case m.src == "/":
		r.hostRoot(m, writable)
	case whole != "":
		r.leave(says(m.Option), whole)
	case m.src == "~" && writable:
		r.leave(says(m.Option), "no profile makes the home directory writable: list what is in it")
	case m.src == "~" && m.at == "~" && r.root: // places says it
	default:
		r.list(kind, entry{path: m.src, at: m.at, optional: m.optional})
	}
}

func (r *reader) hostRoot(m mount, writable bool) {
	if m.at != "/" {
		r.leave(says(m.Option), "no profile shows the whole root elsewhere")
		return
	}
	r.root = true
	if writable {
		r.leave(says(m.Option), "no profile makes / writable: here it is read-only")
	}
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
	isReadOnly := func(o lint.Option) bool {
		if o.Name != "--remount-ro" {
			return false
		}
		at, _ := pathOf(o.Operands[0].Text)
		return at == m.at
	}
	switch {
	case slices.Contains(private, m.at), strings.HasPrefix(m.at, "/tmp/"), strings.HasPrefix(m.at, "/run/"):
	case slices.ContainsFunc(r.Options, isReadOnly):
		r.list("hide", entry{path: m.at, optional: m.optional})
	case r.sensitive("", m.at):
		r.differ(says(m.Option), "hidden, and nothing can be written there either")
		r.list("hide", entry{path: m.at, optional: true})
	default:
		r.show("filesystem.empty", entry{path: m.at})
	}
}

// places says what follows from the mounts together.
func (r *reader) places() {
	hidesHome := func(m mount) bool {
		return m.kind == "tmpfs" && slices.Contains([]string{"~", "/home", "/root"}, m.at)
	}
	if r.root {
		r.set("filesystem.base", "host")
		r.differ("the host's / as it is", "credentials are hidden, except those that are listed, and so are other homes")
		r.set("home.mode", "host")
		if slices.ContainsFunc(r.mounts, hidesHome) {
			r.set("home.mode", "empty")
		}
	} else {
		const own = "a launcher always has one of its own"
		r.lacks("no --dev /dev", own, "--dev", "/dev")
		r.lacks("no --proc /proc", own, "--proc", "/proc")
		r.lacks("no --tmpfs /tmp", own, "--tmpfs", "/tmp")
	}
	r.set("project.root", "cwd")
	switch {
	case r.project:
		r.differ("the working directory", "where that is the home directory, /, or a part of the system, a launcher refuses")
		if !r.has("project.protect") {
			r.differ("git's hooks and settings in the project can be changed", "a launcher holds them, if git is to be used outside without a risk")
		}
		return
	case !r.root:
		r.differ("no working directory is shown", "a launcher always has a project: this one can read it")
	}
	r.set("project.access", "read")
}

// gives reports whether the call gives an option, with this first operand if there is one.
func (r *reader) gives(name string, operand ...string) bool {
	return slices.ContainsFunc(r.Options, func(o lint.Option) bool {
		return o.Name == name && (len(operand) == 0 || o.Operands[0].Text.Is(operand[0]))
	})
}

// lacks notes how a launcher differs where the call does not give an option.
func (r *reader) lacks(what, why, name string, operand ...string) {
	if !r.gives(name, operand...) {
		r.differ(what, why)
	}
}

var environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// usual are variables without which programs behave oddly.
var usual = []string{"LANG", "LANGUAGE", "LC_*", "TERM", "COLORTERM", "NO_COLOR", "TZ", "EDITOR", "PAGER"}

func (r *reader) environment() {
	if !r.Cleared && !r.gives("--clearenv") {
		for _, name := range usual {
			r.add("environment.pass", name)
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
	known := r.tools.PathVariables()
	for _, v := range slices.Clone(r.values) {
		if !strings.HasPrefix(v.key, "filesystem.") {
			continue
		}
		for _, one := range v.items {
			for _, found := range ofPath.FindAllStringSubmatch(one.text, -1) {
				if !slices.Contains(known, found[1]) {
					r.put("environment.pass", item{text: source.Quote(found[1]), why: "a path depends on it"})
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

func (r *reader) variable(name string, value trace.Text, what string) {
	text, known := value.Literal()
	same := len(value) == 1 && value[0].Name == name // what the caller has
	same = same && (value[0].Inherited() || value[0].Of == nil && value[0].Default != nil)
	ofSocket := func(s catalogue.Socket) bool { return slices.Contains(s.Variables, name) }
	switch {
	case !environmentName.MatchString(name):
		r.leave(what, "the script does not tell the variable's name")
	case strings.HasPrefix(name, "LD_"):
		r.leave(what, "it would change bwrap itself: set it for the command alone, command = [\"env\", \"NAME=value\", ...]")
	case slices.ContainsFunc(catalogue.Passable(), ofSocket): // comes with sockets.pass
	case slices.Contains(own, name):
		if name == "PATH" || !same && !known {
			r.differ(what, "a launcher sets it, from the caller's and what is visible")
		}
	case same:
		r.add("environment.pass", name)
	case known:
		r.pair("environment.set", name, text)
	default:
		r.leave(what, "the script does not tell the value")
	}
}

func (r *reader) namespaces() {
	network := "host"
	for _, o := range r.Options {
		mode := map[string]string{"--unshare-all": "none", "--unshare-net": "none", "--share-net": "host"}[o.Name]
		switch {
		case mode == "":
			continue
		case o.When != 0 && (mode == "none" || network == "none"):
			r.leave(says(o), "the script decides that when it starts; here there is no network")
			mode = "none"
		}
		network = mode
	}
	r.set("network.mode", network)
	if r.gives("--new-session") {
		r.set("terminal.mode", "new-session")
	}
	if !r.gives("--unshare-all") {
		const own = "a launcher has namespaces of its own"
		r.lacks("the host's processes are seen", own, "--unshare-pid")
		r.lacks("the host's shared memory is in reach", own, "--unshare-ipc")
	}
	r.lacks("namespaces can be made inside", "a launcher refuses that: kernel.nested-userns = true allows it", "--disable-userns")
}

// command is what the script runs, up to the caller's arguments.
func (r *reader) command() {
	command := r.Command
	if last := len(command) - 1; last >= 0 && command[last].Caller {
		command = command[:last]
	}
	isUntold := func(w trace.Argument) bool {
		_, known := w.Text.Literal()
		return w.Many || w.When != 0 || !known
	}
	if i := slices.IndexFunc(command, isUntold); i >= 0 {
		r.leave("the command: "+strings.Join(trace.Shown(r.Command), " "), "the script does not tell "+command[i].Text.String()+"; give the command to the launcher, or list it as command = [...]")
		return
	}
	for _, word := range trace.Shown(command) {
		r.add("command", word)
	}
}
