package gen

import (
	"slices"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// mountView is what the templates see of toolchains, caches that are shown as
// they are, and what the profile lists.
type mountView struct {
	Created             []created
	Held, Guarded       []bash.Word
	Holds, Lends        bool // something is, or is lent, here or in between
	SystemGuarded, Lent []bash.Word
	Written, Cached     []bash.Word // directories that a command can change, and caches, which may lie there
	Toolchains          []bash.Word
	Versions            []bash.Word // settings that are shown as long as they set no variables
	Shared, Writable    []bash.Word // caches
	Groups, Late        []group
	Linking             bool // something is mounted on the host's root
	Devices             bool // some of what is writable are devices
	Inside              []inside
	Opens               bool // something there is writable
}

// created is what is made on the host where it is absent: directories, or files
// that begin with a text.
type created struct {
	Paths   []bash.Word
	File    bool
	Content bash.Word
	Given   bool // some of the paths lead nowhere where a variable is not set
}

// inside is a group of mounts below the project.
type inside struct {
	About  bash.Comment
	Within []within
}

type within struct {
	Target bash.Word
	Line   []bash.Word
	Reads  bool      // read-only: where a link stands, the project protects what it leads to
	Opens  bool      // writable: it may hold what is protected
	Made   *created  // the target, where it is absent
	Failed bash.Word // the sentence if it cannot be made
}

func (w *viewer) mounts(p plan.Plan) mountView {
	v := mountView{
		Created:    w.created(made(p)),
		Toolchains: w.toolchains(p),
		Groups:     w.groups(p, false),
		Late:       w.groups(p, true),
		Inside:     w.inside(p.Inside),
		Devices:    slices.ContainsFunc(outside(p), plan.Mount.Device),
	}
	for _, g := range v.Inside {
		v.Opens = v.Opens || slices.ContainsFunc(g.Within, func(m within) bool { return m.Opens })
	}
	w.judged(&v, outside(p))
	for _, g := range slices.Concat(v.Groups, v.Late) {
		for _, r := range g.Runs {
			v.Linking = v.Linking || len(r.Onto) > 0
			v.Holds = v.Holds || len(r.Held) > 0
			v.Lends = v.Lends || len(r.Lent) > 0
		}
	}
	for _, g := range p.Toolchains {
		v.Versions = append(v.Versions, w.tooling(g, true)...)
	}
	for _, c := range p.Caches {
		switch word := w.path(c.Path); c.Mode {
		case profile.CacheRead:
			v.Shared = append(v.Shared, word)
			v.Guarded = append(v.Guarded, word)
		case profile.CacheWrite:
			v.Writable = append(v.Writable, word)
			v.SystemGuarded = append(v.SystemGuarded, word)
		}
	}
	return v
}

// judged lists the mounts that the launcher judges once more, and those that it
// makes read-only below what is writable, or protects from it, when all else is
// there.
func (w *viewer) judged(v *mountView, mounts []plan.Mount) {
	for _, m := range mounts {
		source, between := w.shownPath(m.Source), between(m, mounts)
		if m.Held && !between {
			v.Held = append(v.Held, w.path(m.Source))
		}
		if m.Op == plan.Bind {
			v.Written = append(v.Written, source)
		}
		if m.Op == plan.Bind && !between {
			v.Lent = append(v.Lent, source, w.path(m.Target))
		}
		switch {
		case m.Guarded && m.Op == plan.Bind:
			v.SystemGuarded = append(v.SystemGuarded, source)
		case m.Guarded:
			v.Guarded = append(v.Guarded, source)
		}
	}
	v.Holds, v.Lends = v.Holds || len(v.Held) > 0, v.Lends || len(v.Lent) > 0
}

func (w *viewer) inside(groups []plan.Group) []inside {
	var all []inside
	for _, g := range groups {
		one := inside{About: bash.NewComment(g.About, 0)}
		for _, m := range g.Mounts {
			opens := m.Op == plan.Bind && m.Source.Equal(m.Target)
			one.Within = append(one.Within, within{w.path(m.Target), w.line(m), m.Op == plan.ROBind, opens, w.made(m), w.sentence("cannot make ", m.Target, "")})
		}
		all = append(all, one)
	}
	return all
}

// flat is all mounts of groups, in order.
func flat(groups []plan.Group) []plan.Mount {
	var all []plan.Mount
	for _, g := range groups {
		all = append(all, g.Mounts...)
	}
	return all
}

// created puts together what is made in the same way: directories before files,
// which may lie in them.
func (w *viewer) created(mounts []plan.Mount) []created {
	var directories, files []created
	at := map[string]int{}
	for _, m := range mounts {
		list := &directories
		if m.Text != "" {
			list = &files
		}
		if !m.Create {
			continue
		}
		if _, ok := at[m.Text]; !ok {
			at[m.Text] = len(*list)
			*list = append(*list, created{File: m.Text != "", Content: w.quote(m.Text)})
		}
		c := &(*list)[at[m.Text]]
		c.Paths = append(c.Paths, w.path(m.Source))
		c.Given = c.Given || bare(m) != ""
	}
	return append(directories, files...)
}

// made is what stands for a path of the project itself, if the profile wants it
// made.
func (w *viewer) made(m plan.Mount) *created {
	if !m.Create || !m.Source.Equal(m.Target) {
		return nil
	}
	return &created{File: m.Text != "", Content: w.quote(m.Text)}
}

func (w *viewer) toolchains(p plan.Plan) []bash.Word {
	var all []bash.Word
	for _, g := range p.Toolchains {
		all = append(all, w.tooling(g, false)...)
	}
	return all
}

// tooling are the paths of a tool: those that are shown in any case, or those
// that must not set variables.
func (w *viewer) tooling(g plan.Group, ifNoEnv bool) []bash.Word {
	var all []bash.Word
	for _, m := range g.Mounts {
		if m.IfNoEnv == ifNoEnv {
			all = append(all, w.path(m.Source))
		}
	}
	return all
}

// stored reports whether a store of Nix's or Guix's is shown.
func stored(p plan.Plan) bool {
	return slices.ContainsFunc(slices.Concat(p.System.Mounts, flat(p.Toolchains)), func(m plan.Mount) bool {
		return m.Target.Rest == "/nix/store" || m.Target.Rest == "/gnu/store"
	})
}

// optional are mounts of paths of the host, as far as they are there.
func (w *viewer) optional(paths []string) [][]bash.Word {
	all := make([][]bash.Word, len(paths))
	for i, path := range paths {
		all[i] = []bash.Word{bash.Flag("--ro-bind-try"), w.keep(bash.Twice(path))}
	}
	return all
}

// line is one flag of bwrap with its operands.
func (w *viewer) line(m plan.Mount) []bash.Word { return w.ends(m, w.place(m)) }

// ends is that for a mount whose place is known.
func (w *viewer) ends(m plan.Mount, place bash.Word) []bash.Word {
	words := []bash.Word{bash.Flag(m.Flag())}
	switch m.Op {
	case plan.Symlink:
		words = append(words, w.quote(m.Text))
	case plan.ROBind, plan.Bind:
		words = append(words, w.path(m.Source))
	}
	return append(words, place)
}
