package gen

import (
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

func (w *viewer) mounts(v *view, p plan.Plan) {
	v.Created = w.created(made(p))
	for _, m := range outside(p) {
		if m.Held {
			v.Held = append(v.Held, w.path(m.Source))
		}
		if m.Op == plan.Bind {
			v.Lent = append(v.Lent, w.keep(bash.Join(present(m.Source)...)), w.path(m.Target))
		}
		switch {
		case !m.Guarded:
		case m.Op == plan.Bind:
			v.SystemGuarded = append(v.SystemGuarded, w.keep(bash.Join(present(m.Source)...)))
		default:
			v.Guarded = append(v.Guarded, w.keep(bash.Join(present(m.Source)...)))
		}
	}
	v.storeView = w.stores(p)
	v.Groups = w.groups(p.Groups, func(m plan.Mount) bool { return onto(p, m) })
	v.Linking = slices.ContainsFunc(v.Groups, func(g group) bool { return len(g.Onto) > 0 })
	for _, g := range p.Inside {
		one := inside{About: bash.NewComment(g.About, 0)}
		for _, m := range g.Mounts {
			one.Within = append(one.Within, within{w.path(m.Target), w.line(m), w.made(m), w.sentence("cannot make ", m.Target, "")})
		}
		v.Inside = append(v.Inside, one)
	}
	v.Toolchains = w.toolchains(p)
	for _, g := range p.Toolchains {
		v.Versions = append(v.Versions, w.tooling(g, true)...)
	}
	for _, c := range p.Caches {
		switch word := w.path(c.Path); c.Mode {
		case profile.CacheRead:
			v.Shared = append(v.Shared, word)
		case profile.CacheWrite:
			v.Writable = append(v.Writable, word)
		}
	}
	var names, own []bash.Word
	for _, m := range p.Project.Protect {
		if slices.Contains(ofRepository(), m.Target.Rest) {
			v.Git = !v.ProjectRead // wherever the repository is
			continue
		}
		name := w.quote(strings.TrimPrefix(m.Target.Rest, "/"))
		if v.ProjectWrite && slices.ContainsFunc(p.Project.Own, func(o plan.Mount) bool { return o.Target.Equal(m.Target) }) {
			own = append(own, name)
		} else {
			names = append(names, name)
		}
	}
	for _, m := range p.Project.Pinned {
		names = append(names, w.quote(strings.TrimPrefix(m.Target.Rest, "/")))
	}
	v.Protected, v.Reserved = rows(names), rows(own)
	v.Hooks = v.Git && v.ProjectWrite
	v.Nowhere = v.Host && !v.HomeEmpty
	w.masks(v, p.Masks)
}

// masks are what is hidden, and what is emptied, in what is shown.
func (w *viewer) masks(v *view, mounts []plan.Mount) {
	var hidden []bash.Word
	for _, m := range mounts {
		if m.Op == plan.Tmpfs {
			v.Emptied = append(v.Emptied, w.mask(m.Target))
		} else {
			hidden = append(hidden, w.mask(m.Target))
		}
	}
	v.Masks = rows(hidden)
	v.Covers = len(v.Masks) > 0 || len(v.Emptied) > 0
}

// created puts together what is made in the same way.
func (w *viewer) created(mounts []plan.Mount) []created {
	var all []created
	at := map[string]int{}
	for _, m := range mounts {
		if !m.Create {
			continue
		}
		if _, ok := at[m.Text]; !ok {
			at[m.Text] = len(all)
			all = append(all, created{File: m.Text != "", Content: w.quote(m.Text)})
		}
		c := &all[at[m.Text]]
		c.Paths = append(c.Paths, w.path(m.Source))
	}
	return all
}

// made is what stands for a path of the project itself, if the profile wants it
// made.
func (w *viewer) made(m plan.Mount) *created {
	if !m.Create || !m.Source.Equal(m.Target) {
		return nil
	}
	return &created{File: m.Text != "", Content: w.quote(m.Text)}
}

func (w *viewer) toolchains(p plan.Plan) []toolchain {
	var all []toolchain
	for _, g := range p.Toolchains {
		if paths := w.tooling(g, false); len(paths) > 0 {
			all = append(all, toolchain{bash.NewComment(g.About, 0), paths})
		}
	}
	return all
}

// tooling are the paths of a tool: those that are shown in any case, or those
// that must not set variables.
func (w *viewer) tooling(g plan.Group, ifNoEnv bool) []bash.Word {
	var all []bash.Word
	for _, m := range g.Mounts {
		if m.IfNoEnv == ifNoEnv {
			all = append(all, w.keep(bash.Join(present(m.Source)...)))
		}
	}
	return all
}

// stored reports whether a store of Nix's or Guix's is shown.
func stored(p plan.Plan) bool {
	mounts := p.System.Mounts
	for _, g := range p.Toolchains {
		mounts = slices.Concat(mounts, g.Mounts)
	}
	return slices.ContainsFunc(mounts, func(m plan.Mount) bool { return m.Target.Rest == "/nix/store" || m.Target.Rest == "/gnu/store" })
}

func (w *viewer) groups(groups []plan.Group, onto func(plan.Mount) bool) []group {
	var all []group
	for _, g := range groups {
		one := group{About: bash.NewComment(g.About, 0)}
		listed := !slices.ContainsFunc(g.Mounts, func(m plan.Mount) bool { return !plain(m) })
		for _, m := range g.Mounts {
			if listed {
				one.Paths = append(one.Paths, w.path(m.Source))
				continue
			}
			if m.Held {
				continue // after the others
			}
			if onto(m) {
				one.Onto = append(one.Onto, []bash.Word{bash.Flag(m.Flag()), w.path(m.Source), w.path(m.Target)})
			} else if name := bare(m); name != "" {
				one.Given = append(one.Given, given{w.name(name), w.line(m)})
			} else {
				one.Lines = append(one.Lines, w.line(m))
			}
		}
		all = append(all, one)
	}
	return all
}

// plain reports whether a mount shows what the host has at a path, if it is
// there, at the same path.
func plain(m plan.Mount) bool {
	return m.Op == plan.ROBind && m.Optional && !m.Held && m.Source.Equal(m.Target) && bare(m) == ""
}

// optional are mounts of paths of the host, as far as they are there, some to a
// line.
func (w *viewer) optional(paths []string) [][]bash.Word {
	var all [][]bash.Word
	width := 0
	for _, path := range paths {
		word := w.keep(bash.Twice(path))
		if width += len(" --ro-bind-try ") + len(word.String()); width > columns || len(all) == 0 {
			all = append(all, nil)
			width = len(" --ro-bind-try ") + len(word.String())
		}
		last := len(all) - 1
		all[last] = append(all[last], bash.Flag("--ro-bind-try"), word)
	}
	return all
}

// line is one flag of bwrap with its operands.
func (w *viewer) line(m plan.Mount) []bash.Word {
	words := []bash.Word{bash.Flag(m.Flag())}
	switch m.Op {
	case plan.Symlink:
		words = append(words, w.quote(m.Text))
	case plan.ROBind, plan.Bind:
		words = append(words, w.path(m.Source))
	}
	return append(words, w.place(m))
}
