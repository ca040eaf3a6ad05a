package learn

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
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

// isPath reports whether the names of a kind are paths of the host.
func (k Kind) isPath() bool { return k == Read || k == Write }

// Need is something that the command asked for and did not have.
type Need struct {
	Kind Kind
	Name string // a path of the host, a tool, a variable, a host
	Why  string // who asked
	Mark string // why it is not proposed; empty: it is
}

// World is the sandbox in which the command ran, and what there is outside.
type World struct {
	Plan      plan.Plan
	Catalogue catalogue.Catalogue
	Host      expr.Env          // with the project
	Variables map[string]string // of the caller's
	CanWrite  func(name string) bool
	Resolve   func(name string) (string, bool) // where it is without links, if it is there
	Find      func(program string) string      // in the caller's PATH; empty: nowhere
}

// Needs returns what the command missed: by its events, by the variables that it named, and by the hosts that
// its launcher refused. Only the launcher may say what it refused.
func Needs(events []Event, named, refused []string, w World) []Need {
	c := newCollector(w)
	c.hosts(refused)
	for _, e := range events {
		if e.Error == "" && isProgram(e) {
			c.found[path.Base(e.Paths[0])] = true
		}
	}
	for _, e := range events {
		c.event(e)
	}
	for _, name := range named {
		c.variable(name, "it was named on standard error")
	}
	return c.gathered()
}

type collector struct {
	World
	inside    expr.Env
	index     access.Index
	sensitive catalogue.Sensitive
	seen      map[string]bool
	found     map[string]bool // programs
	needs     []Need
}

func newCollector(w World) *collector {
	inside := access.Inside(w.Plan, w.Host)
	return &collector{
		World: w, inside: inside, seen: map[string]bool{}, found: map[string]bool{},
		index: access.NewIndex(access.Of(w.Plan), inside),
		sensitive: w.Catalogue.Sensitive(w.Host, func(s catalogue.Secret) (string, bool) {
			at, isThere := s.Eval(w.Host)
			if !isThere {
				return "", false
			}
			return w.Resolve(at)
		}),
	}
}

// mostNeeds bounds what a command can make of a profile.
const mostNeeds = 2000

func (c *collector) add(kind Kind, name, why, mark string) {
	key := string(kind) + name
	if c.seen[key] || len(c.needs) == mostNeeds {
		return
	}
	if kind.isPath() && !utf8.ValidString(name) {
		mark = cmp.Or(mark, "a profile is UTF-8, and this name is not")
	}
	c.seen[key] = true
	c.needs = append(c.needs, Need{kind, name, why, mark})
}

// programDirectories are those in which a program is looked for.
var programDirectories = []string{"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"}

// isProgram reports whether a program was looked for.
func isProgram(e Event) bool {
	if len(e.Paths) == 0 {
		return false
	}
	return e.Call == "execve" || slices.Contains(programDirectories, path.Dir(e.Paths[0]))
}

func (c *collector) event(e Event) {
	switch {
	case e.Call == "connect":
		c.connect(e)
		return
	case e.Error == "":
		c.started(e)
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

// started is about the variables that a program reads. Of others that it may read nothing is
// to be seen.
func (c *collector) started(e Event) {
	if e.Call != "execve" {
		return
	}
	for _, t := range c.Catalogue.Tools {
		if t.Name != e.Program && !slices.Contains(t.Programs, e.Program) {
			continue
		}
		for _, name := range slices.Concat(t.Pass, t.Addresses, t.Keys) {
			c.variable(name, e.Program+" reads it")
		}
	}
}

// variable adds one that the caller has and the sandbox does not. It marks those that may hold credentials.
func (c *collector) variable(name, why string) {
	if c.isClosed(name) {
		c.add(Variable, name, why, c.sensitiveVariable(name))
	}
}

// own are the sandbox's own, whatever the host has there.
var own = []string{"/proc", "/dev", "/sys", "/tmp", "/var/tmp", "/run"}

func withinAny(name string, dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return expr.Within(name, dir) })
}

// isOwn reports whether a path is the sandbox's own, and not in a home or project there.
func (c *collector) isOwn(at string) bool {
	return withinAny(at, own...) && !withinAny(at, c.Host.Home, c.Host.Project)
}

// missing is about a path that is not there inside.
func (c *collector) missing(e Event, at string) {
	if isProgram(e) && c.program(path.Base(at)) {
		return
	}
	kind := Read
	if e.Writes {
		at, kind = path.Dir(at), Write
	}
	shown, where := c.index.Decisive(at)
	name := c.outside(at)
	isAbove := expr.Within(c.Host.Home, name) // home itself, too
	switch {
	case c.isOwn(at), shown.Shows.Host(), isAbove, !c.exists(name):
		return
	}
	mark := ""
	if shown.Shows == access.Hidden && where != "/" {
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
	mark = cmp.Or(mark, c.secret(name, kind == Write))
	tool := c.tool(name)
	if mark != "" || tool == "" {
		c.add(kind, name, why, mark)
		return
	}
	c.add(Tool, tool, why, "")
}

// program is one that was found nowhere inside, if the caller has it.
func (c *collector) program(name string) bool {
	if c.found[name] {
		return true
	}
	at := c.Find(name)
	if at == "" {
		return false
	}
	if shown, _ := c.index.Decisive(at); shown.Shows.Host() {
		return true
	}
	if tool := c.tool(at); tool != "" {
		c.add(Tool, tool, name+" is "+at+" outside", "")
		return true
	}
	// It is on PATH if its directory is shown.
	c.add(Read, path.Dir(at), name+" is in it", c.secret(path.Dir(at), false))
	return true
}

// system is never written to.
var system = []string{"/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/root", "/sbin", "/usr"}

// refused is about a path that cannot be changed.
func (c *collector) refused(e Event, at string) {
	name := c.outside(at)
	place := name
	if !c.exists(name) {
		place = path.Dir(name)
	}
	switch {
	case !e.Writes, e.Error == "EXDEV", c.isOwn(at), !c.exists(place), !c.CanWrite(place):
		return
	}
	mark := c.closed(name, at)
	if mark == "" {
		c.want(Write, place, e, "")
		return
	}
	c.add(Write, name, e.Program+" writes there", mark)
}

// closed says why a path is not to be written to; nothing, if it may be.
func (c *collector) closed(name, at string) string {
	shown, where := c.index.Decisive(at)
	isSystems := withinAny(name, system...) && !expr.Within(name, c.Host.Home)
	switch {
	case expr.Within(name, c.Host.Project) && where == c.Host.Project:
		return `the project is read-only: project.access = "write"`
	case expr.Within(name, c.Host.Project):
		return "it is protected in the project: do that outside"
	case isSystems:
		return "it is the system's"
	case shown.Shows == access.Hidden:
		return "the profile hides it"
	}
	return ""
}

// connect is about sockets, which are never proposed, and about hosts.
func (c *collector) connect(e Event) {
	switch e.Error {
	case "", "EINPROGRESS":
		return
	}
	why := e.Program + " connects to it"
	switch {
	case e.Address == "":
	case path.IsAbs(e.Address):
		if c.exists(e.Address) {
			c.add(Read, e.Address, why, cmp.Or(c.secret(e.Address, false), "a socket"))
		}
	case e.Error != "ECONNREFUSED":
		c.add(Host, e.Address, why, "an address has no name here: network.mode")
	}
}

const mostHosts = 100

// hosts adds what network.allow refused. The command chooses these names: what is no host name, or stands for
// several, is left out.
func (c *collector) hosts(refused []string) {
	for _, text := range refused[:min(len(refused), mostHosts)] {
		host, ok := profile.ParseDestination(text)
		if !ok || host.Below || strings.Contains(host.Name, "_") {
			continue
		}
		mark := ""
		if host.Name != "" && !strings.Contains(host.Name, ".") {
			mark = "a name without a dot is no host of the internet"
		}
		c.add(Host, host.String(), "it was asked for", mark)
	}
}

// few is how many neighbours are named one by one.
const few = 3

// gathered joins what lies together: below a path that is proposed nothing else is, and of
// many in one directory that directory is, where nothing secret lies in it.
func (c *collector) gathered() []Need {
	count := map[string]int{}
	for _, n := range c.needs {
		if n.isProposedPath() {
			count[n.folder()]++
		}
	}
	var all []Need
	seen := map[string]bool{}
	for _, n := range c.needs {
		if count[n.folder()] > few && c.canGather(n) {
			n.Name = path.Dir(n.Name)
		}
		if key := string(n.Kind) + n.Name; !seen[key] {
			seen[key] = true
			all = append(all, n)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(n Need) bool {
		return slices.ContainsFunc(all, n.isMetBy)
	})
}

// canGather reports whether the directory of a need could be shown as a whole.
func (c *collector) canGather(n Need) bool {
	dir := path.Dir(n.Name)
	isTop := strings.Count(dir, "/") < 2
	shown, _ := c.index.Decisive(dir)
	switch {
	case !n.isProposedPath(), isTop, expr.Within(c.Host.Home, dir), shown.Shows.Host():
		return false
	}
	return c.secret(dir, n.Kind == Write) == ""
}

// folder is the directory of a need, with its kind.
func (n Need) folder() string { return string(n.Kind) + path.Dir(n.Name) }

func (n Need) isProposedPath() bool { return n.Mark == "" && n.Kind.isPath() }

// isMetBy reports whether another need that is proposed is met by the same and more.
func (n Need) isMetBy(other Need) bool {
	isNarrower := n.Kind == Write && other.Kind == Read
	switch {
	case !n.isProposedPath(), !other.isProposedPath(), isNarrower:
		return false
	case n.Name == other.Name:
		return n.Kind != other.Kind
	}
	return expr.Within(n.Name, other.Name)
}
