// Package catalogue knows where tools keep toolchains, caches and secrets.
//
// It is data: one TOML file per tool, those of profiles/tools or a user's own, and
// questions about it. A row of a tool's list says all that there is to say of a path; of a
// socket also how it is passed. The package is pure: it reads no host, asks for no
// variable, and says only what would be where. What of it a sandbox shows is decided in
// package plan.
package catalogue

import (
	"maps"
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

	// Markers are names of files in a project, or in its folders, three deep,
	// that show that it uses this tool. A * stands for any text.
	Markers []string
	Needs   []string // tools without which this one does not work

	// Programs are names of programs of which a project wants a certain version: where
	// the caller finds one that the sandbox does not show, that is said.
	Programs []string

	General bool // a manager that may provide any other tool: all need it where it is

	// What a sandbox may show. None of these paths is, contains or lies below
	// a secret, except where the entry says how that one is covered: Prove.
	Toolchain []Entry // programs and their files: read-only
	Path      []Entry // directories that belong on PATH where they are visible; a * is any name
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
	Project        []Entry // the host would run them later; the profile base protects some
	ProjectSecrets []Entry // usually hold secrets: worth hiding

	Pass      []string  // variables that the tool needs, without those in the paths
	Addresses []string  // variables that name where packages come from: passed where they hold no login
	Keys      []string  // variables that hold a login: passed only where a profile asks
	Set       []Setting // variables that the tool needs inside, with their values
	Clear     []string  // variables that name a control channel or a secret: not passed

	Notes  string
	Origin string // the file, as the reader named it
}

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
type Catalogue struct {
	Tools     []Tool
	sensitive []Secret // of theirs, where New has listed it
}

// New makes a catalogue of tools that are sorted by name, of which what is
// sensitive is listed once for many questions.
func New(tools []Tool) Catalogue { return Catalogue{tools, sensitive(tools)} }

// Tool gives the tool of that name, or else the one that covers the name.
func (c Catalogue) Tool(name string) (Tool, bool) {
	i := slices.IndexFunc(c.Tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		i = slices.IndexFunc(c.Tools, func(t Tool) bool { return slices.Contains(t.Covers, name) })
	}
	if i < 0 {
		return Tool{}, false
	}
	return c.Tools[i], true
}

// Names lists the tools, and the names that they cover.
func (c Catalogue) Names() []string {
	var all []string
	for _, t := range c.Tools {
		all = append(append(all, t.Name), t.Covers...)
	}
	return all
}

// Settings lists the files that a sandbox shows as long as they hold no login:
// a tool finds in them where packages come from, or which versions are meant.
func (t Tool) Settings() []Entry {
	all := slices.Concat(t.Config, t.Secrets, t.Persistence)
	return slices.DeleteFunc(all, func(e Entry) bool { return !e.IfNoLogin })
}

// Marked names the tools whose markers are among the names of files found in a
// project, without those that they need, sorted.
func (c Catalogue) Marked(names []string) []string {
	var found []string
	for _, t := range c.Tools {
		isMarker := func(name string) bool {
			return slices.ContainsFunc(t.Markers, func(marker string) bool { return matchPart(marker, name) })
		}
		if slices.ContainsFunc(names, isMarker) {
			found = append(found, t.Name)
		}
	}
	return found
}

// WithNeeds adds to the named tools all that they need, and the managers that
// may provide any of them, sorted.
func (c Catalogue) WithNeeds(names []string) []string {
	all := map[string]bool{}
	todo := slices.Clone(names)
	for _, t := range c.Tools {
		if t.General && len(names) > 0 {
			todo = append(todo, t.Name)
		}
	}
	for len(todo) > 0 {
		t, ok := c.Tool(todo[0])
		name := todo[0]
		if ok {
			name = t.Name // that of the file, where another covers it
		}
		todo = todo[1:]
		if !all[name] {
			all[name] = true
			todo = append(todo, t.Needs...)
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Variables lists the variables that relocate what the tool shows or writes,
// and those that it needs besides, sorted. XDG_RUNTIME_DIR is not among them:
// a sandbox has its own.
func (t Tool) Variables() []string {
	names := slices.Concat(variables(slices.Concat(t.Toolchain, t.Path, t.Read, t.Caches, t.State)), t.Pass, t.Addresses)
	names = slices.DeleteFunc(names, func(name string) bool { return name == "XDG_RUNTIME_DIR" })
	slices.Sort(names)
	return slices.Compact(names)
}

// Named lists the variables that the tool's file names, in paths or by
// themselves, each as often as it stands there.
func (t Tool) Named() []string {
	names := slices.Concat(t.Pass, t.Addresses, t.Keys, variables(t.entries()))
	for _, s := range t.Set {
		names = append(append(names, s.Name), s.Path.Variables()...)
	}
	return names
}

// entries are those of all lists.
func (t Tool) entries() []Entry {
	var all []Entry
	for _, l := range lists {
		all = append(all, *l.field(&t)...)
	}
	return all
}

// variables lists those in the paths of entries.
func variables(entries []Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Path.Variables()...)
	}
	return names
}

// PathVariables lists the variables with which a path may begin: home and the XDG base
// directories (XDG Base Directory Specification, "Basics"), and those of the tools.
func (c Catalogue) PathVariables() []string {
	known := []string{
		"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
	}
	for _, t := range c.Tools {
		known = append(known, t.Named()...)
	}
	return known
}

func compareName(t Tool, name string) int { return strings.Compare(t.Name, name) }
