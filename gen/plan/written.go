package plan

import (
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// repositoryOf is where git looks for the repository of a work tree.
func repositoryOf(e profile.Entry) expr.Path {
	p := e.Path
	p.Rest += "/.git"
	return p
}

// repositories holds what git outside would run of a repository that the profile has
// writable besides the project: of another's work tree, the file that leads to it.
func (b *builder) repositories() {
	fs := &b.profile.Filesystem
	for _, e := range fs.Write {
		fact, ok := b.facts.Has(repositoryOf(e))
		if !ok || e.Place().Base == expr.Project || slices.ContainsFunc(fs.Read, func(o profile.Entry) bool { return o.Path.Equal(repositoryOf(e)) }) {
			continue
		}
		names := []string{"/.git"}
		if fact.Kind == host.Dir {
			names = []string{"/.git/hooks", "/.git/config", "/.git/config.worktree", "/.git/commondir"}
		}
		for _, name := range names {
			r := profile.Entry{Kind: profile.KindRead, Path: e.Path, At: e.At, Optional: true, Why: "git outside would run what it names", Origin: e.Origin}
			r.Path.Rest += name
			if !r.At.IsZero() {
				r.At.Rest += name
			}
			if !slices.ContainsFunc(slices.Concat(fs.Read, fs.Write, fs.Empty, fs.Overlay, fs.Hide), func(o profile.Entry) bool { return o.Place().Equal(r.Place()) }) {
				fs.Read = append(slices.Clip(fs.Read), r)
			}
		}
	}
}
