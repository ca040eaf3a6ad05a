// Package catalogue knows where tools keep toolchains, caches and secrets.
//
// It is data: one TOML file per tool, read from a file system that the caller
// gives, and questions about it. It is pure: it reads no host, asks for no
// variable, and says only what would be where. What of it a sandbox shows is
// decided in package plan.
package catalogue

import (
	"maps"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
)

// Tool is what the catalogue knows about one tool, or about one family of
// programs that have nothing to show, as browsers.
type Tool struct {
	Name   string   // file name without .toml
	About  string   // one sentence
	Covers []string // other names that this file speaks for

	// Markers are names of files in a project, or in a folder directly below
	// it, that show that it uses this tool. A * stands for any text.
	Markers []string
	Needs   []string // tools without which this one does not work

	// What a sandbox may show. None of these paths is, contains or lies below
	// a secret, except where the entry says how that one is covered: Prove.
	Toolchain []Entry // programs and their files: read-only
	Path      []Entry // directories that belong on PATH where they are visible
	Read      []Entry // small settings without which the tool does not work: read-only
	Caches    []Entry // what the tool can fetch or build again: overlaid

	// Config is what a profile may show, read-only, if it asks: settings that
	// are not needed, may hold a token or may name programs to run.
	Config []Entry

	// What a sandbox must not show. The paths may hold a * in a part.
	Secrets     []Entry // credentials, private data, histories
	Persistence []Entry // what the host would run, or believe, later
	State       []Entry // login and history that an agent writes; hidden from all others
	Sockets     []Entry // a daemon behind it acts outside the sandbox

	// Endpoints are control channels that no mount can hide.
	Endpoints []Endpoint

	// Files of the project; their paths begin with "./".
	Project        []Entry // the host would run them later: protected by default
	ProjectSecrets []Entry // usually hold secrets: worth hiding

	Pass  []string  // variables that the tool needs, without those in the paths
	Keys  []string  // variables that hold a login: passed only where a profile asks
	Set   []Setting // variables that the tool needs inside, with their values
	Clear []string  // variables that name a control channel or a secret: not passed

	Notes  string
	Origin string // the file, as the reader named it
}

// Entry is one path of a tool.
type Entry struct {
	Path expr.Path
	Why  string // a reason to show in explain and in the script; may be empty
	File bool   // a file, where the list otherwise holds directories

	// NeedsWrite says what it costs if the tool cannot write there.
	NeedsWrite Need

	// IfPresent: honoured where it exists; an absent one is not made empty.
	IfPresent bool

	// As says how a file of the system's baseline gets into the sandbox.
	As As

	// Pass is the name by which a profile may ask for a socket. The empty
	// name: it is refused.
	Pass string

	// Names below the path. Mask: secrets, to be made unreadable. Empty: to be
	// replaced by an empty private directory. Protect: to be made read-only,
	// because the host runs or believes them.
	Mask, Empty, Protect []string
}

// Glob reports whether the path holds a *, which stands for any text in one
// part of it.
func (e Entry) Glob() bool { return isGlob(e.Path.String()) }

// Eval gives the absolute path, or false where it has none. A relocating
// variable may hold anything (HISTFILE=/dev/null, GOBIN=$HOME): a value that is
// the root, the home directory or above it, or lies in a file system of the
// kernel, is no place of the tool's own.
func (e Entry) Eval(env expr.Env) (string, bool) { return evalOwn(e.Path, env) }

func evalOwn(p expr.Path, env expr.Env) (string, bool) {
	at, ok := p.Eval(env)
	if !ok || p.Base != expr.Variable {
		return at, ok
	}
	if at == "/" || at == env.Home || strings.HasPrefix(env.Home, at+"/") {
		return "", false
	}
	for _, kernel := range []string{"/dev", "/proc", "/sys"} {
		if at == kernel || strings.HasPrefix(at, kernel+"/") {
			return "", false
		}
	}
	return at, true
}

// Need says how much a tool depends on writing to a cache or toolchain.
type Need uint8

// The answers to "does it need to write there?".
const (
	NeedUnknown Need = iota
	NeedNo           // read-only is as good
	NeedOnMiss       // read-only works until something new is wanted
	NeedYes          // read-only makes the tool fail
)

// As says how a file of the system gets into the sandbox.
type As uint8

// The ways of a system file.
const (
	AsBind      As = iota // bound, a symlink resolved
	AsLink                // the host's symlink made again
	AsSynthetic           // written by the launcher, never the host's own
)

// Setting is a variable that a tool needs inside.
type Setting struct {
	Name  string
	Value string    // the value, or
	Path  expr.Path // a path, absolute where it is set
	Why   string
}

// Endpoint is a control channel that is not a file: "tcp:127.0.0.1:4226",
// "abstract:@name", "dbus:name".
type Endpoint struct{ Name, Why string }

// Catalogue is a set of tools, sorted by name. The zero value is empty.
type Catalogue struct{ Tools []Tool }

// Tool gives the tool of that name, or else the one that covers the name.
func (c Catalogue) Tool(name string) (Tool, bool) {
	i, found := slices.BinarySearchFunc(c.Tools, name, compareName)
	if found {
		return c.Tools[i], true
	}
	for _, t := range c.Tools {
		if slices.Contains(t.Covers, name) {
			return t, true
		}
	}
	return Tool{}, false
}

// ForMarkers names the tools whose markers are among the names of files found
// in a project, and those that they need, sorted.
func (c Catalogue) ForMarkers(names []string) []string {
	return c.WithNeeds(c.Marked(names))
}

// Marked names the tools whose markers are among the names of files found in a
// project, without those that they need, sorted.
func (c Catalogue) Marked(names []string) []string {
	var found []string
	for _, t := range c.Tools {
		if t.marked(names) {
			found = append(found, t.Name)
		}
	}
	return found
}

// WithNeeds adds to the named tools all that they need, sorted.
func (c Catalogue) WithNeeds(names []string) []string {
	all := map[string]bool{}
	for todo := slices.Clone(names); len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if all[name] {
			continue
		}
		all[name] = true
		if t, ok := c.Tool(name); ok {
			todo = append(todo, t.Needs...)
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func (t Tool) marked(names []string) bool {
	for _, marker := range t.Markers {
		for _, name := range names {
			if ok, _ := path.Match(marker, name); ok {
				return true
			}
		}
	}
	return false
}

// Variables lists the variables that relocate what the tool shows or writes,
// and those that it needs besides, sorted. XDG_RUNTIME_DIR is not among them:
// a sandbox has its own.
func (t Tool) Variables() []string {
	all := map[string]bool{}
	for _, list := range [][]Entry{t.Toolchain, t.Path, t.Read, t.Caches, t.State} {
		for _, e := range list {
			for _, name := range e.Path.Variables() {
				all[name] = true
			}
		}
	}
	for _, name := range t.Pass {
		all[name] = true
	}
	delete(all, "XDG_RUNTIME_DIR")
	return slices.Sorted(maps.Keys(all))
}

func compareName(t Tool, name string) int {
	switch {
	case t.Name < name:
		return -1
	case t.Name > name:
		return 1
	}
	return 0
}
