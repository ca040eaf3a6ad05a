package lint

import (
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint/trace"
	"bwrapgen/gen/profile"
)

// covered finds protections that a later bind of a parent buries.
func covered(c *call) {
	for i := range c.mounts {
		m := &c.mounts[i]
		if later := m.buriedBy(); later != nil {
			m.report("%s %s has no effect: the %s of %s in line %d covers it",
				m.Name, shown(m.dest), later.Name, shown(later.dest), later.At.Line)
		}
	}
}

// buriedBy is the bind that buries a protection. Where something lies at or below the
// same place behind the bind, it is a pin.
func (m *mount) buriedBy() *mount {
	if !m.sure || !m.about().Protects {
		return nil
	}
	mayTouch := func(n mount) bool { return maybeWithin(n.dest, m.dest) || maybeWithin(m.dest, n.dest) }
	for i := range m.later() {
		later := &m.later()[i]
		switch {
		case !later.bind, !later.sure, later.dest == m.dest, !expr.Within(m.dest, later.dest):
		case !slices.ContainsFunc(later.later(), mayTouch):
			return later
		}
	}
	return nil
}

// renamable finds a directory above a protection that the command can rename, since it
// lies in a writable bind.
func renamable(m *mount) {
	if !m.about().Protects {
		return
	}
	for at := path.Dir(m.dest); at != path.Dir(at); at = path.Dir(at) {
		isMountPoint := func(m mount) bool { return maybeSame(m.dest, at) }
		if slices.ContainsFunc(m.call.mounts, isMountPoint) {
			continue
		}
		holder := m.holder(at)
		switch {
		case holder == nil, holder.writable && !users(path.Dir(at)):
			return
		case holder.writable:
			m.report("%s can be replaced: %s can be renamed, inside the writable %s",
				shown(m.dest), shown(at), shown(holder.dest))
			return
		}
	}
}

// users reports whether an ordinary user may rename what lies in a directory: one of
// their own, or one of which the script does not tell which it is.
func users(directory string) bool {
	switch {
	case expr.Within(directory, home):
		return true
	case directory == "/", directory == "/home", expr.Within(directory, "/run"):
		return false
	}
	return !profile.SystemDirectory(directory)
}

// holder is the last mount above a place, before this one; nil: the script does not tell.
func (m *mount) holder(at string) *mount {
	for i := m.index - 1; i >= 0; i-- {
		one := &m.call.mounts[i]
		if expr.Within(at, one.dest) {
			return one
		}
		if maybeWithin(at, one.dest) {
			return nil
		}
	}
	return nil
}

// gitWritable finds projects whose git settings the command can change. Of what else
// is bound nobody knows whether it is one.
func gitWritable(m *mount) {
	top := strings.TrimSuffix(m.src, "/.git")
	switch {
	case top == cwd, m.isProject():
	case top == m.src, top == "", strings.ContainsRune(top, 0):
		return
	}
	open := slices.DeleteFunc([]string{".git/hooks", ".git/config"}, func(name string) bool {
		at, shown := m.seen(top + "/" + name)
		return !shown || m.held(at)
	})
	if len(open) > 0 {
		m.report("the command can change %s, by which git runs programs outside", strings.Join(open, " and "))
	}
}

// isProject reports whether a mount shows what git calls the work tree, or a directory
// above that of the script.
func (m *mount) isProject() bool {
	text := m.Operands[0].Text
	if len(text) == 1 {
		return text[0].Name == trace.WorkTree
	}
	return m.holdsScript()
}

// held reports whether something stands at a place or above it behind the mount, or may
// do so: that is judged by itself.
func (m *mount) held(at string) bool {
	return m.under(at, func(later mount) bool {
		if later.src != later.dest {
			return true
		}
		// Wherever that may be, it is as on the host: writable, or no part of what stands elsewhere.
		return !later.writable && m.src == m.dest
	})
}
