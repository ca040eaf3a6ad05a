package plan

import (
	"path"
	"slices"

	"bwrapgen/gen/expr"
)

// misleading are the files of a repository that lead git to other settings and
// hooks than its own: gitrepository-layout(5).
var misleading = []string{"commondir", "config.worktree"}

// nested protects, in a repository inside the project of which the profile
// protects hooks or settings, what would lead git past them. Where that is
// absent, it is named at the end.
func nested(protected Mounts) Mounts {
	all := slices.Clone(protected)
	for _, m := range protected {
		directory, name := path.Split(m.Target.Rest)
		switch {
		case directory == "/.git/", path.Base(directory) != ".git", !slices.Contains([]string{"hooks", "config"}, name):
			continue
		}
		for _, name := range misleading {
			place := expr.Path{Base: expr.Project, Rest: directory + name}
			if !all.Any(at(place)) {
				all = append(all, Mount{
					Op: ROBind, Scope: ScopeProtect, Source: place, Target: place, Optional: true, Pattern: m.Pattern,
					Why: "git would take its hooks and settings from there", Origin: m.Origin,
				})
			}
		}
	}
	return all
}

// misleads reports whether a path is such a file. With a directory in its place
// git does not work at all.
func misleads(p expr.Path) bool {
	directory, name := path.Split(p.Rest)
	return path.Base(directory) == ".git" && slices.Contains(misleading, name)
}
