package plan

import (
	"cmp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// belowView marks what the profile lists below a view, which would cover it. What the base
// shows anyway is not what a view shows.
func belowView(all Mounts) Mounts {
	views := all.views()
	listed := views.In(ScopeOutside)
	viewed := func(m Mount) bool {
		below := func(o Mount) bool { return m.Target.Usual().Below(o.Target.Usual()) }
		above := func(o Mount) bool { return o.Target.Usual().Below(m.Target.Usual()) }
		// A view that is listed by a link can be above it.
		mayBeBelow := len(listed) > 0 && !views.Any(above)
		byLink := mayBeBelow && strings.HasPrefix(m.Origin.Key, "filesystem.")
		return byLink || views.Any(below)
	}
	shown := all.each(func(m Mount) Mount {
		isViewed := viewed(m)
		if m.Scope == ScopeBase && isViewed {
			m.Scope = ScopeOutside
		}
		m.BelowView = m.Scope == ScopeOutside && m.is(Mount.NotView) && isViewed
		return m
	})
	slices.SortStableFunc(shown, byPlace)
	return shown
}

// writable makes a view of a toolchain, for a manager that installs into
// itself, and of one that does not run where it cannot write; what belongs to
// the system stays read-only.
func (b *builder) writable(e catalogue.Entry, m Mount) Mount {
	asked := b.profile.Toolchains.Mode == profile.ToolchainOverlay || e.NeedsWrite == catalogue.NeedYes
	switch {
	case !asked, m.IfNoLogin, m.Source.Base == expr.Root, !b.isDirectory(m.Source):
		return m
	}
	m.Op, m.Optional, m.Active, m.Why = View, false, false, ""
	m.Layer = cmp.Or(cacheModes[b.profile.Caches.For(m.Tool)].layer, Memory)
	return m
}
