package verify

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// world is what is so outside, as controls for what is said of the sandbox as a whole.
type world struct {
	namespaces []string // as readlink prints /proc/self/ns/NAME
	filters    string   // Seccomp_filters of /proc/self/status; empty where the kernel does not tell
	nests      bool     // a program outside can make a user namespace
	setuid     bool     // a program outside can set the bit
	variables  map[string]string
	leftOpen   string // a path that a descriptor of the launcher's leads to
	uid        int
	inside     expr.Env // what paths stand for; the command begins in the project
	killed     bool     // the launcher was killed while its command ran
	outlived   bool     // the command ran on then
}

// ofWhole judges what is said of a sandbox as a whole.
func ofWhole(p plan.Plan, s seen, w world) []Statement {
	return slices.Concat(
		namespaces(p, s, w), kernel(p, s, w),
		published(p),
		variables(p, s, w), process(p, s, w),
	)
}

// process is about the command's process, and what it begins with.
func process(p plan.Plan, s seen, w world) []Statement {
	all := []Statement{
		claim("descriptors", "files that the caller left open stay outside", more(!strings.Contains(s.whole["open"], w.leftOpen), "one came in")),
		claim("runtime", "a runtime directory of its own, for nobody else", more(s.whole["runtime"] == "700", "/run/user has none that is writable and has the mode 0700")),
		claim("start", "in the project", more(s.whole["cwd"] == w.inside.Project, "in "+s.whole["cwd"])),
		endsToo(w),
	}
	isRoot := w.uid == 0
	if isRoot {
		all = append(all, claim("kernel", "its settings in /proc cannot be changed", more(s.whole["settings"] == "", "not read-only: "+s.whole["settings"])))
	}
	if isRoot || !p.Kernel.NestedUserns {
		all = append(all, claim("process 1", "bwrap cannot be reached by /proc/1", more(s.whole["first"] == "closed", "/proc/1 is open")))
	}
	if p.Terminal == profile.TerminalNewSession {
		all = append(all, claim("terminal", "a session of its own", more(session(s.whole["stat"]) != "0", "it is in the caller's")))
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

// endsToo judges whether a command can outlive its launcher.
func endsToo(w world) Statement {
	const says = "it ends with the launcher, even if that is killed"
	if !w.killed {
		return skipped("end", says, "in your own project no launcher is killed")
	}
	return claim("end", says, more(!w.outlived, "it goes on without"))
}

// namespaces are the sandbox's own, but for a network that is the host's.
func namespaces(p plan.Plan, s seen, w world) []Statement {
	var all []Statement
	found := strings.Fields(s.whole["ns"])
	words := map[string]string{
		"user": "users", "pid": "processes", "ipc": "shared memory and queues",
		"uts": "the host's name", "cgroup": "cgroups", "mnt": "mounts", "net": "network",
	}
	for _, outside := range w.namespaces {
		name, _, _ := strings.Cut(outside, ":")
		isHosts := slices.Contains(found, outside)
		if name == "net" && p.Network == profile.NetworkHost {
			all = append(all, claim("namespaces", words[name]+": the host's", less(isHosts, "it is not so")))
			continue
		}
		isTold := slices.ContainsFunc(found, func(inside string) bool { return strings.HasPrefix(inside, name+":") })
		all = append(all, claim("namespaces", words[name]+": of its own", more(isTold && !isHosts, "it is not so")))
	}
	return all
}

// status gives one line of /proc/self/status.
func status(text, name string) string {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

var noPower = regexp.MustCompile(`^0+$`)

// kernel is about rights, the filter of system calls, and namespaces below.
func kernel(p plan.Plan, s seen, w world) []Statement {
	text := s.whole["status"]
	var powers []string
	for _, name := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		if !noPower.MatchString(status(text, name)) {
			powers = append(powers, name)
		}
	}
	all := []Statement{
		claim("kernel", "no capabilities", more(len(powers) == 0, strings.Join(powers, ", "))),
		claim("kernel", "no new privileges", more(status(text, "NoNewPrivs") == "1", "programs may gain some")),
		filter(p, s, w),
	}
	if p.Kernel.NestedUserns {
		return all
	}
	return append(all, nested(s, w))
}

func nested(s seen, w world) Statement {
	const says = "no namespaces of its own below"
	switch {
	case s.whole["nested"] == "unknown":
		return skipped("kernel", says, "there is no unshare inside")
	case !w.nests:
		return skipped("kernel", says, "none can be made outside, either")
	}
	return claim("kernel", says, more(s.whole["nested"] == "no", "it can make some"))
}

// filter judges the filter of system calls: the kernel counts them, and one call is tried.
func filter(p plan.Plan, s seen, w world) Statement {
	st := Statement{Subject: "kernel", Says: p.FilterWords()}
	missing := unless(w.setuid, "a call that it refuses fails outside, too")
	passes := s.whole["setuid"] == "yes"
	switch {
	case p.Kernel.Seccomp == profile.SeccompNone:
		return st.concluded(missing, less(passes, "a call is refused"))
	case !isFiltered(s.whole["status"], w):
		return st.concluded("", more(false, "there is none"))
	}
	return st.concluded(missing, more(!passes, "a call passes that it should refuse"))
}

// isFiltered reports whether there are more filters inside; an older kernel says only
// whether there is one.
func isFiltered(text string, w world) bool {
	if w.filters == "" {
		return status(text, "Seccomp") == "2"
	}
	return status(text, "Seccomp_filters") != w.filters
}

// variables judges the environment: of the caller's only what passes, and what is set.
func variables(p plan.Plan, s seen, w world) []Statement {
	var lacking, leaked []string
	passed := 0
	all := maps.Clone(w.variables)
	maps.Copy(all, s.variables)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		outside, isCallers := w.variables[name]
		inside, isInside := s.variables[name]
		isSame := isInside && inside == outside
		switch {
		case isOwn(p, name), forGit.MatchString(name) && !isSame:
		case isCallers && p.Environ.Passes(name):
			passed++
			if !isSame {
				lacking = append(lacking, name)
			}
		case isSame, !isCallers:
			leaked = append(leaked, name)
		}
	}
	kept := len(w.variables) - passed
	statements := []Statement{
		claim("variables", fmt.Sprintf("%d are passed through", passed), less(len(lacking) == 0, "not passed through: "+strings.Join(lacking, ", "))),
	}
	for _, name := range leaked {
		statements = append(statements, claim("variables", name+" stays outside", more(false, "it is passed through")))
	}
	if len(leaked) == 0 {
		statements = append(statements, claim("variables", fmt.Sprintf("the others stay outside; %d were tried", kept), doubt{}))
	}
	return append(statements, set(p, s, w)...)
}

// loginAddress is an address that holds a login.
const loginAddress = "https://user:password@bwrapgen.invalid/"

// addresses judges what became of variables that had each loginAddress for a value.
func addresses(p plan.Plan, s seen) []Statement {
	var came []string
	for _, name := range p.Environ.Addresses {
		if s.variables[name] == loginAddress {
			came = append(came, name)
		}
	}
	if len(p.Environ.Addresses) == 0 {
		return nil
	}
	return []Statement{claim("variables", "addresses that hold credentials stay outside", more(len(came) == 0, "passed through: "+strings.Join(came, ", ")))}
}

// set judges the variables that the profile sets.
func set(p plan.Plan, s seen, w world) []Statement {
	var all []Statement
	for _, v := range p.Environ.Set {
		value := v.Text
		if !v.Path.IsZero() {
			value, _ = v.Path.Eval(w.inside)
		}
		all = append(all, claim("variables", v.Name+" is set", less(s.variables[v.Name] == value, "it has another value")))
	}
	return all
}

// fixed are variables of the launcher's own, and of shells.
var fixed = []string{
	"HOME", "USER", "LOGNAME", "PATH", "SHELL", "BWRAPGEN", "TMPDIR", "XDG_RUNTIME_DIR", "LC_ALL", "PWD", "SHLVL",
}

// forGit are the variables by which a launcher adds settings of git to the caller's.
var forGit = regexp.MustCompile(`^GIT_CONFIG_(COUNT|(KEY|VALUE)_\d+)$`)

// isOwn reports whether the launcher has a value of its own for a variable.
func isOwn(p plan.Plan, name string) bool {
	isSet := slices.ContainsFunc(p.Environ.Set, func(v profile.Variable) bool { return v.Name == name })
	return isSet || slices.Contains(fixed, name)
}
