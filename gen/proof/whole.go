package proof

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// World is what is so outside, as controls for what is said of the sandbox as a whole.
type World struct {
	Namespaces []string // as readlink prints /proc/self/ns/NAME
	Filters    string   // Seccomp_filters of /proc/self/status; empty where the kernel does not tell
	Nests      bool     // a program outside can make a user namespace
	Setuid     bool     // a program outside can set the bit
	Listens    bool     // somebody listens on 127.0.0.1, and was reached
	Variables  map[string]string
	LeftOpen   string // a path that a descriptor of the launcher's leads to
	UID        int
	Inside     expr.Env // what paths stand for; the command begins in the project
	Killed     bool     // the launcher was killed while its command ran
	Outlived   bool     // the command ran on then
}

// Whole judges what is said of a sandbox as a whole.
func Whole(p plan.Plan, s Seen, w World) []Statement {
	return slices.Concat(
		namespaces(p, s, w), kernel(p, s, w),
		[]Statement{loopback(p, s, w)}, published(p),
		variables(p, s, w), process(p, s, w),
	)
}

// process is about the command's process, and what it begins with.
func process(p plan.Plan, s Seen, w World) []Statement {
	all := []Statement{
		claim("descriptors", "what the caller left open stays outside", !strings.Contains(s.Said["open"], w.LeftOpen), "one came in"),
		claim("runtime", "a runtime directory of its own, for nobody else", s.Said["runtime"] == "700", "/run/user has none that is writable and has the mode 0700"),
		claim("start", "in the project", s.Said["cwd"] == w.Inside.Project, "in "+s.Said["cwd"]),
		end(w),
	}
	isRoot := w.UID == 0
	if isRoot {
		all = append(all, claim("kernel", "its settings in /proc cannot be changed", s.Said["settings"] == "", "not read-only: "+s.Said["settings"]))
	}
	if isRoot || !p.Kernel.NestedUserns {
		all = append(all, claim("process 1", "bwrap cannot be reached by /proc/1", s.Said["first"] == "closed", "/proc/1 is open"))
	}
	if p.Terminal == profile.TerminalNewSession {
		all = append(all, claim("terminal", "a session of its own", session(s.Said["stat"]) != "0", "it is in the caller's"))
	}
	return all
}

// session is the number of a process's session, 0 where that is not of the sandbox, as
// proc(5) has it.
func session(stat string) string {
	const before = 5 // fields
	fields := strings.Fields(stat)
	if len(fields) <= before {
		return "0"
	}
	return fields[before]
}

// end judges whether a command can outlive its launcher.
func end(w World) Statement {
	const says = "it ends with the launcher, even if that is killed"
	if !w.Killed {
		return unprovable("end", says, "in your own project no launcher is killed")
	}
	return claim("end", says, !w.Outlived, "it goes on without")
}

func claim(subject, says string, holds bool, why string) Statement {
	return Statement{Subject: subject, Says: says}.concluded("", unless(holds, why))
}

func unprovable(subject, says, why string) Statement {
	return Statement{Subject: subject, Says: says}.concluded(why, "")
}

// namespaces are the sandbox's own, but for a network that is the host's.
func namespaces(p plan.Plan, s Seen, w World) []Statement {
	var all []Statement
	found := strings.Fields(s.Said["ns"])
	words := map[string]string{
		"user": "users", "pid": "processes", "ipc": "shared memory and queues",
		"uts": "the host's name", "cgroup": "cgroups", "mnt": "mounts", "net": "network",
	}
	shared := ""
	if p.Network == profile.NetworkHost {
		shared = "net"
	}
	for _, outside := range w.Namespaces {
		name, _, _ := strings.Cut(outside, ":")
		isHosts := slices.Contains(found, outside)
		if name == shared {
			all = append(all, claim("namespaces", words[name]+": the host's", isHosts, "it is not so"))
			continue
		}
		isTold := slices.ContainsFunc(found, func(inside string) bool { return strings.HasPrefix(inside, name+":") })
		all = append(all, claim("namespaces", words[name]+": of its own", isTold && !isHosts, "it is not so"))
	}
	return all
}

// Status gives one line of /proc/self/status.
func Status(text, name string) string {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

var noPower = regexp.MustCompile(`^0+$`)

// kernel is about rights, the filter of system calls, and namespaces below.
func kernel(p plan.Plan, s Seen, w World) []Statement {
	text := s.Said["status"]
	var powers []string
	for _, name := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		if !noPower.MatchString(Status(text, name)) {
			powers = append(powers, name)
		}
	}
	all := []Statement{
		claim("kernel", "no capabilities", len(powers) == 0, strings.Join(powers, ", ")),
		claim("kernel", "no new privileges", Status(text, "NoNewPrivs") == "1", "programs may gain some"),
		filter(p, s, w),
	}
	if p.Kernel.NestedUserns {
		return all
	}
	return append(all, nested(s, w))
}

func nested(s Seen, w World) Statement {
	const says = "no namespaces of its own below"
	switch {
	case s.Said["nested"] == "unknown":
		return unprovable("kernel", says, "there is no unshare inside")
	case !w.Nests:
		return unprovable("kernel", says, "none can be made outside, either")
	}
	return claim("kernel", says, s.Said["nested"] == "no", "it can make some")
}

// filter judges the filter of system calls: the kernel counts them, and one call is tried.
func filter(p plan.Plan, s Seen, w World) Statement {
	st := Statement{Subject: "kernel", Says: p.FilterWords() + " of system calls"}
	missing := unless(w.Setuid, "a call that it refuses fails outside, too")
	passes := s.Said["setuid"] == "yes"
	switch {
	case p.Kernel.Seccomp == profile.SeccompNone:
		return st.concluded(missing, unless(passes, "a call is refused"))
	case !isFiltered(s.Said["status"], w):
		return st.concluded("", "there is none")
	}
	return st.concluded(missing, unless(!passes, "a call passes that it should refuse"))
}

// isFiltered reports whether there are more filters inside; an older kernel says only
// whether there is one.
func isFiltered(status string, w World) bool {
	if w.Filters == "" {
		return Status(status, "Seccomp") == "2"
	}
	return Status(status, "Seccomp_filters") != w.Filters
}

// variables judges the environment: of the caller's only what passes, and what is set.
func variables(p plan.Plan, s Seen, w World) []Statement {
	var lacking, leaked []string
	passed := 0
	for name, value := range w.Variables {
		found, isThere := s.Variables[name]
		isSame := isThere && found == value
		switch {
		case own(p, name):
		case !Passes(p, name) && isSame:
			leaked = append(leaked, name)
		case Passes(p, name):
			passed++
			if !isSame {
				lacking = append(lacking, name)
			}
		}
	}
	for name := range s.Variables {
		_, isCallers := w.Variables[name]
		if !isCallers && !own(p, name) {
			leaked = append(leaked, name)
		}
	}
	slices.Sort(lacking)
	slices.Sort(leaked)
	kept := len(w.Variables) - passed
	all := []Statement{
		claim("variables", fmt.Sprintf("%d of the caller's come in", passed), len(lacking) == 0, "not so: "+strings.Join(lacking, ", ")),
	}
	for _, name := range leaked {
		all = append(all, claim("variables", name+" stays outside", false, "it comes in"))
	}
	if len(leaked) == 0 {
		all = append(all, claim("variables", fmt.Sprintf("the others stay outside; %d were tried", kept), true, ""))
	}
	return append(all, set(p, s, w)...)
}

// Login is an address that holds a login.
const Login = "https://user:password@bwrapgen.invalid/"

// Addresses judges what became of variables that had each Login for a value.
func Addresses(p plan.Plan, s Seen) []Statement {
	var came []string
	for _, name := range p.Environ.Addresses {
		if s.Variables[name] == Login {
			came = append(came, name)
		}
	}
	if len(p.Environ.Addresses) == 0 {
		return nil
	}
	return []Statement{claim("variables", "addresses that hold a login stay outside", len(came) == 0, "not so: "+strings.Join(came, ", "))}
}

// set judges the variables that the profile sets.
func set(p plan.Plan, s Seen, w World) []Statement {
	var all []Statement
	for _, v := range p.Environ.Set {
		value := v.Text
		if !v.Path.IsZero() {
			value, _ = v.Path.Eval(w.Inside)
		}
		all = append(all, claim("variables", v.Name+" is set", s.Variables[v.Name] == value, "it has another value"))
	}
	return all
}

// fixed are variables of the launcher's own, and of shells.
var fixed = []string{
	"HOME", "USER", "LOGNAME", "PATH", "SHELL", "BWRAPGEN", "TMPDIR", "XDG_RUNTIME_DIR", "LC_ALL", "PWD", "SHLVL",
}

// own reports whether the launcher has a value of its own for a variable.
func own(p plan.Plan, name string) bool {
	isSet := slices.ContainsFunc(p.Environ.Set, func(v profile.Variable) bool { return v.Name == name })
	return isSet || slices.Contains(fixed, name)
}

// Passes reports whether a variable of the caller's comes in.
func Passes(p plan.Plan, name string) bool {
	return slices.ContainsFunc(p.Environ.Pass, func(listed string) bool {
		prefix, isPrefix := strings.CutSuffix(listed, "*")
		if isPrefix {
			return strings.HasPrefix(name, prefix)
		}
		return listed == name
	})
}
