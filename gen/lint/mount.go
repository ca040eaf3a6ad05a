package lint

import (
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/lint/trace"
)

// mount is an option that puts something at a place.
type mount struct {
	option
	src, dest string // places; src empty: nothing of the host
	bind      bool   // the host's src
	writable  bool   // and what is changed there changes on the host
	devices   bool
	sure      bool // not only in a branch
	at        trace.Text
}

// mounts lists what covers something, in order.
func mounts(options []option) []mount {
	var all []mount
	for _, o := range options {
		if m, ok := newMount(o); ok {
			all = append(all, m)
		}
	}
	return all
}

func newMount(o option) (mount, bool) {
	if len(o.operands) < operands[o.name] {
		return mount{}, false
	}
	m := mount{option: o, sure: o.When == 0}
	m.At = o.told()
	base := strings.TrimSuffix(o.name, "-try")
	switch base {
	case "--bind", "--ro-bind", "--dev-bind":
		m.bind, m.writable, m.devices = true, base != "--ro-bind", base == "--dev-bind"
		m.src, m.at = standing(o.operands[0].Text), o.operands[1].Text
	case "--bind-fd", "--ro-bind-fd", "--file", "--bind-data", "--ro-bind-data", "--symlink":
		m.at = o.operands[1].Text
	case "--tmpfs", "--proc", "--dev", "--mqueue", "--tmp-overlay", "--ro-overlay":
		m.at = o.operands[0].Text
	case "--overlay":
		m.at = o.operands[2].Text
	default:
		return m, false
	}
	m.dest = standing(m.at)
	if m.bind && m.sure && isRootGlob(o.operands[0].Text) && isRootGlob(m.at) {
		m.src, m.dest = "/", "/" // all that is in it, one by one
	}
	at, known := m.at.Literal()
	switch {
	case !known:
	case m.bind && m.src != m.dest && (strings.HasPrefix(at, "/home/") || within(m.dest, home) && !within(m.src, home)):
		m.dest = path.Clean(at) // a home that is made up
	case !strings.HasPrefix(at, "/"):
		m.dest = path.Join("/", at) // the sandbox's root is meant
	}
	return m, true
}

// standing is a place in which the working directory stands for what it may be, on some
// way through the script.
func standing(t trace.Text) string {
	if len(t) > 0 && mayBe(t[:1], cwd) {
		return place(append(trace.Text{{Name: "PWD"}}, t[1:]...))
	}
	return place(t)
}

// isRootGlob reports whether a text is what /* stands for.
func isRootGlob(t trace.Text) bool { return len(t) == 2 && t[0].Literal == "/*" && t[1].Name == "*" }

// seen says where inside a place of the host appears through a mount.
func (m mount) seen(at string) (string, bool) {
	if !m.bind || !within(at, m.src) {
		return "", false
	}
	return strings.TrimSuffix(m.dest, "/") + strings.TrimPrefix(at, strings.TrimSuffix(m.src, "/")), true
}

// hidden reports whether a later mount covers all of one.
func (c *call) hidden(i int) bool {
	return slices.ContainsFunc(c.mounts[i+1:], func(m mount) bool {
		return m.name != "--symlink" && within(c.mounts[i].dest, m.dest)
	})
}

// maybeHidden reports whether a later mount lies at a place inside or above it, or
// may do so.
func (c *call) maybeHidden(i int, at string) bool {
	for _, m := range c.mounts[i+1:] {
		switch {
		case m.name == "--symlink":
		case within(at, m.dest):
			return true
		case m.src == "/dev/null" && strings.HasPrefix(m.dest, "/\x00"): // one file, wherever
		case m.bind && !m.sure && m.src != "/dev/null": // no mask, and maybe not there
		case m.bind && m.src == m.dest: // wherever that is, the host's lies there again
		case maybeWithin(at, m.dest):
			return true
		}
	}
	return false
}

// reaches reports whether the command reaches a place of the host through the
// mount of that number, for sure.
func (c *call) reaches(i int, at string) bool {
	inside, ok := c.mounts[i].seen(at)
	if !ok || c.maybeHidden(i, inside) {
		return false
	}
	return at == c.mounts[i].src || c.whole()
}

// remounted reports whether a place is made read-only in the end, maybe.
func (c *call) remounted(at string) bool {
	return slices.ContainsFunc(c.options, func(o option) bool {
		return o.name == "--remount-ro" && len(o.operands) == 1 && maybeSame(place(o.operands[0].Text), at)
	})
}
