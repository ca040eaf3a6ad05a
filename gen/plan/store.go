package plan

import (
	"cmp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Layer says where that which is written to a view of the host's lands.
type Layer uint8

// The layers. All but Memory lie in the launcher's store.
const (
	Memory  Layer = iota // gone with the sandbox
	Session              // one for each --sandbox-session
	Keep                 // survives runs
)

// Overlay is a writable view of a directory that leaves it as it is.
type Overlay struct {
	Path     expr.Path
	Target   expr.Path
	Layer    Layer
	Cache    bool // may be absent, and may lie in another one
	Optional bool
	Create   bool
	Why      string
	Tool     string // whose toolchain it is: where no view can be made, it is read-only
	Origin   profile.Origin
}

// Overlaid reports whether something is shown as a view that leaves the host's
// as it is.
func (p Plan) Overlaid() bool {
	return len(p.Overlays) > 0 || p.Project.Access == profile.AccessOverlay
}

// Stores says what of the plan needs a store on disk, and which.
func (p Plan) Stores(l Layer) bool {
	kept := p.Tmp == profile.TmpKeep || p.Home == profile.HomeKeep || p.Project.Access == profile.AccessOverlay
	switch {
	case l == Session && p.Tmp == profile.TmpSession, l == Keep && kept:
		return true
	}
	return slices.ContainsFunc(p.Overlays, func(o Overlay) bool { return o.Layer == l })
}

// overlays are the profile's own, and after them the caches that are not
// shown as they are.
func (b *builder) overlays() {
	for _, e := range b.profile.Filesystem.Overlay {
		b.plan.Overlays = append(b.plan.Overlays, Overlay{
			Path: e.Path, Target: e.Place(), Layer: Keep, Optional: e.Optional, Create: e.Create, Why: e.Why, Origin: e.Origin,
		})
	}
	for _, c := range b.plan.Caches {
		if layer, ok := layers[c.Mode]; ok {
			b.plan.Overlays = append(b.plan.Overlays, Overlay{Path: c.Path, Target: c.Path, Layer: layer, Cache: true, Origin: c.Origin})
		}
	}
	slices.SortStableFunc(b.plan.Overlays, func(a, b Overlay) int {
		return cmp.Compare(a.Target.Usual().String(), b.Target.Usual().String())
	})
}

// late marks what lies below a view, which would cover it. What the base shows
// anyway is not what a view shows.
func (b *builder) late() {
	listedAlone := func(m Mount) bool { // a view listed by a link can be above it
		return len(b.profile.Filesystem.Overlay) > 0 && strings.HasPrefix(m.Origin.Key, "filesystem.") &&
			!slices.ContainsFunc(b.plan.Overlays, func(o Overlay) bool { return o.Target.Usual().Below(m.Target.Usual()) })
	}
	viewed := func(m Mount) bool {
		return listedAlone(m) ||
			slices.ContainsFunc(b.plan.Overlays, func(o Overlay) bool { return m.Target.Usual().Below(o.Target.Usual()) })
	}
	var besides []Mount
	for _, g := range b.plan.Groups {
		besides = append(besides, g.Mounts...)
	}
	for _, m := range b.plan.Plain {
		if viewed(m) {
			besides = append(besides, m)
		}
	}
	b.plan.Groups = group(listed, besides)
	b.plan.Plain = slices.DeleteFunc(b.plan.Plain, viewed)
	for _, g := range b.plan.Groups {
		for i, m := range g.Mounts {
			g.Mounts[i].Late = viewed(m)
		}
	}
}

// writable makes a view of a toolchain, for a manager that installs into
// itself, and of one that does not run where it cannot write; what belongs to
// the system stays read-only.
func (b *builder) writable(e catalogue.Entry, m Mount) bool {
	asked := b.profile.Toolchains.Mode == profile.ToolchainOverlay || e.NeedsWrite == catalogue.NeedYes
	if !asked || m.Source.Base == expr.Root || !b.isDirectory(m.Source) {
		return false
	}
	b.plan.Overlays = append(b.plan.Overlays, Overlay{
		Path: m.Source, Target: m.Target, Layer: layers[b.profile.Caches.For(m.Tool)], Cache: true, Tool: m.Tool, Origin: m.Origin,
	})
	return true
}

// layers are where a cache's writes land; of one that is shown as it is, nowhere.
var layers = map[profile.CacheMode]Layer{
	profile.CacheEphemeral: Memory, profile.CacheKeep: Keep, profile.CacheSession: Session,
}
