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
	settings := func(e profile.Rule) bool { return e.Place().Equal(settingsOfGit) }
	return p.Home.Mode != profile.HomeHost && p.Rules.Of(profile.KindRead).Any(settings)
}

// namedByGit are the files and directories that git's settings name and the profile does
// not: without them git would do something else inside, and not say so. What is, holds or
// lies in a secret stays outside.
func (b *builder) namedByGit(entries Mounts) []profile.Rule {
	if !showsGit(b.profile) {
		return nil
	}
	var all []profile.Rule
	system := entries.Before(ScopeBase)
	named := b.profile.Rules.Of(append(profile.Shown(), profile.KindHide)...)
	for _, s := range b.facts.Git {
		e := profile.Rule{
			Kind: profile.KindRead, Path: s.Path, Optional: true, Why: "git's " + s.Key + " names it",
			Origin: profile.Origin{File: "git", Key: s.Key},
		}
		if s.Key == host.Alternates {
			e.Why = "the project borrows objects from there"
		}
		listed := func(o profile.Rule) bool { return e.Path.Within(o.Place()) }
		switch {
		case s.Program != "", slices.ContainsFunc(slices.Concat(named, all), listed), b.covered(system, e.Path):
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
	at, ok := p.Eval(b.env)
	harms := func(s catalogue.Secret) bool {
		where, _ := s.Eval(b.env)
		switch s.Kind {
		case catalogue.Config:
			return false
		case catalogue.Persistence:
			return !expr.Within(at, where)
		}
		return true
	}
	return ok && !slices.ContainsFunc(b.hits(Mount{Op: ROBind, Source: p, Target: p}), harms)
}

// Notes are what somebody who makes a launcher should know, and what can be done about it.
func (p Plan) Notes() []problem.Problem { return p.notes }

// notesOnGit say what git's settings start that is not visible inside, and what a file of
// the project has shown.
func (b *builder) notesOnGit(all Mounts) []problem.Problem {
	if !showsGit(b.profile) {
		return nil
	}
	var notes []problem.Problem
	note := func(hint, what string, args ...any) {
		notes = append(notes, problem.Problem{What: fmt.Sprintf(what, args...), Hint: hint})
	}
	for _, s := range b.facts.Git {
		place, _ := b.place(s.Path)
		switch {
		case s.Key == host.Alternates:
			note("it is shown, read-only: .git/objects/info/alternates names it", "the project borrows objects from %s", s.Path)
		case s.Program == "":
		case !b.visibleAt(all, s.Path), !b.visibleAt(all, expr.Path{Base: expr.Root, Rest: place}):
			note("list its directory in filesystem.read, if git needs it there",
				"git's %s starts %s, which is not shown: %s", s.Key, path.Base(s.Program), s.Path)
		}
	}
	return notes
}

// visibleAt reports whether the sandbox shows a place of this host.
func (b *builder) visibleAt(all Mounts, p expr.Path) bool {
	at, _ := p.Eval(b.env)
	inOwnHome := b.ownHome() && expr.Below(at, b.facts.Home)
	if !inOwnHome && b.covered(all.Before(ScopeBase), expr.Path{Base: expr.Root, Rest: at}) {
		return true
	}
	return visible(all).Any(func(m Mount) bool {
		top, ok := b.place(m.Target)
		named, _ := m.Target.Eval(b.env)
		switch {
		case !ok:
			return false
		case expr.Within(at, top):
			return true
		}
		return expr.Within(at, named)
	})
}
