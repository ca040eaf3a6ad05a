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
	Version int    `json:"version"`        // of the JSON form
	OS      string `json:"os,omitempty"`   // "linux"
	Arch    string `json:"arch,omitempty"` // as uname prints it: "x86_64", "aarch64"; of several machines: Architectures
	Home    string `json:"home,omitempty"` // absolute; to evaluate expressions with, never to be written into a script

	Bwrap Program `json:"bwrap"` // with the options that --help lists
	Bash  Program `json:"bash"`
	Env   Program `json:"env"` // likewise; one other than that of coreutils may know none

	// May an ordinary user make a user namespace, as far as the kernel's settings say; and the
	// setting that speaks against it, empty where none does.
	Userns    bool   `json:"userns"`
	UsernsWhy string `json:"userns-why,omitempty"`

	// The zone file that /etc/localtime links to; empty where it is no link.
	Timezone string `json:"timezone,omitempty"`

	// Of those asked about: variables that hold an absolute path, and markers that the project
	// has, sorted.
	Variables map[string]string `json:"variables,omitempty"`
	Markers   []string          `json:"markers,omitempty"`

	Git   []Setting           `json:"git,omitempty"`   // what git is told to use besides
	Paths map[string]PathFact `json:"paths,omitempty"` // by the expression's String; what is absent is not listed
}

// Setting is a file, a directory or a program that git's settings of the user and
// the system name, or where the project's repository borrows objects.
type Setting struct {
	Key     string    `json:"key"`               // without its subsection: "includeif.path"; or Alternates
	Path    expr.Path `json:"path"`              // where it is; Facts.Paths says what is there
	Program string    `json:"program,omitempty"` // as git would start it; empty: it is no program
}

// Alternates is the key of a directory of objects that the project's repository
// borrows: gitrepository-layout(5).
const Alternates = "objects/info/alternates"

// Program is one program that was looked for in PATH. The zero value: it is
// not there.
type Program struct {
	Path    string   `json:"path,omitempty"`    // absolute, as found in PATH
	Version string   `json:"version,omitempty"` // "0.12.0"; empty where it was not asked or did not say
	Options []string `json:"options,omitempty"` // long options, sorted; none where it was not asked or did not say
}

// Found reports whether the machine has the program.
func (p Program) Found() bool { return p.Path != "" }

// PathFact is what was found at one path.
type PathFact struct {
	Kind   Kind   `json:"kind"`             // of what the path leads to, all links followed
	Target string `json:"target,omitempty"` // absolute and free of links; empty where the path has no link in it
	Size   int64  `json:"size,omitempty"`   // in bytes, where it was asked; of a directory: of all files below it
	Bound  bool   `json:"bound,omitempty"`  // Size is a lower bound: counting was cut short
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

var kinds = []string{string(Dir), string(File), string(Socket), string(Device), string(Pipe), string(Dangling)}

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
