package learn

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/sight"
)

// Kind says by which key of a profile a need is met.
type Kind string

// The kinds.
const (
	Read     Kind = "filesystem.read"
	Write    Kind = "filesystem.write"
	Tool     Kind = "toolchains.use"
	Variable Kind = "environment.pass"
	Host     Kind = "network.allow"
)

// Need is something that the command asked for and did not have.
type Need struct {
	Kind Kind
	Name string // a path of the host, a tool, a variable, a host
	Why  string // who asked
	Mark string // why it is not proposed; empty: it is
}

// World answers what the host and the profile have.
type World struct {
	Home, Project string
	Place         func(inside string) string                // of a path inside: where it is on the host
	Shows         func(inside string) (sight.Sight, string) // what the sandbox has there, and where that begins
	Exists        func(name string) bool
	CanWrite      func(name string) bool
	Find          func(program string) string               // in the caller's PATH; empty: nowhere
	Secret        func(name string, forWriting bool) string // what of the catalogue would be shown; empty: nothing
	Tool          func(name string) string                  // of the catalogue, that brings a path; empty: none
	Variables     []string                                  // of the caller's, that do not come in
	IsLogin       func(variable string) bool
}

// Needs says what was missing: of the command's events, and of what it and its launcher
// have said.
func Needs(events []Event, said string, w World) []Need {
	c := collector{World: w, seen: map[string]bool{}, found: map[string]bool{}}
	for _, e := range events {
		if e.Error == "" && isProgram(e) {
			c.found[path.Base(e.Paths[0])] = true
		}
	}
	for _, e := range events {
		c.event(e)
	}
	c.words(said)
	return c.gathered()
}

type collector struct {
	World
	seen  map[string]bool
	found map[string]bool // programs
	needs []Need
}

func (c *collector) add(kind Kind, name, why, mark string) {
	key := string(kind) + name
	if !c.seen[key] {
		c.seen[key] = true
		c.needs = append(c.needs, Need{kind, name, why, mark})
	}
}

// programDirectories are those in which a program is looked for.
var programDirectories = []string{"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"}

func isProgram(e Event) bool {
	return len(e.Paths) > 0 && (e.Call == "execve" || slices.Contains(programDirectories, path.Dir(e.Paths[0])))
}

func (c *collector) event(e Event) {
	switch {
	case e.Call == "connect":
		c.connect(e)
		return
	case e.Error == "":
		return
	}
	for _, at := range e.Paths {
		switch e.Error {
		case "ENOENT", "ENOTDIR":
			c.missing(e, at)
		case "EROFS", "EACCES", "EPERM", "EBUSY", "EXDEV":
			c.refused(e, at)
		}
	}
}

// own are the sandbox's own, whatever the host has there.
var own = []string{"/proc", "/dev", "/sys", "/tmp", "/var/tmp", "/run"}

func withinAny(name string, dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return expr.Within(name, dir) })
}

// isOwn reports whether a path is the sandbox's own, and not in a home or project there.
func (c *collector) isOwn(at string) bool {
	return withinAny(at, own...) && !withinAny(at, c.Home, c.Project)
}

// missing is about a path that is not there inside.
func (c *collector) missing(e Event, at string) {
	if isProgram(e) && c.program(e, path.Base(at)) {
		return
	}
	kind := Read
	if e.Writes {
		at, kind = path.Dir(at), Write
	}
	shown, where := c.Shows(at)
	name := c.Place(at)
	isAbove := expr.Within(c.Home, name) // home itself, too
	if c.isOwn(at) || shown.Shows.Host() || isAbove || !c.Exists(name) {
		return
	}
	mark := ""
	if shown.Shows == sight.Hidden && where != "/" {
		mark = "the profile hides it"
	}
	c.want(kind, name, e, mark)
}

// want adds a path, or the tool that brings it. A secret is marked.
func (c *collector) want(kind Kind, name string, e Event, mark string) {
	why := e.Program + " looks for it"
	if kind == Write {
		why = e.Program + " writes there"
	}
	if mark == "" {
		mark = c.Secret(name, kind == Write)
	}
	if tool := c.Tool(name); tool != "" && mark == "" {
		c.add(Tool, tool, why, "")
		return
	}
	c.add(kind, name, why, mark)
}

// program is one that was found nowhere inside, if the caller has it.
func (c *collector) program(e Event, name string) bool {
	if c.found[name] {
		return true
	}
	at := c.Find(name)
	if at == "" {
		return false
	}
	if shown, _ := c.Shows(at); shown.Shows.Host() {
		return true
	}
	e.Program = cmpOr(e.Program, name)
	if e.Program == "env" {
		e.Program = name
	}
	if tool := c.Tool(at); tool != "" {
		c.add(Tool, tool, name+" is "+at+" outside", "")
		return true
	}
	// It is on PATH if its directory is shown.
	c.add(Read, path.Dir(at), name+" is in it", c.Secret(path.Dir(at), false))
	return true
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// system is never written to.
var system = []string{"/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/root", "/sbin", "/usr"}

// refused is about a path that cannot be changed.
func (c *collector) refused(e Event, at string) {
	name := c.Place(at)
	if !e.Writes || c.isOwn(at) {
		return
	}
	shown, where := c.Shows(at)
	place := name
	if !c.Exists(name) {
		place = path.Dir(name)
	}
	switch {
	case !c.Exists(place) || !c.CanWrite(place) || e.Error == "EXDEV":
		return
	case expr.Within(name, c.Project) && where != c.Project:
		c.add(Write, name, e.Program+" writes there", "it is protected in the project: do that outside")
	case expr.Within(name, c.Project):
		c.add(Write, name, e.Program+" writes there", `the project is read-only: project.access = "write"`)
	case withinAny(name, system...) && !expr.Within(name, c.Home):
		c.add(Write, name, e.Program+" writes there", "it is the system's")
	case shown.Shows == sight.Hidden:
		c.add(Write, name, e.Program+" writes there", "the profile hides it")
	default:
		c.want(Write, place, e, "")
	}
}

// connect is about sockets, which are never proposed, and about hosts.
func (c *collector) connect(e Event) {
	switch {
	case e.Error == "" || e.Error == "EINPROGRESS" || e.Address == "":
	case !path.IsAbs(e.Address):
		if e.Error != "ECONNREFUSED" {
			c.add(Host, e.Address, e.Program+" connects to it", "an address has no name here: network.mode")
		}
	case c.Exists(e.Address):
		mark := "a socket"
		if known := c.Secret(e.Address, false); known != "" {
			mark = known
		}
		c.add(Read, e.Address, e.Program+" connects to it", mark)
	}
}

var (
	unlisted     = regexp.MustCompile(`(?m)^\S+: (\S+) was asked for, and is not in network\.allow$`)
	variableName = regexp.MustCompile(`\b[A-Za-z_][A-Za-z0-9_]{2,}\b`)
)

// words takes from what was said the names of hosts and of variables.
func (c *collector) words(said string) {
	for _, found := range unlisted.FindAllStringSubmatch(said, -1) {
		c.add(Host, found[1], "it was asked for", "")
	}
	for _, name := range variableName.FindAllString(said, -1) {
		if slices.Contains(c.Variables, name) {
			mark := ""
			if c.IsLogin(name) {
				mark = "a login"
			}
			c.add(Variable, name, "it was missed", mark)
		}
	}
}

// canShow reports whether a directory could be shown as a whole.
func (c *collector) canShow(dir string, kind Kind) bool {
	shown, _ := c.Shows(dir)
	return !shown.Shows.Host() && c.Secret(dir, kind == Write) == ""
}

// few is how many neighbours are named one by one.
const few = 3

// gathered joins what lies together: below a path that is proposed nothing else is, and of
// many in one directory that directory is, where nothing secret lies in it.
func (c *collector) gathered() []Need {
	count := map[string]int{}
	for _, n := range c.needs {
		if n.Mark == "" && (n.Kind == Read || n.Kind == Write) {
			count[string(n.Kind)+path.Dir(n.Name)]++
		}
	}
	var all []Need
	seen := map[string]bool{}
	for _, n := range c.needs {
		dir := path.Dir(n.Name)
		isPath := n.Mark == "" && (n.Kind == Read || n.Kind == Write)
		isMany := count[string(n.Kind)+dir] > few && strings.Count(dir, "/") > 1 && !expr.Within(c.Home, dir)
		if isPath && isMany && c.canShow(dir, n.Kind) {
			n.Name = dir
		}
		if key := string(n.Kind) + n.Name; !seen[key] {
			seen[key] = true
			all = append(all, n)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(n Need) bool {
		return slices.ContainsFunc(all, func(o Need) bool {
			isBelow := n.Name != o.Name && expr.Within(n.Name, o.Name) || n.Name == o.Name && n.Kind == Read && o.Kind == Write
			return o.Mark == "" && n.Mark == "" && (o.Kind == n.Kind || o.Kind == Write) && isBelow && path.IsAbs(n.Name)
		})
	})
}
