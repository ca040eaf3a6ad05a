package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/lint/trace"
	"bwrapgen/gen/profile"
)

// coverRules are about mounts that should keep something from being changed.
var coverRules = []Rule{
	{
		Name:     "covered",
		Severity: Exposure,
		Bad:      "bwrap --tmpfs ~/.ssh --ro-bind / / -- make",
		Good:     "bwrap --ro-bind / / --tmpfs ~/.ssh -- make",
		Looks:    "a read-only mount or a mask that a later bind of a parent covers",
		Why:      "mounts are made in order: the later one shows the host's directory as it is",
		Source:   "bwrap(1), FILESYSTEM OPTIONS: in the order they are specified",
		Hint:     "write parents before children",
		call:     covered,
	},
	{
		Name:     "renamable",
		Severity: Exposure,
		Bad:      `bwrap --bind "$PWD" "$PWD" --ro-bind "$PWD/.vscode/tasks.json" "$PWD/.vscode/tasks.json" -- make`,
		Good:     `bwrap --bind "$PWD" "$PWD" --ro-bind "$PWD/.vscode" "$PWD/.vscode" -- make`,
		Looks:    "a protected path inside a writable bind, with a directory between them that is no mount",
		Why: "a mount point cannot be renamed, but the directory above it can: then it is made again, " +
			"without the protection",
		Source: "rename(2), EBUSY; mount_namespaces(7)",
		Hint:   "pin each directory between: --ro-bind DIR DIR, then the writable bind once more, then what is protected",
		call:   renamable,
	},
	{
		Name:     "git-writable",
		Severity: Exposure,
		Bad:      `bwrap --ro-bind /usr /usr --bind "$PWD" "$PWD" -- make`,
		Good:     `bwrap --ro-bind /usr /usr --bind "$PWD" "$PWD" --ro-bind "$PWD/.git" "$PWD/.git" -- make`,
		Looks:    "a writable bind of a project, or of its .git, in which nothing holds .git/hooks and .git/config",
		Why: "the command can write a hook, or core.fsmonitor and the like, which git runs outside the sandbox " +
			"the next time that somebody asks it for the status",
		Source: "githooks(5); git-config(1), core.hooksPath and core.fsmonitor",
		Hint: "behind the bind, where they exist: --ro-bind PROJECT/.git PROJECT/.git, --bind the project once more, " +
			"and --ro-bind both; or hold .git as a whole",
		call: gitWritable,
	},
}

// covered finds protections that are buried. Where something lies at or below
// the same place behind the bind, it is a pin.
func covered(c *call) []remark {
	var all []remark
	for i, m := range c.mounts {
		if m.name == "--symlink" || m.writable || !m.sure || !protects(m) {
			continue
		}
		for j := i + 1; j < len(c.mounts); j++ {
			later := c.mounts[j]
			if !later.bind || !later.sure || later.dest == m.dest || !within(m.dest, later.dest) {
				continue
			}
			if !c.whole() || slices.ContainsFunc(c.mounts[j+1:], func(n mount) bool { return maybeWithin(n.dest, m.dest) || maybeWithin(m.dest, n.dest) }) {
				continue
			}
			all = append(all, remark{at: m.At, what: fmt.Sprintf(
				"%s %s has no effect: the %s of %s in line %d covers it", m.name, shown(m.dest), later.name, shown(later.dest), later.At.Line)})
			break
		}
	}
	return all
}

// protects reports whether a mount is there to take something away.
func protects(m mount) bool {
	switch m.name {
	case "--ro-bind", "--ro-bind-try", "--tmpfs", "--ro-bind-data", "--bind-data":
		return true
	}
	return false
}

func renamable(c *call) []remark {
	if !c.whole() {
		return nil
	}
	var all []remark
	for i, m := range c.mounts {
		if !protects(m) || c.hidden(i) {
			continue
		}
		if at, top := c.loose(i); at != "" {
			all = append(all, remark{at: m.At, what: fmt.Sprintf(
				"%s can be replaced: %s can be renamed, inside the writable %s", shown(m.dest), shown(at), shown(top))})
		}
	}
	return all
}

// loose finds a directory above a mount that the command can rename, and the
// writable bind that it lies in.
func (c *call) loose(i int) (at, top string) {
	for at = path.Dir(c.mounts[i].dest); at != "/" && at != "."; at = path.Dir(at) {
		if slices.ContainsFunc(c.mounts, func(m mount) bool { return maybeSame(m.dest, at) }) {
			continue // a mount point
		}
		holder, ok := c.holder(i, at)
		if !ok {
			return "", ""
		}
		if holder.bind && holder.writable {
			if !users(path.Dir(at)) {
				return "", ""
			}
			return at, holder.dest
		}
	}
	return "", ""
}

// users reports whether an ordinary user may rename what lies in a directory: one of
// their own, or one of which the script does not tell which it is.
func users(directory string) bool {
	return within(directory, home) || !profile.SystemDirectory(directory) && directory != "/" && directory != "/home" && !within(directory, "/run")
}

// holder is the last mount above a place, before that of a number.
func (c *call) holder(i int, at string) (mount, bool) {
	for _, m := range slices.Backward(c.mounts[:i]) {
		if within(at, m.dest) {
			return m, true
		}
		if maybeWithin(at, m.dest) {
			return m, false
		}
	}
	return mount{}, false
}

// gitWritable finds projects whose git settings the command can change. Of what else
// is bound nobody knows whether it is one.
func gitWritable(c *call) []remark {
	if !c.whole() {
		return nil
	}
	var all []remark
	for i, m := range c.mounts {
		top, ok := strings.CutSuffix(m.src, "/.git")
		isProject := top == cwd || c.isProject(i)
		if !m.bind || !m.writable || !isProject && (!ok || top == "" || strings.ContainsRune(top, 0)) || c.hidden(i) {
			continue
		}
		var open []string
		for _, name := range []string{"/.git/hooks", "/.git/config"} {
			if at, shown := m.seen(top + name); shown && !c.held(i, at) {
				open = append(open, name[1:])
			}
		}
		if len(open) > 0 {
			all = append(all, remark{at: m.At, what: fmt.Sprintf("the command can change %s, by which git runs programs outside", strings.Join(open, " and "))})
		}
	}
	return all
}

// isProject reports whether a mount shows what git calls the work tree, or a directory
// above that of the script.
func (c *call) isProject(i int) bool {
	text := c.mounts[i].operands[0].Text
	if len(text) == 1 {
		return text[0].Name == trace.WorkTree
	}
	return c.holdsScript(i)
}

// held reports whether something stands at a place or above it behind the mount of
// that number, or may do so: that is judged by itself.
func (c *call) held(i int, at string) bool {
	return slices.ContainsFunc(c.mounts[i+1:], func(m mount) bool {
		// Wherever that may be, it is as on the host: writable, or no part of what stands elsewhere.
		again := m.bind && m.src == m.dest && (m.writable || c.mounts[i].src != c.mounts[i].dest)
		return m.name != "--symlink" && (within(at, m.dest) || maybeWithin(at, m.dest) && !again)
	})
}
