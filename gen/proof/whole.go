package proof

import (
	"fmt"
	"slices"
	"strings"

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
}

// Whole judges what is said of a sandbox as a whole.
func Whole(p plan.Plan, s Seen, w World) []Statement {
	all := namespaces(p, s, w)
	all = append(all, kernel(p, s, w)...)
	all = append(all, network(p, s, w))
	all = append(all, variables(p, s, w)...)
	all = append(all,
		claim("descriptors", "what the caller left open stays outside", !strings.Contains(s.Said["open"], w.LeftOpen), "one came in"),
		claim("runtime", "a runtime directory of its own, for nobody else", s.Said["runtime"] == "700", "/run/user has none that is writable and has the mode 0700"),
	)
	if w.UID == 0 {
		all = append(all, claim("kernel", "its settings in /proc cannot be changed", s.Said["settings"] == "", "not read-only: "+s.Said["settings"]))
	}
	if !p.Kernel.NestedUserns || w.UID == 0 {
		all = append(all, claim("process 1", "bwrap cannot be reached by /proc/1", s.Said["first"] == "closed", "/proc/1 is open"))
	}
	if p.Terminal == profile.TerminalNewSession {
		fields := strings.Fields(s.Said["stat"])
		isOwn := len(fields) > 5 && fields[5] != "0"
		all = append(all, claim("terminal", "a session of its own", isOwn, "it is in the caller's"))
	}
	return all
}

func claim(subject, says string, holds bool, why string) Statement {
	if holds {
		return Statement{Subject: subject, Says: says}
	}
	return Statement{Subject: subject, Says: says, Result: False, Why: why}
}

func unprovable(subject, says, why string) Statement {
	return Statement{Subject: subject, Says: says, Result: Unprovable, Why: why}
}

// namespaces are the sandbox's own, but for a network that is the host's.
func namespaces(p plan.Plan, s Seen, w World) []Statement {
	var all []Statement
	found := strings.Fields(s.Said["ns"])
	words := map[string]string{
		"user": "users", "pid": "processes", "ipc": "shared memory and queues",
		"uts": "the host's name", "cgroup": "cgroups", "mnt": "mounts", "net": "network",
	}
	for _, outside := range w.Namespaces {
		name, _, _ := strings.Cut(outside, ":")
		says := words[name] + ": of its own"
		isOwn := !slices.Contains(found, outside) && len(found) > 0
		if name == "net" && p.Network == profile.NetworkHost {
			says, isOwn = words[name]+": the host's", slices.Contains(found, outside)
		}
		all = append(all, claim("namespaces", says, isOwn, "it is not so"))
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

// kernel is about rights, the filter of system calls, and namespaces below.
func kernel(p plan.Plan, s Seen, w World) []Statement {
	text := s.Said["status"]
	var powers []string
	for _, name := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		if strings.Trim(Status(text, name), "0") != "" || Status(text, name) == "" {
			powers = append(powers, name)
		}
	}
	all := []Statement{
		claim("kernel", "no capabilities", len(powers) == 0, strings.Join(powers, ", ")),
		claim("kernel", "no new privileges", Status(text, "NoNewPrivs") == "1", "programs may gain some"),
		filter(p, text, s, w),
	}
	const nested = "no namespaces of its own below"
	switch {
	case p.Kernel.NestedUserns:
	case s.Said["nested"] == "unknown":
		all = append(all, unprovable("kernel", nested, "there is no unshare inside"))
	case !w.Nests:
		all = append(all, unprovable("kernel", nested, "none can be made outside, either"))
	default:
		all = append(all, claim("kernel", nested, s.Said["nested"] == "no", "it can make some"))
	}
	return all
}

// filter judges the filter of system calls: the kernel counts them, and one call is tried.
func filter(p plan.Plan, text string, s Seen, w World) Statement {
	says := p.FilterWords() + " of system calls"
	isMore := Status(text, "Seccomp_filters") != w.Filters || w.Filters == "" && Status(text, "Seccomp") == "2"
	switch {
	case p.Kernel.Seccomp == profile.SeccompNone:
		return claim("kernel", says, s.Said["setuid"] == "yes" || !w.Setuid, "a call is refused")
	case !isMore:
		return Statement{"kernel", says, False, "there is none", nil}
	case !w.Setuid:
		return unprovable("kernel", says, "a call that it refuses fails outside, too")
	}
	return claim("kernel", says, s.Said["setuid"] == "no", "a call passes that it should refuse")
}

func network(p plan.Plan, s Seen, w World) Statement {
	says := "what listens on this host's 127.0.0.1 cannot be reached"
	isReached := s.Said["network"] == "yes"
	switch {
	case !w.Listens:
		return unprovable("network", says, "nothing can listen here")
	case p.Network == profile.NetworkHost:
		return claim("network", "what listens on this host's 127.0.0.1 can be reached", isReached, "it cannot")
	}
	return claim("network", says, !isReached, "it can")
}

// variables judges the environment: of the caller's only what passes, and what is set.
func variables(p plan.Plan, s Seen, w World) []Statement {
	var lacking, leaked []string
	passed := 0
	for name, value := range w.Variables {
		found, isThere := s.Variables[name]
		switch {
		case own(p, name):
		case Passes(p, name):
			passed++
			if found != value {
				lacking = append(lacking, name)
			}
		case isThere && found == value:
			leaked = append(leaked, name)
		}
	}
	for name := range s.Variables {
		if _, isCallers := w.Variables[name]; !isCallers && !own(p, name) {
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
	for _, v := range p.Environ.Set {
		if !v.Path.IsZero() {
			continue
		}
		all = append(all, claim("variables", v.Name+" is set", s.Variables[v.Name] == v.Text, "it has another value"))
	}
	return all
}

// own reports whether the launcher has a value of its own for a variable.
func own(p plan.Plan, name string) bool {
	for _, v := range p.Environ.Set {
		if v.Name == name {
			return true
		}
	}
	fixed := []string{"HOME", "USER", "LOGNAME", "PATH", "SHELL", "BWRAPGEN", "TMPDIR", "XDG_RUNTIME_DIR", "PWD", "LC_ALL"}
	return slices.Contains(fixed, name)
}

// Passes reports whether a variable of the caller's comes in.
func Passes(p plan.Plan, name string) bool {
	return slices.ContainsFunc(p.Environ.Pass, func(listed string) bool {
		prefix, isPrefix := strings.CutSuffix(listed, "*")
		return listed == name || isPrefix && strings.HasPrefix(name, prefix)
	})
}
