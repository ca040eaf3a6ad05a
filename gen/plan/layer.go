package plan

import (
	"slices"

	"bwrapgen/gen/profile"
)

// Layer is where writes to an overlay go.
type Layer string

// The layers. Session and Keep are on disk, below the state directory.
const (
	Memory  Layer = "memory"  // gone with the sandbox
	Session Layer = "session" // one for each --sandbox-session
	Keep    Layer = "keep"    // survives runs
)

// cacheModes are how a cache is shown, by its mode, and what is said of that; the others
// are not.
var cacheModes = map[profile.CacheMode]struct {
	op    Op
	layer Layer
	words string
}{
	profile.CacheRead:      {ROBind, "", "read-only"},
	profile.CacheWrite:     {Bind, "", "read-write"},
	profile.CacheEphemeral: {View, Memory, "the host's, copy-on-write; changes are discarded"},
	profile.CacheKeep:      {View, Keep, "the host's, copy-on-write; changes are kept for this repository"},
	profile.CacheSession:   {View, Session, "the host's, copy-on-write; changes belong to the session"},
}

// CacheMode is how a mount shows a cache.
func (m Mount) CacheMode() profile.CacheMode {
	for mode, shown := range cacheModes {
		if m.Op == shown.op && m.Layer == shown.layer {
			return mode
		}
	}
	return profile.CacheNone
}

// Overlaid reports whether something is shown as a view that leaves the host's as it is.
func (p Plan) Overlaid() bool {
	return p.Project.Access == profile.AccessOverlay || p.Mounts.Any(Mount.View)
}

// Stores reports whether the plan needs a store on disk for what lands in one of some layers.
func (p Plan) Stores(layers ...Layer) bool {
	stores := func(l Layer) bool {
		directories := map[Layer]bool{Session: p.Tmp == profile.TmpSession, Keep: p.keeps()}
		return directories[l] || p.Mounts.Any(func(m Mount) bool { return m.Layer == l })
	}
	return slices.ContainsFunc(layers, stores)
}

// keeps reports whether a whole directory survives runs.
func (p Plan) keeps() bool {
	switch {
	case p.Tmp == profile.TmpKeep, p.Home == profile.HomeKeep, p.Project.Access == profile.AccessOverlay:
		return true
	}
	return false
}

// KeepsDirectories reports whether whole directories are kept, for a session or longer.
func (p Plan) KeepsDirectories() bool { return p.keeps() || p.Tmp == profile.TmpSession }

// KeepsCaches reports whether changes to a cache, or to a toolchain that installs into itself, are
// kept in the slots of the repository.
func (p Plan) KeepsCaches() bool {
	return p.Mounts.Any(func(m Mount) bool { return m.Layer == Keep && m.Scope != ScopeOutside })
}

// keepsOwn reports whether something other than caches survives runs.
func (p Plan) keepsOwn() bool { return p.keeps() || p.Mounts.In(ScopeOutside).Any(Mount.View) }

// OwnsStore reports whether the launcher keeps something that it does not share with other launchers.
func (p Plan) OwnsStore() bool { return p.keepsOwn() || p.Stores(Session) }

// KeepsBesides reports whether the launcher keeps something for a session and something for longer.
func (p Plan) KeepsBesides() bool { return p.keepsOwn() && p.Stores(Session) }

// Reviews reports whether changes to the project or to a listed directory go to an overlay, whose
// changes can be reviewed and applied. Those in caches cannot.
func (p Plan) Reviews() bool {
	return p.Project.Access == profile.AccessOverlay || p.Mounts.In(ScopeOutside).Any(Mount.View)
}
