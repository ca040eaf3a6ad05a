package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// view is all that the templates see. It holds words, names, comments and
// facts, and no text: what reaches bash has been quoted.
type view struct {
	Help, Regenerate bash.Comment
	Self             bash.Word

	Relocations                        []bash.Name
	Hidden                             hidden
	Namesake                           *bash.Word // the command's name, where it is looked for inside
	Fresh                              bool       // home is in memory: what is absent there needs no mount
	ProjectGit                         bool
	ProjectRead, ProjectWrite          bool
	ProjectPath                        *required
	Kept                               []required // what no project may hold
	Required                           []required
	RequiredVariables                  []variable
	Unshared, NewSession, NestedUserns bool
	NetworkWords                       bash.Comment
	Git, Host, HomeEmpty, Links        bool
	Linking                            bool // something is mounted on the host's root
	System                             [][]bash.Word
	Roots, Resolvers, Kernel           []bash.Word
	Localtime                          bool
	Zone                               bash.Word
	Passwd                             bool
	Created                            []created
	Held, Guarded, SystemGuarded, Lent []bash.Word
	Toolchains                         []toolchain
	Versions                           []bash.Word // settings that are shown as long as they set no variables
	Stored                             bool        // links into a store of Nix's or Guix's can be made again
	Groups                             []group
	Inside                             []inside
	storeView
	Shared, Writable    []bash.Word
	Masks               [][]bash.Word // some to a line
	Emptied             []bash.Word
	Covers              bool          // something that is shown is hidden or emptied in part
	Protected, Reserved [][]bash.Word // some to a line
	TakePath, Shown     bool
	PathRoots           []bash.Word
	Exports, Given      []bash.Word // what the command gets, and the names of all that
	Path                *bash.Word  // what its PATH is, if it has one
	Temporary           bool        // TMPDIR is passed, or required
	Locale              bool        // LC_ALL is passed
	Everywhere          bool        // all of the host is, and PathRoots is empty
	Command             []bash.Word
	filterView
	reportView
	socketView
	troubleView
	Digest bash.Word
	limitView
	Single       bool // a list may have a single entry
	Chosen, Told bool // an option has a value; somebody outside bwrap says how the run went
	Places       *places
	Where        bool // a path of the host may be another one inside
	Sourced      bool // what a mount shows tells by where it comes from
	Enclosed     bool // what is printed is more than one command
	Credentials  []credential
	PathDenied   []bash.Word
}

// unbroken is a width that keeps a command on one line, to be copied.
const unbroken = 1 << 16

// variable is one of the environment, and where the launcher has it.
type variable struct{ Name, At bash.Name }

type required struct{ Path, Missing, Hint bash.Word }

// created is what is made on the host where it is absent: directories, or files
// that begin with a text.
type created struct {
	Paths   []bash.Word
	File    bool
	Content bash.Word
}

// toolchain is what a tool of the catalogue needs.
type toolchain struct {
	About bash.Comment
	Paths []bash.Word
}

// group is mounts for one reason. Where each shows a path as it is, if it is
// there, the paths say all.
type group struct {
	About bash.Comment
	Paths []bash.Word
	Lines [][]bash.Word
	Given []given
	Onto  [][]bash.Word // what stands where the host's root may have a link
}

// inside is a group of mounts below the project.
type inside struct {
	About  bash.Comment
	Within []within
}

type within struct {
	Target bash.Word
	Line   []bash.Word
	Made   *created  // the target, where it is absent
	Failed bash.Word // the sentence if it cannot be made
}

// given is a mount that is there if a variable is.
type given struct {
	Name bash.Name
	Line []bash.Word
}

// viewer makes a view; its err is the first text that bash cannot hold.
type viewer struct {
	err     error
	runtime bool // the sandbox has a runtime directory
}

func newView(p plan.Plan) (view, error) {
	w := viewer{runtime: p.Sockets.Runtime}
	v := view{
		Regenerate: bash.NewComment("To change it, edit the profile and run: "+cmp.Or(p.Source, "bwrapgen generate"), unbroken),
		Self:       w.quote(p.Name),
		Command:    w.quoted(p.Command),
		filterView: w.filters(p),
		reportView: w.report(p),
		socketView: w.sockets(p),
	}
	lines, err := help(p)
	w.note(err)
	v.Help, err = bash.Prose(lines...)
	w.note(err)
	w.directories(&v, p)
	w.namespaces(&v, p)
	w.system(&v, p)
	w.mounts(&v, p)
	w.environment(&v, p)
	v.Hidden = w.hidden(p)
	v.Shown = len(v.Toolchains) > 0 || v.TakePath
	v.Fresh = v.HomeEmpty && v.HomeKeep.String() == ""
	v.Stored = v.Fresh && stored(p)
	if v.Shown && len(v.Command) > 0 && !p.Places.Moved() {
		v.Namesake = &v.Command[0]
	}
	v.troubleView = w.troubles(v.Overlays)
	w.limits(&v, p)
	v.Single = v.single()
	v.Chosen, v.Told = v.Choices || v.Session, v.Timeout != nil || v.Capture != nil
	w.places(&v, p)
	v.Unguarded = v.Persistent && !v.Bound
	v.Where, v.Sourced, v.Enclosed = p.Displaced(), v.Overlays || v.Persistent, v.Disk || len(v.Ulimits) > 0
	w.credentials(&v, p)
	digest, err := Digest(p)
	w.note(err)
	v.Digest = w.quote(digest)
	return v, w.err
}

// single reports whether some loop goes over a single word.
func (v view) single() bool {
	lists := [][]bash.Word{v.Versions, v.Shared, v.Writable, v.Held, v.Emptied, v.Guarded, v.Watched}
	for _, g := range v.Groups {
		lists = append(lists, g.Paths)
	}
	for _, c := range v.Created {
		lists = append(lists, c.Paths)
	}
	for _, c := range v.Views {
		lists = append(lists, c.Paths)
	}
	return len(v.Relocations) == 1 || slices.ContainsFunc(lists, func(l []bash.Word) bool { return len(l) == 1 })
}

func (w *viewer) directories(v *view, p plan.Plan) {
	for _, name := range p.Relocations {
		v.Relocations = append(v.Relocations, w.name(name))
	}
	v.ProjectGit = p.Project.Root.Kind == profile.RootGit
	v.ProjectRead = p.Project.Access == profile.AccessRead
	v.ProjectWrite = p.Project.Access == profile.AccessWrite
	if root := p.Project.Root; root.Kind == profile.RootPath {
		v.ProjectPath = &required{Path: w.path(root.Path), Missing: w.sentence("there is no directory ", root.Path, "")}
	}
	for _, m := range outside(p) {
		if m.Target.Base == expr.Home && m.Op != plan.Bind && !m.Optional {
			v.Kept = append(v.Kept, required{Path: w.path(m.Target), Missing: w.sentence("refusing to share the project: it holds ", m.Target, "")})
		}
	}
	w.required(v, p)
}

// ofRepository are the protected names that the launcher finds wherever the
// repository is.
func ofRepository() []string {
	return []string{"/.git/hooks", "/.git/config", "/.git/config.worktree", "/.git/commondir"}
}

// outside are the mounts that do not follow the project.
func outside(p plan.Plan) []plan.Mount {
	var all []plan.Mount
	for _, g := range p.Groups {
		all = append(all, g.Mounts...)
	}
	return all
}

func (w *viewer) required(v *view, p plan.Plan) {
	mounts := slices.Concat(p.System.Mounts, outside(p))
	for _, g := range p.Inside {
		mounts = append(mounts, g.Mounts...)
	}
	for _, m := range mounts {
		if m.Optional || m.Create || m.Tool != "" || m.Op != plan.ROBind && m.Op != plan.Bind || m.Source.Rest == "/usr" {
			continue
		}
		v.Required = append(v.Required, required{
			Path:    w.path(m.Source),
			Missing: w.sentence("there is no ", m.Source, ""),
			Hint:    w.quote(fmt.Sprintf("the profile names it in %s; write %s? there if it is optional", m.Origin.Key, m.Source)),
		})
	}
	w.covered(v, p)
	for _, o := range p.Overlays {
		if !o.Cache && !o.Optional && !o.Create {
			v.Required = append(v.Required, required{
				Path:    w.path(o.Path),
				Missing: w.sentence("there is no ", o.Path, ""),
				Hint:    w.quote(fmt.Sprintf("the profile names it in %s; write %s? there if it is optional", o.Origin.Key, o.Path)),
			})
		}
	}
	for _, r := range p.Environ.Require {
		one := variable{w.name(r.Text), w.name(r.Text)}
		if r.Text == "TMPDIR" {
			one.At = w.name("temporary")
		}
		v.RequiredVariables = append(v.RequiredVariables, one)
	}
}

func (w *viewer) namespaces(v *view, p plan.Plan) {
	v.Unshared = p.Network == profile.NetworkNone
	v.NewSession = p.Terminal == profile.TerminalNewSession
	v.NestedUserns = p.Kernel.NestedUserns
	words := "Private: users, processes, IPC, host name, cgroups. The network is the host's."
	if v.Unshared {
		words = "Private: users, processes, IPC, host name, cgroups, network."
	}
	v.NetworkWords = bash.NewComment(words, 0)
}

func (w *viewer) system(v *view, p plan.Plan) {
	s := p.System
	v.Host = p.Base == profile.BaseHost
	v.HomeEmpty = p.Home != profile.HomeHost
	v.Links = !v.Host
	var paths []string
	for _, m := range s.Mounts {
		if plain(m) {
			paths = append(paths, m.Target.Rest)
		} else {
			v.System = append(v.System, w.line(m))
		}
	}
	for _, m := range s.Roots {
		v.Roots = append(v.Roots, w.path(m.Target))
	}
	for _, m := range s.Etc {
		paths = append(paths, m.Target.Rest)
	}
	for _, path := range kernel() {
		v.Kernel = append(v.Kernel, w.quote(path))
	}
	for _, path := range resolvers() {
		v.Resolvers = append(v.Resolvers, w.quote(path))
	}
	v.Localtime, v.Passwd = s.Time, s.Accounts
	if !v.NestedUserns { // what root could write of the kernel
		paths = append(paths, kernel()...)
	}
	v.System = append(v.System, w.optional(paths)...)
	v.Zone = w.quote(cmp.Or(s.Zone, "Etc/UTC"))
}

// kernel are the parts of /proc by which root could change the host.
func kernel() []string {
	return []string{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"}
}

// resolvers are the files that /etc/resolv.conf links to on usual hosts; the
// host base hides /run, and they have to stay.
func resolvers() []string {
	return []string{
		"/run/systemd/resolve/stub-resolv.conf", "/run/systemd/resolve/resolv.conf",
		"/run/NetworkManager/resolv.conf", "/run/NetworkManager/no-stub-resolv.conf",
		"/run/resolvconf/resolv.conf", "/run/connman/resolv.conf",
	}
}

func (w *viewer) environment(v *view, p plan.Plan) {
	e := p.Environ
	w.export(v, "HOME", placed([]bash.Part{{Var: "HOME"}}, p.Places)...)
	if v.Passwd {
		w.export(v, "USER", bash.Part{Var: "user"})
		w.export(v, "LOGNAME", bash.Part{Var: "user"})
	}
	v.TakePath = e.TakePath
	if e.TakePath {
		for _, p := range e.Denied {
			v.PathDenied = append(v.PathDenied, w.path(p))
		}
		for _, p := range e.Visible {
			if v.Everywhere = p.Rest == "/"; !v.Everywhere {
				v.PathRoots = append(v.PathRoots, w.path(p))
			}
		}
		w.export(v, "PATH", bash.Part{Var: "search", Default: []bash.Part{{Text: "/usr/local/bin:/usr/bin:/bin"}}})
	}
	for _, s := range e.Set {
		if s.Path.IsZero() {
			w.export(v, s.Name, bash.Part{Text: s.Text})
		} else {
			w.export(v, s.Name, placed(parts(s.Path), p.Places)...)
		}
	}
	for _, name := range e.Pass {
		if name == "TMPDIR" {
			v.Temporary = true
			continue
		}
		prefix, many := strings.CutSuffix(name, "*")
		v.Locale = v.Locale || name == "LC_ALL" || many && strings.HasPrefix("LC_ALL", prefix)
		v.Exports = append(v.Exports, w.pass(name))
		v.Given = append(v.Given, w.pass(name))
	}
}

// export gives the command a variable. PATH is that of the call of bwrap alone:
// the launcher has its own.
func (w *viewer) export(v *view, name string, value ...bash.Part) {
	if name == "PATH" {
		word := w.keep(bash.Join(value...))
		v.Path = &word
		return
	}
	v.Exports = append(v.Exports, w.assign(name, value...))
	v.Given = append(v.Given, w.quote(w.name(name).String()))
}
