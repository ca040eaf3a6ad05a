package lint

import (
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint/trace"
	"bwrapgen/gen/profile"
)

// mount is an option that puts something at a place.
type mount struct {
	Option
	call      *call
	index     int    // in the call's mounts
	src, dest string // places; src empty: nothing of the host
	bind      bool   // the host's src
	writable  bool   // and what is changed there changes on the host
	devices   bool
	sure      bool       // not only in a branch
	hidden    bool       // a later mount covers all of it
	socket    socketKind // that of the socket which it shows; zero: it shows none
	at        trace.Text
}

// mountsOf lists what covers something, in order.
func mountsOf(c *call) []mount {
	var all []mount
	for _, o := range c.Options {
		if o.about().Mounts && o.complete() {
			m := newMount(o)
			m.call, m.index = c, len(all)
			all = append(all, m)
		}
	}
	for i := range all {
		m := &all[i]
		m.hidden = slices.ContainsFunc(all[i+1:], func(later mount) bool { return later.covers(m.dest) })
		if m.bind && !m.hidden {
			m.socket = m.socketKind()
		}
	}
	return all
}

func newMount(o Option) mount {
	m := mount{Option: o, sure: o.When == 0, at: o.Operands[len(o.Operands)-1].Text}
	switch base := strings.TrimSuffix(o.Name, "-try"); base {
	case "--bind", "--ro-bind", "--dev-bind":
		m.bind, m.writable, m.devices = true, base != "--ro-bind", base == "--dev-bind"
		m.src = standing(o.Operands[0].Text)
	}
	m.dest = standing(m.at)
	if m.sure && isRootGlob(o.Operands[0].Text) && isRootGlob(m.at) {
		m.src, m.dest = "/", "/" // all that is in it, one by one
	}
	if at, known := m.at.Literal(); known {
		m.dest = m.literalDestination(at)
	}
	return m
}

// literalDestination is the place of a mount whose path the script tells.
func (m *mount) literalDestination(at string) string {
	switch {
	case !strings.HasPrefix(at, "/"):
		return path.Join("/", at) // the sandbox's root is meant
	case !m.bind, m.src == m.dest:
		return m.dest
	case strings.HasPrefix(at, "/home/"), expr.Within(m.dest, home) && !expr.Within(m.src, home):
		return path.Clean(at) // a home that is made up
	}
	return m.dest
}

// standing is a place in which the working directory stands for what it may be, on some
// way through the script.
func standing(t trace.Text) string {
	if mayBe(t.First(), cwd) {
		return place(append(trace.Text{{Name: "PWD"}}, t[1:]...))
	}
	return place(t)
}

// isRootGlob reports whether a text is what /* stands for.
func isRootGlob(t trace.Text) bool { return len(t) == 2 && t.String() == "/*" }

// later are the mounts that are made after one.
func (m *mount) later() []mount { return m.call.mounts[m.index+1:] }

// covers reports whether a mount lies at a place or above it.
func (m *mount) covers(at string) bool { return m.Name != "--symlink" && expr.Within(at, m.dest) }

// shows reports whether a mount shows a directory of the host at its own place.
func (m *mount) shows(at string) bool { return m.src == at && m.dest == at }

// seen says where inside a place of the host appears through a mount.
func (m *mount) seen(at string) (string, bool) {
	if !m.bind || !expr.Within(at, m.src) {
		return "", false
	}
	return strings.TrimSuffix(m.dest, "/") + strings.TrimPrefix(at, strings.TrimSuffix(m.src, "/")), true
}

// under reports whether a later mount lies at a place inside or above it, or may do so:
// where the script does not tell, some of them count.
func (m *mount) under(at string, counts func(later mount) bool) bool {
	return slices.ContainsFunc(m.later(), func(later mount) bool {
		switch {
		case later.Name == "--symlink":
			return false
		case expr.Within(at, later.dest):
			return true
		}
		return counts(later) && maybeWithin(at, later.dest)
	})
}

// maybeHidden reports whether a later mount may hide a place inside.
func (m *mount) maybeHidden(at string) bool {
	return m.under(at, func(later mount) bool {
		switch {
		case later.src == "/dev/null":
			return !strings.HasPrefix(later.dest, "/\x00") // one file, wherever
		case later.bind: // no mask: it has to be there, and what lies there not the host's again
			return later.sure && later.src != later.dest
		}
		return true
	})
}

// reaches reports whether the command reaches a place of the host through the
// mount, for sure.
func (m *mount) reaches(at string) bool {
	inside, ok := m.seen(at)
	if !ok || m.maybeHidden(inside) {
		return false
	}
	return at == m.src || m.call.whole()
}

// remounted reports whether a place is made read-only in the end, maybe.
func (c *call) remounted(at string) bool {
	isIt := func(w trace.Argument) bool { return maybeSame(place(w.Text), at) }
	return slices.ContainsFunc(c.Options, func(o Option) bool {
		return o.Name == "--remount-ro" && slices.ContainsFunc(o.Operands, isIt)
	})
}

// report tells something about a mount.
func (m *mount) report(format string, parts ...any) { m.call.script.report(m.At, format, parts...) }

// writable is a rule's function for writable binds of one kind.
func writable(kind string) func(*mount) {
	return func(m *mount) {
		switch {
		case m.socket.Rule != "": // another rule's
		case kindOf(m.src) == kind:
			m.report("the command can change %s of the host", shown(m.src))
		}
	}
}

// kindOf says what a directory of the host is: the root, what holds homes, or the
// system's. Of what other rules are about, it is nothing.
func kindOf(src string) string {
	switch {
	case src == "/":
		return "root"
	case src == "/home", src == home:
		return "home"
	case slices.Contains([]string{"/proc", "/tmp", "/var/tmp"}, src), expr.Within(src, "/run"), expr.Within(src, "/dev"):
	case strings.ContainsAny(src, "\x00\x01\x02\x03"):
	case profile.SystemDirectory(src):
		return "system"
	}
	return ""
}

func temporary(m *mount) {
	reached := slices.DeleteFunc([]string{"/tmp", "/var/tmp"}, func(at string) bool { return !m.reaches(at) })
	if len(reached) > 0 {
		m.report("the host's %s is visible", strings.Join(reached, " and "))
	}
}

func devices(m *mount) {
	switch {
	case !m.reaches("/dev"):
	case m.devices, m.src == "/dev":
		m.report("all devices of the host are visible")
	}
}

func processes(m *mount) {
	if m.reaches("/proc") {
		m.report("the host's /proc is visible, with all of its processes")
	}
}

// device is a place of devices, and what the command can do with them. The first row that matches counts.
type device struct {
	Begins   string // of the path
	Severity Severity
	Says     string // empty: nothing that matters
}

func boundDevice(m *mount) {
	if i := slices.IndexFunc(data().Devices, func(d device) bool { return strings.HasPrefix(m.src, d.Begins) }); m.devices && i >= 0 {
		if d := data().Devices[i]; d.Says != "" {
			m.reportPower(d.Says, d.Severity)
		}
	}
}

// reportPower tells what the command can do through what a mount shows.
func (m *mount) reportPower(can string, weight Severity) {
	f := told(m.At, "through %s the command can %s", shown(m.src), can)
	f.Severity = weight
	m.call.script.add(f)
}

func unguarded(m *mount) {
	switch {
	case m.call.Changed, m.call.script.guards(), !mayBe(m.Operands[0].Text, cwd):
		return
	}
	m.report("started in the home directory, the script makes all of %s writable: nothing refuses that", shown(home))
}

// mayBe reports whether a text is a place, on some way through the script.
func mayBe(t trace.Text, at string) bool {
	if len(t) == 0 {
		return false
	}
	if place(t) == at {
		return true
	}
	return slices.ContainsFunc(t.Values(), func(one trace.Text) bool { return mayBe(one, at) })
}

// guards reports whether the script compares the working directory with the home directory or the
// root, which it refuses, or with a pattern for the directories that it accepts.
func (s *script) guards() bool {
	isHere := func(t trace.Text) bool { return mayBe(t.First(), cwd) }
	isPlace := func(t trace.Text) bool {
		at := place(t)
		isElsewhere := at == "" || strings.HasPrefix(at, "/\x00") || expr.Within(at, cwd)
		return !isElsewhere && !strings.HasPrefix(at, home+"*") // any name that begins like home
	}
	return slices.ContainsFunc(s.Tests, func(texts []trace.Text) bool {
		return slices.ContainsFunc(texts, isHere) && slices.ContainsFunc(texts, isPlace)
	})
}

func rootLeft(c *call) {
	isRoot := func(m mount) bool { return slices.Contains([]string{"/", ""}, m.dest) }
	switch {
	case c.remounted("/"), slices.ContainsFunc(c.mounts, isRoot):
		return
	}
	c.report("the root inside stays writable: there is no --remount-ro /")
}

// links are symbolic links on nearly every host.
var links = []string{"/bin", "/sbin", "/lib", "/lib64", "/var/run", "/var/lock"}

func linked(c *call) {
	made, mounted := map[string]bool{}, map[string]bool{}
	for _, m := range c.mounts {
		at, known := m.at.Literal()
		if !m.sure {
			continue
		}
		switch {
		case m.bind && m.shows("/"):
			for _, link := range links {
				made[link] = true
			}
		case !known:
		case m.Name == "--symlink":
			made[at] = true
			if mounted[at] {
				m.report("bwrap refuses to start: something is mounted on %s before a symbolic link is made there", at)
			}
		case made[at]:
			m.report("%s is a symbolic link inside: bwrap 0.12 and later mount nothing there", at)
		default:
			mounted[at] = true
		}
	}
}
