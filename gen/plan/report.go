package plan

import (
	"strings"

	"bwrapgen/gen/profile"
)

// The bounds of the search for new and changed files, at the end of a run.
const (
	ReportDepth   = 8 // directories below the project
	ReportSeconds = 5
)

// watched lists what the search looks for, at any depth of a writable project:
// the catalogue's files that the host would run later, and what lies below them.
// A * stands for any text. The search itself knows a .git that leads elsewhere,
// and a config that makes its directory a repository.
func (b *builder) watched() []string {
	if !b.profile.Project.Report || b.plan.Project.Access == profile.AccessRead {
		return nil
	}
	var names []string
	for _, t := range b.catalogue.Tools {
		for _, e := range t.Project {
			names = append(names, strings.TrimPrefix(e.Path.Rest, "/"))
		}
	}
	return sorted(names)
}
