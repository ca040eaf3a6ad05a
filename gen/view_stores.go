package gen

import (
	"fmt"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// storeView is what the partials about overlays and stores see.
type storeView struct {
	Overlays                       bool // there are views of the host's directories
	Views                          []layered
	Listed                         []listed
	Fallback                       bool // caches are read-only where there can be no view
	Moved                          bool // one of them is shown at another place
	Disk                           bool // something lands in a store
	Mixed                          bool // beside it are views in memory
	Run, Session, Keep             bool // which ones there are
	Persistent                     bool // Session or Keep
	KeepStore, Store, SessionStore bash.Word
	Tmp, HomeKeep                  bash.Word
	ProjectOverlay                 bool
	Nowhere                        bool // a cache that the host lacks has no place inside
	Unset                          bool // one of them is nowhere while a variable is unset
	Replaced                       []replaced
}

// replaced is a directory that a kept one stands for.
type replaced struct{ Place, Store bash.Word }

// layered are caches whose writes go the same way.
type layered struct {
	About bash.Comment
	Read  bool
	Store bash.Word
	Paths []bash.Word
}

// listed is a view that the profile lists itself.
type listed struct {
	Path, Store, Target, Why, Hint bash.Word
	Optional                       bool
}

func (w *viewer) stores(p plan.Plan) storeView {
	v := storeView{
		Overlays: p.Overlaid(),
		Run:      p.Stores(plan.Run), Session: p.Stores(plan.Session), Keep: p.Stores(plan.Keep),
		ProjectOverlay: p.Project.Access == profile.AccessOverlay,
		Nowhere:        p.Base == profile.BaseHost && p.Home == profile.HomeHost,
	}
	v.Persistent = v.Session || v.Keep
	v.Disk = v.Run || v.Persistent
	v.Mixed = v.Disk && p.Stores(plan.Memory)
	v.Store, v.SessionStore, v.KeepStore = w.store(v.held()), w.store(plan.Session), w.store(plan.Keep)
	switch p.Tmp {
	case profile.TmpSession:
		v.Tmp = w.store(plan.Session, "/.tmp")
	case profile.TmpKeep:
		v.Tmp = w.store(plan.Keep, "/.tmp")
	}
	if p.Home == profile.HomeKeep {
		v.HomeKeep = w.store(plan.Keep, "/.home")
	}
	if v.Tmp.String() != "" {
		v.Replaced = append(v.Replaced, replaced{w.quote("/tmp"), v.Tmp})
	}
	if v.HomeKeep.String() != "" {
		v.Replaced = append(v.Replaced, replaced{w.homeInside(p), v.HomeKeep})
	}
	for _, o := range p.Overlays {
		if o.Cache {
			v.cache(w, o)
		} else {
			v.list(w, o)
		}
	}
	return v
}

// homeInside is where home stands inside.
func (w *viewer) homeInside(p plan.Plan) bash.Word {
	if !p.Places.Home.IsZero() {
		return w.path(p.Places.Home)
	}
	return w.keep(bash.Join(bash.Part{Var: "home"}))
}

// held is the layer whose store the launcher locks, if there is one: whoever
// holds the one that is kept is alone with all.
func (v storeView) held() plan.Layer {
	if v.Keep {
		return plan.Keep
	}
	return plan.Session
}

// store is the directory below which a layer's directories stand.
func (w *viewer) store(l plan.Layer, rest ...string) bash.Word {
	at := []bash.Part{{Var: "stores"}, {Text: "/keep"}}
	switch {
	case l == plan.Session:
		at = []bash.Part{{Var: "stores"}, {Text: "/session-"}, {Var: "session"}}
	case l == plan.Run:
		at = []bash.Part{{Var: "run"}}
	}
	for _, text := range rest {
		at = append(at, bash.Part{Text: text})
	}
	return w.keep(bash.Join(at...))
}

func (v *storeView) cache(w *viewer, o plan.Overlay) {
	abouts := map[plan.Layer]string{
		plan.Memory:  "Caches: a writable view of the host's; what is written is gone afterwards.",
		plan.Run:     "Caches: a writable view of the host's; what is written is gone afterwards.",
		plan.Session: "Caches: a writable view of the host's; what is written stays in the session.",
		plan.Keep:    "Caches: a writable view of the host's; what is written stays in the store.",
	}
	v.Fallback = v.Fallback || o.Read
	v.Unset = v.Unset || bare(plan.Mount{Source: o.Path}) != ""
	l := layered{About: bash.NewComment(abouts[o.Layer], 0), Read: o.Read}
	if o.Layer != plan.Memory {
		l.Store = w.store(o.Layer)
	}
	for i, other := range v.Views {
		if other.Store == l.Store && other.Read == l.Read {
			v.Views[i].Paths = append(other.Paths, w.path(o.Path))
			return
		}
	}
	l.Paths = []bash.Word{w.path(o.Path)}
	v.Views = append(v.Views, l)
}

func (v *storeView) list(w *viewer, o plan.Overlay) {
	l := listed{
		Path: w.path(o.Path), Store: w.store(o.Layer), Optional: o.Optional,
		Why:  w.why("no view can be made of ", o.Path),
		Hint: w.quote(fmt.Sprintf("the profile names it in %s", o.Origin.Key)),
	}
	if !o.Target.Equal(o.Path) {
		l.Target = w.path(o.Target)
		v.Moved = true
	}
	v.Listed = append(v.Listed, l)
}

// why is a sentence about a path that ends in what overlay said.
func (w *viewer) why(before string, p expr.Path) bash.Word {
	all := append([]bash.Part{{Text: before}}, parts(p)...)
	return w.keep(bash.Join(append(all, bash.Part{Text: ": "}, bash.Part{Var: "REPLY"})...))
}

// made are what the profile wants made on the host.
func made(p plan.Plan) []plan.Mount {
	all := outside(p)
	for _, o := range p.Overlays {
		all = append(all, plan.Mount{Source: o.Path, Create: o.Create})
	}
	return all
}
