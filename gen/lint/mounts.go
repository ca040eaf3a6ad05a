package lint

import (
	"fmt"
	"strings"

	"bwrapgen/gen/profile"
)

// mountRules are about what of the host the command sees or changes.
var mountRules = []Rule{
	{
		Name:     "root-writable",
		Severity: Escape,
		Bad:      "bwrap --bind / / -- make",
		Good:     "bwrap --ro-bind / / --bind ~/src ~/src -- make",
		Looks:    "a writable bind of /",
		Why:      "the command can change all that its user can change",
		Source:   "bwrap(1), --bind",
		Hint:     "write --ro-bind / /, and bind what the command may change",
		call:     writable(func(src string) bool { return src == "/" }),
	},
	{
		Name:     "home-writable",
		Severity: Exposure,
		Bad:      `bwrap --bind "$HOME" "$HOME" -- make`,
		Good:     `bwrap --bind "$HOME/src/app" "$HOME/src/app" -- make`,
		Looks:    "a writable bind of a home directory, or of what holds it",
		Why:      "what the command writes into .bashrc or .ssh, the host runs or believes later",
		Source:   "bash(1), INVOCATION; sshd(8), authorized_keys",
		Hint:     "bind the project alone",
		call:     writable(func(src string) bool { return src != "/" && within(home, src) }),
	},
	{
		Name:     "system-writable",
		Severity: Weak,
		Bad:      "bwrap --bind /usr /usr -- make",
		Good:     "bwrap --ro-bind /usr /usr -- make",
		Looks:    "a writable bind of a system directory",
		Why:      "started by root, or where the user may write there, the command changes what others run",
		Source:   "bwrap(1), --bind",
		Hint:     "write --ro-bind",
		call:     writable(systemDirectory),
	},
	{
		Name:     "tmp-shared",
		Severity: Exposure,
		Bad:      "bwrap --bind /tmp /tmp -- make",
		Good:     "bwrap --tmpfs /tmp -- make",
		Looks:    "the host's /tmp or /var/tmp",
		Why: "sockets of X11, tmux and agents lie there, and files of other programs, which may follow what " +
			"the command puts in their way",
		Source: "CWE-377; CWE-379",
		Hint:   "add --tmpfs /tmp and --tmpfs /var/tmp",
		call:   temporary,
	},
	{
		Name:     "devices-shared",
		Severity: Exposure,
		Bad:      "bwrap --dev-bind /dev /dev -- make",
		Good:     "bwrap --dev /dev -- make",
		Looks:    "the host's /dev",
		Why:      "the command reaches all devices that its user may open, the terminals of other sessions among them",
		Source:   "bwrap(1), --dev and --dev-bind",
		Hint:     "write --dev /dev, and bind the devices that are needed",
		call:     devices,
	},
	{
		Name:     "proc-shared",
		Severity: Weak,
		Bad:      "bwrap --ro-bind /proc /proc -- make",
		Good:     "bwrap --proc /proc -- make",
		Looks:    "the host's /proc",
		Why:      "the command sees the processes of the host, also with --unshare-pid",
		Source:   "bwrap(1), --proc; pid_namespaces(7)",
		Hint:     "add --proc /proc behind it",
		call:     processes,
	},
	{
		Name:     "root-left-writable",
		Severity: Style,
		Bad:      "bwrap --ro-bind /usr /usr -- make",
		Good:     "bwrap --ro-bind /usr /usr --remount-ro / -- make",
		Looks:    "no --remount-ro / where the root is bwrap's own tmpfs",
		Why:      "the command can make files there, such as /etc/ld.so.preload, for what it starts inside, and fill the memory",
		Source:   "bwrap(1), --remount-ro",
		Hint:     "add --remount-ro / behind all mounts",
		call:     rootLeft,
	},
	{
		Name:     "link-destination",
		Severity: Weak,
		Bad:      "bwrap --symlink usr/lib /lib --ro-bind /lib /lib -- make",
		Good:     "bwrap --symlink usr/lib /lib --ro-bind /usr/lib /usr/lib -- make",
		Looks:    "a mount on a path that is a symbolic link inside, or the other way round",
		Why:      "bwrap 0.12 and later refuse to mount there, and older ones mount elsewhere; none makes a link on a mount",
		Source:   "CVE-2026-87766; bubblewrap 0.12",
		Hint:     "name what the link leads to",
		call:     linked,
	},
	{
		Name:     "descriptor-twice",
		Severity: Weak,
		Bad:      "bwrap --file 4 /a --file 4 /b -- make",
		Good:     "bwrap --file 4 /a --file 5 /b -- make",
		Looks:    "the same descriptor for two files",
		Why:      "bwrap closes it when it has read it, so the second fails: Bad file descriptor",
		Source:   "bwrap(1), --file and --bind-data",
		Hint:     "use another descriptor for each",
		call:     twice,
	},
}

// writable is a rule's function for writable binds of some places.
func writable(wide func(src string) bool) func(*call) []remark {
	return func(c *call) []remark {
		var all []remark
		for i, m := range c.mounts {
			if _, isSocket := c.ofKind(i); m.bind && m.writable && wide(m.src) && !isSocket && !c.hidden(i) {
				all = append(all, remark{at: m.At, what: fmt.Sprintf("the command can change %s of the host", shown(m.src))})
			}
		}
		return all
	}
}

// systemDirectory reports whether a place is the system's, and no other rule's.
func systemDirectory(src string) bool {
	other := src == "/" || src == "/proc" || src == "/tmp" || src == "/var/tmp" || within(home, src) || within(src, "/run") || within(src, "/dev")
	return !other && !strings.ContainsAny(src, "\x00\x01\x02\x03") && profile.SystemDirectory(src)
}

func temporary(c *call) []remark {
	var all []remark
	for i, m := range c.mounts {
		var seen []string
		for _, at := range []string{"/tmp", "/var/tmp"} {
			if c.reaches(i, at) {
				seen = append(seen, at)
			}
		}
		if len(seen) > 0 {
			all = append(all, remark{at: m.At, what: "the host's " + strings.Join(seen, " and ") + " is visible"})
		}
	}
	return all
}

func devices(c *call) []remark {
	var all []remark
	for i, m := range c.mounts {
		if (m.devices || m.src == "/dev") && c.reaches(i, "/dev") {
			all = append(all, remark{at: m.At, what: "all devices of the host are visible"})
		}
	}
	return all
}

func processes(c *call) []remark {
	var all []remark
	for i, m := range c.mounts {
		if c.reaches(i, "/proc") {
			all = append(all, remark{at: m.At, what: "the host's /proc is visible, with all of its processes"})
		}
	}
	return all
}

func rootLeft(c *call) []remark {
	if !c.whole() || c.remounted("/") {
		return nil
	}
	for _, m := range c.mounts {
		if m.dest == "/" || m.dest == "" || strings.HasPrefix(m.dest, "\x00") {
			return nil
		}
	}
	return []remark{{at: c.At, what: "the root inside stays writable: there is no --remount-ro /"}}
}

// links are symbolic links on nearly every host.
func links() []string {
	return []string{"/bin", "/sbin", "/lib", "/lib64", "/var/run", "/var/lock"}
}

func linked(c *call) []remark {
	var all []remark
	made, mounted := map[string]bool{}, map[string]bool{}
	for _, m := range c.mounts {
		at, known := m.at.Literal()
		if m.dest == "/" && m.bind && m.src == "/" && m.sure {
			for _, link := range links() {
				made[link] = true
			}
			continue
		}
		if !known || !m.sure {
			continue
		}
		switch {
		case m.name == "--symlink" && mounted[at]:
			all = append(all, remark{at: m.At, what: fmt.Sprintf("bwrap refuses to start: something is mounted on %s before a symbolic link is made there", at)})
		case m.name == "--symlink":
			made[at] = true
		case made[at]:
			all = append(all, remark{at: m.At, what: fmt.Sprintf("%s is a symbolic link inside: bwrap 0.12 and later mount nothing there", at)})
		default:
			mounted[at] = true
		}
	}
	return all
}

func twice(c *call) []remark {
	var all []remark
	used := map[string]bool{}
	for _, o := range c.options {
		switch o.name {
		case "--file", "--bind-data", "--ro-bind-data", "--bind-fd", "--ro-bind-fd":
		default:
			continue
		}
		if len(o.operands) < 2 || o.When != 0 {
			continue
		}
		fd := o.operands[0].Text
		if _, known := fd.Literal(); !known {
			continue
		}
		if used[fd.Key()] {
			all = append(all, remark{at: o.At, what: fmt.Sprintf("descriptor %s is used twice: bwrap has closed it by then", fd)})
		}
		used[fd.Key()] = true
	}
	return all
}
