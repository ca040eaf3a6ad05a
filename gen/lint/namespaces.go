package lint

import (
	"fmt"
	"strings"
)

// namespaceRules are about what the command shares with the host's processes.
var namespaceRules = []Rule{
	{
		Name:     "pid-shared",
		Severity: Weak,
		Bad:      "bwrap --ro-bind / / -- make",
		Good:     "bwrap --unshare-pid --ro-bind / / --proc /proc -- make",
		Looks:    "no --unshare-pid",
		Why: "the command sees the processes of the host, and can signal those of its user; " +
			"and what it leaves behind outlives the sandbox",
		Source: "bwrap(1), --unshare-pid",
		Hint:   "add --unshare-pid, and --proc /proc with it",
		call: missing("the command sees and can signal the user's processes on the host: there is no --unshare-pid",
			"--unshare-pid", "--unshare-all", "--pidns"),
	},
	{
		Name:     "namespaces-shared",
		Severity: Weak,
		Bad:      "bwrap --unshare-pid --ro-bind / / -- make",
		Good:     "bwrap --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup --ro-bind / / -- make",
		Looks:    "no --unshare-ipc, --unshare-uts or --unshare-cgroup",
		Why: "shared memory and message queues of the host stay in reach, its name is seen, and /proc/self/cgroup " +
			"tells in which service or container the command runs",
		Source: "bwrap(1); ipc_namespaces(7), uts_namespaces(7), cgroup_namespaces(7)",
		Hint:   "add what is missing, or --unshare-all and --share-net where the network is needed",
		call:   namespaces,
	},
	{
		Name:     "user-shared",
		Severity: Weak,
		Bad:      "bwrap --unshare-pid --ro-bind / / -- make",
		Good:     "bwrap --unshare-user --unshare-pid --ro-bind / / -- make",
		Looks:    "no --unshare-user, nor its -try form",
		Why: "bwrap makes a user namespace by itself for an ordinary user only: started by root, " +
			"the command keeps root's identity and capabilities",
		Source: "bwrap(1), --unshare-user and --cap-drop",
		Hint:   "add --unshare-user",
		call: missing("started by root, the command stays root of the host: there is no --unshare-user",
			"--unshare-user", "--unshare-user-try", "--unshare-all", "--userns"),
	},
	{
		Name:     "unshare-try",
		Severity: Style,
		Bad:      "bwrap --unshare-all --ro-bind / / -- make",
		Good:     "bwrap --unshare-all --unshare-user --unshare-cgroup --ro-bind / / -- make",
		Looks:    "a namespace that bwrap may leave out without a word: --unshare-all, --unshare-user-try, --unshare-cgroup-try",
		Why: "--unshare-all stands for --unshare-user-try and --unshare-cgroup-try: where such a namespace " +
			"cannot be made, the command runs without it",
		Source: "bwrap(1), --unshare-all",
		Hint:   "add --unshare-user and --unshare-cgroup, which fail where they cannot be kept",
		call:   unshareTry,
	},
	{
		Name:     "nested-userns",
		Severity: Weak,
		Bad:      "bwrap --unshare-user --ro-bind / / -- make",
		Good:     "bwrap --unshare-user --disable-userns --ro-bind / / -- make",
		Looks:    "no --disable-userns, and no filter that could stand in for it",
		Why: "in a user namespace of its own the command has all capabilities: mounts that hide or protect " +
			"can be undone there, and much of the kernel comes into reach",
		Source: "bwrap(1), --disable-userns, since 0.8",
		Hint:   "add --unshare-user --disable-userns, or a --seccomp filter that refuses unshare and clone",
		call: missing("the command can make user namespaces, in which it has all capabilities: there is no --disable-userns",
			"--disable-userns", "--seccomp", "--add-seccomp-fd"),
	},
	{
		Name:     "disable-userns-alone",
		Severity: Weak,
		Bad:      "bwrap --unshare-all --disable-userns --ro-bind / / -- make",
		Good:     "bwrap --unshare-all --unshare-user --disable-userns --ro-bind / / -- make",
		Looks:    "--disable-userns without --unshare-user",
		Why:      "bwrap wants --unshare-user spelled out for --disable-userns; --unshare-all does not count",
		Source:   "bwrap(1), --disable-userns",
		Hint:     "add --unshare-user",
		call:     disableAlone,
	},
	{
		Name:     "capability-added",
		Severity: Weak,
		Bad:      "bwrap --cap-add CAP_SYS_ADMIN --ro-bind / / -- make",
		Good:     "bwrap --cap-drop ALL --ro-bind / / -- make",
		Looks:    "--cap-add",
		Why: "with CAP_SYS_ADMIN the command can unmount what hides or protects files; other capabilities " +
			"undo other parts of the sandbox",
		Source: "bwrap(1), --cap-add; capabilities(7)",
		Hint:   "leave it out",
		call:   capabilities,
	},
	{
		Name:     "network-open",
		Severity: Weak,
		Bad:      "bwrap --unshare-pid --ro-bind / / -- make",
		Good:     "bwrap --unshare-pid --unshare-net --ro-bind / / -- make",
		Looks:    "neither --unshare-net nor --share-net",
		Why: "bwrap leaves the network as it is: the command can send what it can read, reaches what listens on " +
			"127.0.0.1, and abstract sockets as those of X11",
		Source: "bwrap(1), --unshare-net; unix(7), abstract sockets",
		Hint:   "add --unshare-net; or, where the command needs the network, --share-net, which says so",
		call: missing("the command has the host's network, and nothing says that it should: there is neither --unshare-net nor --share-net",
			"--unshare-net", "--unshare-all", "--share-net"),
	},
	{
		Name:     "network-shared",
		Severity: Style,
		Bad:      "bwrap --unshare-all --share-net --ro-bind / / -- make",
		Good:     "bwrap --unshare-all --ro-bind / / -- make",
		Looks:    "--share-net, with no --unshare-all or --unshare-net behind it",
		Why: "abstract sockets as those of X11, and what listens on 127.0.0.1, are in reach; and what the " +
			"command can read, it can send",
		Source: "bwrap(1), --share-net; unix(7), abstract sockets",
		Hint:   "write --unshare-net instead, if the command needs no network",
		call:   shareNet,
	},
	{
		Name:     "share-net-undone",
		Severity: Style,
		Bad:      "bwrap --share-net --unshare-all --ro-bind / / -- make",
		Good:     "bwrap --unshare-all --share-net --ro-bind / / -- make",
		Looks:    "--share-net before --unshare-all or --unshare-net",
		Why:      "the later option takes the network away again, so the script does not say what it does",
		Source:   "bwrap(1), --unshare-all and --share-net",
		Hint:     "write --share-net behind it, or leave it out",
		call:     shareNetUndone,
	},
	{
		Name:     "no-boundary",
		Severity: Weak,
		Bad:      "bwrap --not-a-security-boundary --ro-bind / / -- make",
		Good:     "bwrap --ro-bind / / -- make",
		Looks:    "--not-a-security-boundary",
		Why:      "bwrap then goes on where it could not make a mount read-only",
		Source:   "bwrap(1), --not-a-security-boundary, since 0.12",
		Hint:     "leave it out",
		call:     present("--not-a-security-boundary", "bwrap goes on where a mount cannot be made read-only: --not-a-security-boundary"),
	},
}

// missing is a rule's function for options of which one should be there.
func missing(what string, names ...string) func(*call) []remark {
	return func(c *call) []remark { return c.absent(what, names...) }
}

// namespaces names the small namespaces that are shared, in one finding.
func namespaces(c *call) []remark {
	var lack []string
	for _, one := range [][]string{
		{"--unshare-ipc", "--unshare-all"},
		{"--unshare-uts", "--unshare-all"},
		{"--unshare-cgroup", "--unshare-cgroup-try", "--unshare-all"},
	} {
		if c.lacks(one...) {
			lack = append(lack, one[0])
		}
	}
	if len(lack) == 0 {
		return nil
	}
	return []remark{{at: c.At, what: "the command shares namespaces with the host: there is no " + strings.Join(lack, ", ")}}
}

// present is a rule's function for an option that should not be there.
func present(name, what string) func(*call) []remark {
	return func(c *call) []remark {
		var all []remark
		for _, o := range c.options {
			if o.name == name {
				all = append(all, remark{at: o.At, what: what})
			}
		}
		return all
	}
}

func unshareTry(c *call) []remark {
	for _, try := range []struct {
		name  string
		exact []string
		left  string
	}{
		{"--unshare-all", []string{"--unshare-user", "--unshare-cgroup"}, "user and cgroup namespaces"},
		{"--unshare-user-try", []string{"--unshare-user"}, "the user namespace"},
		{"--unshare-cgroup-try", []string{"--unshare-cgroup"}, "the cgroup namespace"},
	} {
		o, ok := c.first(try.name)
		if !ok || !c.whole() {
			continue
		}
		for _, name := range try.exact {
			if !c.has(name) {
				return []remark{{at: o.At, what: fmt.Sprintf("%s leaves out %s where that fails, without a word", try.name, try.left)}}
			}
		}
	}
	return nil
}

func disableAlone(c *call) []remark {
	o, ok := c.first("--disable-userns")
	if !ok || !c.lacks("--unshare-user", "--userns") {
		return nil
	}
	return []remark{{at: o.At, what: "--disable-userns fails without --unshare-user"}}
}

func capabilities(c *call) []remark {
	var all []remark
	for _, o := range c.options {
		if o.name == "--cap-add" && len(o.operands) == 1 {
			all = append(all, remark{at: o.At, what: "the command gets the capability " + o.operands[0].Text.String()})
		}
	}
	return all
}

// shareNet finds the last word about the network.
func shareNet(c *call) []remark {
	var all []remark
	for _, o := range c.options {
		switch o.name {
		case "--unshare-all", "--unshare-net":
			all = nil
		case "--share-net":
			all = []remark{{at: o.At, what: "the network is the host's, with its abstract sockets and what listens on 127.0.0.1"}}
		}
	}
	return all
}

func shareNetUndone(c *call) []remark {
	for i, o := range c.options {
		if o.name != "--share-net" || o.When != 0 {
			continue
		}
		for _, later := range c.options[i+1:] {
			if (later.name == "--unshare-all" || later.name == "--unshare-net") && later.When == 0 {
				return []remark{{at: o.At, what: "--share-net has no effect: a later " + later.name + " takes the network away again"}}
			}
		}
	}
	return nil
}
