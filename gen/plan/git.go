package plan

import (
	"fmt"
	"path"
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

// settingsOfGit is the file of the user's that a profile shows if git's settings are to
// count inside.
var settingsOfGit = expr.MustParse("~/.gitconfig")

// showsGit reports whether a profile shows git's settings of the user in a home that is
// empty otherwise.
func showsGit(p profile.Profile) bool {
	return p.Home.Mode != profile.HomeHost && slices.ContainsFunc(p.Filesystem.Read, func(e profile.Entry) bool { return e.Place().Equal(settingsOfGit) })
}

// namedByGit are the files and directories that git's settings name and the profile does
// not: without them git would do something else inside, and not say so. What is, holds or
// lies in a secret stays outside.
func (b *builder) namedByGit() []profile.Entry {
	if !showsGit(b.profile) {
		return nil
	}
	var all []profile.Entry
	for _, s := range b.facts.Git {
		e := profile.Entry{
			Kind: profile.KindRead, Path: s.Path, Optional: true, Why: "git's " + s.Key + " names it",
			Origin: profile.Origin{File: "git", Key: s.Key},
		}
		if s.Key == host.Alternates {
			e.Why = "the project borrows objects from there"
		}
		listed := func(o profile.Entry) bool { return e.Path.Within(o.Place()) }
		fs := b.profile.Filesystem
		known := slices.ContainsFunc(slices.Concat(fs.Read, fs.Write, fs.Overlay, fs.Hide, all), listed)
		if s.Program != "" || known || b.covered(e.Path) {
			continue
		}
		if b.harmless(e.Path) {
			all = append(all, e)
		}
	}
	return all
}

// harmless reports whether a path may be read without a word of the profile's: nothing
// secret lies in it, and it is no start-up file unless it is named itself.
func (b *builder) harmless(p expr.Path) bool {
	env := b.facts.Environment("")
	at, ok := p.Eval(env)
	return ok && !slices.ContainsFunc(b.hits(Mount{Op: ROBind, Source: p, Target: p}), func(s catalogue.Secret) bool {
		where, _ := s.Eval(env)
		itself := s.Kind == catalogue.Persistence && expr.Within(at, where)
		return s.Kind != catalogue.Config && !itself
	})
}

// Notes are what somebody who makes a launcher should know, and what can be done about it.
func (p Plan) Notes() []problem.Problem { return p.notes }

// noteGit notes what git's settings start that is not visible inside, and what a file of
// the project has shown.
func (b *builder) noteGit() {
	if !showsGit(b.profile) {
		return
	}
	for _, s := range b.facts.Git {
		fact, _ := b.facts.Has(s.Path)
		leadsToVisible := fact.Target == "" || b.visibleAt(expr.Path{Base: expr.Root, Rest: fact.Target})
		switch {
		case s.Key == host.Alternates:
			b.note("it is shown, read-only: .git/objects/info/alternates names it", "the project borrows objects from %s", s.Path)
		case s.Program != "" && !(b.visibleAt(s.Path) && leadsToVisible):
			b.note("list its directory in filesystem.read, if git needs it there", "git's %s starts %s, which is not shown: %s", s.Key, path.Base(s.Program), s.Path)
		}
	}
}

func (b *builder) note(hint, what string, args ...any) {
	b.plan.notes = append(b.plan.notes, problem.Problem{What: fmt.Sprintf(what, args...), Hint: hint})
}

// visibleAt reports whether the sandbox shows a place of this host.
func (b *builder) visibleAt(p expr.Path) bool {
	env := b.facts.Environment("")
	at, _ := p.Eval(env)
	home := expr.Below(at, b.facts.Home)
	if b.covered(expr.Path{Base: expr.Root, Rest: at}) && (!home || b.plan.Home == profile.HomeHost) {
		return true
	}
	return slices.ContainsFunc(b.sights(), func(m Mount) bool {
		top, ok := b.place(m.Target)
		named, _ := m.Target.Eval(env)
		return ok && (expr.Within(at, top) || expr.Within(at, named))
	})
}
