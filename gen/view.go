package gen

import (
	"cmp"
	"reflect"
	"slices"
	"sync"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
)

// view is all that the templates see. It holds words, names, comments and
// facts, and no text: what reaches bash has been quoted. Each part of it says
// what it is about; templates name its fields as if they were the view's own.
type view struct {
	Help, Regenerate bash.Comment
	Self, Digest     bash.Word
	Command          []bash.Word

	directoryView
	requiredView
	namespaceView
	networkView
	systemView
	mountView
	projectView
	storeView
	maskView
	environmentView
	limitView
	filterView
	reportView
	socketView
	troubleView
	placeView

	Hidden      hidden
	Credentials []credential

	// What several parts decide together.
	Beginnings []beginning // of paths

	Inner     bool       // some words are for a shell inside
	Namesake  *bash.Word // the command's name, where it is looked for inside
	Fresh     bool       // home is in memory: what is absent there needs no mount
	Stored    bool       // links into a store of Nix's or Guix's can be made again
	Shown     bool       // the launcher asks what is visible
	Visible   bool       // of which it has a list: it is more than what lies in PathRoots, and the project
	Unguarded bool       // nothing else keeps the command from the lock of the store
	Single    bool       // a list may have a single entry
	Chosen    bool       // an option has a value
	Displaced bool       // the project is elsewhere inside
	Told      bool       // somebody outside bwrap says how the run went
	Where     bool       // a path of the host may be another one inside
	Sourced   bool       // what a mount shows tells by where it comes from
	Enclosed  bool       // what is printed is more than one command
	Noted     bool       // what the host has of the changed names is noted
}

// unbroken is a width that keeps a command on one line, to be copied.
const unbroken = 1 << 16

// viewer makes a view; its err is the first text that bash cannot hold.
type viewer struct {
	err     error
	runtime bool // the sandbox has a runtime directory
	begin   []counted
	found   []string // variables whose directory the launcher finds once
}

func newView(p plan.Plan) (view, error) {
	w := viewer{runtime: p.Sockets.Runtime}
	var digest string
	var wrong error
	var beside sync.WaitGroup
	beside.Go(func() { digest, wrong = Digest(p) })
	w.parted(p)
	beginnings := w.beginnings()
	v := w.parted(p)
	v.Beginnings = beginnings
	v.Help, v.filterView = w.help(p), w.filters(p)
	beside.Wait()
	w.note(wrong)
	v.Digest = w.quote(digest)
	v.combine(p)
	return v, w.err
}

// parted is the view, part by part, but for those that no path is in: the first
// time it is made to count where paths begin.
func (w *viewer) parted(p plan.Plan) view {
	return view{
		Regenerate:      bash.NewComment("To change it, edit the profile and run: "+cmp.Or(p.Source, "bwrapgen generate"), unbroken),
		Self:            w.quote(p.Name),
		Command:         w.quoted(p.Command),
		directoryView:   w.directories(p),
		requiredView:    w.required(p),
		namespaceView:   namespaces(p),
		networkView:     w.network(p),
		systemView:      w.system(p),
		mountView:       w.mounts(p),
		projectView:     w.project(p),
		storeView:       w.stores(p),
		maskView:        w.masks(p),
		environmentView: w.environment(p),
		limitView:       w.limits(p),
		reportView:      w.report(p),
		socketView:      w.sockets(p),
		troubleView:     w.troubles(p),
		placeView:       w.places(p),
		Hidden:          w.hidden(p),
		Credentials:     w.credentials(p),
	}
}

// named are the fields by their names. Templates would look for one in a part of the
// view, and in a part of that, for as long as all else takes them.
func (v view) named() map[string]any {
	all := map[string]any{}
	of := reflect.ValueOf(v)
	for _, field := range reflect.VisibleFields(of.Type()) {
		if field.IsExported() {
			all[field.Name] = of.FieldByIndex(field.Index).Interface()
		}
	}
	return all
}

// combine decides what no part of the view can decide alone.
func (v *view) combine(p plan.Plan) {
	v.Fresh = v.HomeEmpty && v.HomeKeep.IsZero()
	v.Stored = v.Fresh && stored(p)
	v.Shown = len(v.Toolchains) > 0 || v.TakePath
	if v.Shown && len(v.Command) > 0 && !p.Places.Moved() {
		v.Namesake = &v.Command[0]
	}
	v.Visible = v.Shown && (len(v.Toolchains) > 0 || v.Overlays || v.Namesake != nil || len(v.PathRoots) == 0)
	v.Inner = v.Runtime || !v.ProjectRead
	v.Unguarded = v.Persistent && !v.Bound
	v.cached()
	v.Single = v.single()
	v.Chosen = v.Choices || v.Session
	v.Told = v.Timeout != nil || v.Capture != nil
	v.Displaced = !p.Places.Project.IsZero()
	v.Where = p.Displaced()
	v.RevealsRepository = v.RevealsProject && (v.Git || !v.ProjectRead)
	v.Sourced = v.Overlays || v.Persistent
	v.Enclosed = v.Disk || len(v.Ulimits) > 0
	v.Noted = v.ProjectOverlay || len(v.Listed) > 0
}

// cached lists the caches, where a command can have changed what leads to them.
func (v *view) cached() {
	if v.Written = slices.Concat(v.Written, v.Writable); len(v.Written) == 0 {
		return
	}
	v.Cached = slices.Concat(v.Shared, v.Writable)
	for _, c := range v.Views {
		v.Cached = append(v.Cached, c.Paths...)
	}
}

// single reports whether some loop goes over a single word.
func (v view) single() bool {
	lists := [][]bash.Word{v.Toolchains, v.Versions, v.Shared, v.Writable, v.Held, v.Emptied, v.Guarded, v.Hidden.Bounds, v.Watched, v.Kept, v.Plain, v.Written, v.Cached}
	if v.Places != nil {
		lists = append(lists, v.Given)
	}
	for _, g := range slices.Concat(v.Groups, v.Late) {
		lists = append(lists, g.Paths)
	}
	if !v.ProjectOverlay {
		lists = append(lists, make([]bash.Word, len(v.Listed)))
	}
	for _, c := range v.Created {
		lists = append(lists, c.Paths)
	}
	for _, c := range v.Views {
		lists = append(lists, c.Paths)
	}
	if v.ProjectWrite && !v.Git && !v.Holds {
		lists = append(lists, make([]bash.Word, len(v.Above)+1)) // and the project itself
	}
	return len(v.Relocations) == 1 || slices.ContainsFunc(lists, func(l []bash.Word) bool { return len(l) == 1 })
}

func (w *viewer) help(p plan.Plan) bash.Comment {
	lines, err := help(p)
	w.note(err)
	text, err := bash.Prose(lines...)
	w.note(err)
	return text
}
