package plan

import (
	"cmp"
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Mount is one thing that the sandbox shows, makes or hides.
type Mount struct {
	Op        Op
	Scope     Scope
	Source    expr.Path
	Target    expr.Path
	Layer     Layer  `json:",omitzero"` // of a view: where that which is written to it lands
	Text      string // of a symbolic link: where it points to; of a created file: what it holds
	Optional  bool   // skipped where it does not exist
	Create    bool   // made on the host where it does not exist
	Links     bool   `json:",omitzero"` // so is what links in it lead to
	IfNoLogin bool   `json:",omitzero"` // shown as long as it holds no login and sets no variables
	Active    bool   `json:",omitzero"` // a shell's own choice: listed wherever the host has it
	Held      bool   // read-only below what is writable
	BelowView bool   `json:",omitzero"` // below a view, which comes after other mounts
	Symlinked bool   `json:",omitzero"` // hidden only where the project holds it
	Reserved  bool   `json:",omitzero"` // a protected name that cannot be made, either, where it is absent
	Folder    bool   `json:",omitzero"` // reserved by a directory, not by a file
	Pattern   bool   `json:",omitzero"` // the names of Target.Rest may hold *, ? and [...]: what the project has of it
	Why       string // the author's reason
	Tool      string // of the catalogue, if it is one's
	Origin    profile.Origin

	pin bool // keeps what lies between two others from being renamed, and shows nothing else
}

// Pin reports whether a mount only keeps a directory from being renamed.
func (m Mount) Pin() bool { return m.pin }

// View reports whether a mount is a writable view that leaves the host's as it is.
func (m Mount) View() bool { return m.Op == View }

// NotView reports whether a mount is no view.
func (m Mount) NotView() bool { return m.Op != View }

// InPlace reports whether a mount stands where its source is.
func (m Mount) InPlace() bool { return m.Source.Equal(m.Target) }

// listed reports whether the profile itself asks for a mount, and no tool.
func (m Mount) listed() bool { return m.Tool == "" }

// shows reports whether a mount shows something of the host's.
func (m Mount) shows() bool { return !m.pin && m.is(does(ROBind, Bind, View)) }

// binds reports whether a mount is of a path of the host's, and no view of it.
func (m Mount) binds() bool { return m.is(does(ROBind, Bind)) }

// Op is what a mount does: one flag of bwrap each, but for a view and a mask.
type Op uint8

// The operations.
const (
	ROBind  Op = iota // shows a host's path, read-only
	Bind              // shows a host's path, writable
	Tmpfs             // an empty directory that only the sandbox has
	Symlink           // a symbolic link
	Mask              // hides what is there
	View              // shows a host's directory, and keeps what is written to it elsewhere
)

var ops = [...]struct{ name, flag string }{
	ROBind:  {"read", "--ro-bind"},
	Bind:    {"write", "--bind"},
	Tmpfs:   {"empty", "--tmpfs"},
	Symlink: {"link", "--symlink"},
	Mask:    {"hide", ""},
	View:    {"overlay", ""},
}

// String names the operation as profiles do.
func (o Op) String() string { return ops[o].name }

// MarshalText names the operation as profiles do.
func (o Op) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Device reports whether a mount shows devices that can be opened.
func (m Mount) Device() bool {
	return m.Op == Bind && profile.OfDevices(m.Source)
}

// Flag gives bwrap's option, in its -try form for an optional mount. A mask and a view
// have none of their own: what stands there depends on what the host has.
func (m Mount) Flag() string {
	flag := ops[m.Op].flag
	if m.Device() {
		flag = "--dev-bind"
	}
	if m.Optional && m.binds() {
		flag += "-try"
	}
	return flag
}

// Scope says what a mount is part of.
type Scope string

// The scopes.
const (
	ScopeRoots      Scope = "roots"      // of the operating system: /bin and its like, which are links on some hosts
	ScopeSystem     Scope = "system"     // of the operating system: other directories and files
	ScopeEtc        Scope = "etc"        // of the operating system: optional names directly below /etc
	ScopeBase       Scope = "base"       // read-only, as the host base shows it anyway
	ScopeToolchain  Scope = "toolchain"  // of the catalogue's tools
	ScopeOutside    Scope = "outside"    // what the profile lists outside the project
	ScopeCache      Scope = "cache"      // what a tool can fill again
	ScopeProtect    Scope = "protect"    // read-only in a writable project
	ScopeProject    Scope = "project"    // what the profile lists inside the project
	ScopeMask       Scope = "mask"       // hidden, after all else
	ScopeCredential Scope = "credential" // read-only, after the masks
)

// scopes are all, in the order in which they are mounted. Views come after caches.
var scopes = []Scope{
	ScopeRoots, ScopeSystem, ScopeEtc, ScopeBase, ScopeToolchain, ScopeOutside, ScopeCache,
	ScopeProtect, ScopeProject, ScopeMask, ScopeCredential,
}

// Scopes are all, in the order in which they are mounted.
func Scopes() []Scope { return slices.Clone(scopes) }

func (s Scope) rank() int { return slices.Index(scopes, s) }

// Mounts is all that a sandbox shows, makes or hides, in the order in which it is
// mounted: of two at one place, the later covers the earlier. What stands in a view (BelowView)
// keeps its place in the list, and is mounted after all views.
type Mounts []Mount

// In are those of some scopes, in order.
func (all Mounts) In(scopes ...Scope) Mounts {
	return all.Where(func(m Mount) bool { return slices.Contains(scopes, m.Scope) })
}

// Before are those of the scopes that come before one.
func (all Mounts) Before(s Scope) Mounts { return all.In(scopes[:s.rank()]...) }

// From are those of a scope and of all that come after it.
func (all Mounts) From(s Scope) Mounts { return all.In(scopes[s.rank():]...) }

// Where are those for which all of this holds.
func (all Mounts) Where(holds ...func(Mount) bool) Mounts {
	var found Mounts
	for _, m := range all {
		if m.is(holds...) {
			found = append(found, m)
		}
	}
	return found
}

// Any reports whether all of this holds for one of them.
func (all Mounts) Any(holds ...func(Mount) bool) bool {
	return slices.ContainsFunc(all, func(m Mount) bool { return m.is(holds...) })
}

// is reports whether all of this holds for a mount.
func (m Mount) is(all ...func(Mount) bool) bool {
	for _, holds := range all {
		if !holds(m) {
			return false
		}
	}
	return true
}

// ofProfile are what the profile lists outside the project and in it, views with the rest:
// all that is not the system's, a tool's or another rule's.
func (all Mounts) ofProfile() Mounts {
	notOfSystem := isNot(ScopeRoots, ScopeSystem, ScopeEtc, ScopeBase, scopeMade)
	return all.Where(Mount.listed, notOfSystem, isNot(ScopeProtect, ScopeMask, ScopeCredential))
}

// entries are what tools have and what the profile lists, one by one: no caches, and no
// views.
func (all Mounts) entries() Mounts {
	return all.In(ScopeToolchain, ScopeOutside, ScopeProject).Where(Mount.NotView)
}

// views are the writable views that leave the host's as it is, parents before children.
func (all Mounts) views() Mounts {
	views := all.Where(Mount.View)
	slices.SortStableFunc(views, byUsual)
	return views
}

// isNot asks whether a mount is of none of some scopes.
func isNot(scopes ...Scope) func(Mount) bool {
	return func(m Mount) bool { return !slices.Contains(scopes, m.Scope) }
}

// does asks whether a mount does one of some things.
func does(ops ...Op) func(Mount) bool {
	return func(m Mount) bool { return slices.Contains(ops, m.Op) }
}

// each is a list with something changed in each.
func (all Mounts) each(change func(Mount) Mount) Mounts {
	var changed Mounts
	for _, m := range all {
		changed = append(changed, change(m))
	}
	return changed
}

// byMount is the order in which the launcher mounts: by scope, but views that are no caches
// after these, and among them by place.
func byMount(a, b Mount) int {
	if a.afterCaches() && b.afterCaches() {
		return byUsual(a, b)
	}
	return cmp.Compare(a.turn(), b.turn())
}

func (m Mount) afterCaches() bool { return m.View() && m.Scope != ScopeCache }

func (m Mount) turn() int {
	if m.afterCaches() {
		return 2*ScopeCache.rank() + 1
	}
	return 2 * m.Scope.rank()
}

// byTarget sorts mounts so that parents come before children.
func byTarget(a, b Mount) int { return cmp.Compare(a.Target.String(), b.Target.String()) }

// byUsual does the same for where mounts stand without variables.
func byUsual(a, b Mount) int {
	return cmp.Compare(a.Target.Usual().String(), b.Target.Usual().String())
}
