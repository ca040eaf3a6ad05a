// Package host knows what may be asked about a machine and what was found: a
// Question, and Facts as the answer.
//
// It is data, with a JSON form for both ways, so that a launcher can be made
// for a machine that is not at hand. It touches no host: package probe does.
package host

import (
	"cmp"
	"strings"

	"bwrapgen/gen/expr"
)

// Version is the version of the JSON form that this package reads and writes.
const Version = 1

// Facts is what was found out about one machine, or about several: Union. The
// zero value knows nothing.
type Facts struct {
	Version int    // of the JSON form
	OS      string // "linux"
	Arch    string // as uname prints it: "x86_64", "aarch64"; of several machines: Architectures
	Home    string // absolute; to evaluate expressions with, never to be written into a script

	Bwrap Program // with the options that --help lists
	Bash  Program
	Env   Program // likewise; one other than that of coreutils may know none

	Userns    bool   // may an ordinary user make a user namespace, as far as the kernel's settings say
	UsernsWhy string // the setting that speaks against it; empty where none does

	Timezone  string              // the zone file that /etc/localtime links to; empty where it is no link
	Variables map[string]string   // of those asked about, the ones that hold an absolute path
	Markers   []string            // of those asked about, the ones that the project has; sorted
	Paths     map[string]PathFact // by the expression's String; what is absent is not listed
	Git       []Setting           // what git is told to use besides
}

// Setting is a file, a directory or a program that git's settings of the user and
// the system name, or where the project's repository borrows objects.
type Setting struct {
	Key     string    // without its subsection, in small letters: "includeif.path"; or Alternates
	Path    expr.Path // where it is; Facts.Paths says what is there
	Program string    // as git would start it; empty: it is no program
}

// Alternates is the key of a directory of objects that the project's repository
// borrows: gitrepository-layout(5).
const Alternates = "objects/info/alternates"

// Program is one program that was looked for in PATH. The zero value: it is
// not there.
type Program struct {
	Path    string   // absolute, as found in PATH
	Version string   // "0.12.0"; empty where it was not asked or did not say
	Options []string // long options that it knows, sorted; none where it was not asked or did not say
}

// Found reports whether the machine has the program.
func (p Program) Found() bool { return p.Path != "" }

// PathFact is what was found at one path.
type PathFact struct {
	Kind   Kind   // of what the path leads to, all links followed
	Target string // absolute and free of links; empty where the path has no link in it
	Size   int64  // in bytes, where it was asked; of a directory: of all files below it
	Bound  bool   // Size is a lower bound: counting was cut short
}

// Place is where it really is, for the path that was looked at: Target, or that
// path itself.
func (p PathFact) Place(at string) string { return cmp.Or(p.Target, at) }

// Kind says what a path leads to.
type Kind string

// The kinds. An absent path has none.
const (
	Dir      Kind = "dir"
	File     Kind = "file"
	Socket   Kind = "socket"
	Device   Kind = "device"
	Pipe     Kind = "pipe"
	Dangling Kind = "dangling" // a link to what does not exist, or a circle of links
)

var kinds = [...]Kind{Dir, File, Socket, Device, Pipe, Dangling}

// Has gives what was found at p. It is false where p was absent, as well as
// where nobody asked. A dangling link is there.
func (f Facts) Has(p expr.Path) (PathFact, bool) {
	fact, ok := f.Paths[p.String()]
	return fact, ok
}

// Environment is what expressions are evaluated against on this machine, for a project
// at the absolute path given; empty: without a project.
func (f Facts) Environment(project string) expr.Env {
	return expr.Env{Home: f.Home, Project: project, Lookup: f.Variables}
}

// Architectures lists the machines' architectures: one, or after Union several,
// sorted.
func (f Facts) Architectures() []string {
	if f.Arch == "" {
		return nil
	}
	return strings.Split(f.Arch, ",")
}
