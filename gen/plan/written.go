package plan

import (
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// repositoryOf is where git looks for the repository of a work tree.
func repositoryOf(e profile.Rule) expr.Path {
	p := e.Path
	p.Rest += "/.git"
	return p
}

// withRepositories has a profile read what git outside would run of a repository that it
// has writable besides the project: of another's work tree, the file that leads to it.
func withRepositories(p profile.Profile, f host.Facts) profile.Profile {
	listed := p.Rules.Of(profile.KindRead, profile.KindWrite, profile.KindEmpty, profile.KindOverlay, profile.KindHide)
	for _, e := range p.Rules.Of(profile.KindWrite) {
		git := repositoryOf(e)
		fact, ok := f.Has(git)
		isGit := func(o profile.Rule) bool { return o.Path.Equal(git) }
		switch {
		case !ok, e.Place().Base == expr.Project, p.Rules.Of(profile.KindRead).Any(isGit):
			continue
		}
		names := []string{"/.git"}
		if fact.Kind == host.Dir {
			names = OfRepository()
		}
		for _, name := range names {
			r := profile.Rule{
				Kind: profile.KindRead, Path: e.Path, At: e.At, Optional: true,
				Why: "git outside would run what it names", Origin: e.Origin,
			}
			r.Path.Rest += name
			if !r.At.IsZero() {
				r.At.Rest += name
			}
			if !slices.ContainsFunc(listed, func(o profile.Rule) bool { return o.Place().Equal(r.Place()) }) {
				listed = append(listed, r)
				p = p.With(r)
			}
		}
	}
	return p
}
