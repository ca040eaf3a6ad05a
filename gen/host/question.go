package host

import (
	"cmp"
	"slices"

	"bwrapgen/gen/expr"
)

// Question is what one wants to know about a machine. The zero value asks only
// for what is always told: system, time zone.
type Question struct {
	// Programs asks which bwrap, bash and env there are, what they can do, and
	// whether users may make namespaces. No launcher depends on the answers, and
	// they cost several processes.
	Programs bool

	Paths []expr.Path // what is there, and where it leads
	Sizes []expr.Path // how big it is, too; costs time

	// Links are places of which only a link is told: where it leads, what is
	// secret lies. Whether there is something without a link, nobody asks.
	Links []expr.Path

	// Variables are names of variables that relocate a path. Those in
	// Paths, Sizes and Links count as asked about.
	Variables []string

	// Git asks which files and programs git's settings name, and where the Project
	// borrows objects.
	Git bool

	// Markers are names, with a * for any text, that are looked for in the
	// Project and in its folders, three deep.
	Markers []string
	Project string // absolute; what "./" stands for; empty: there is none
}

// Merge asks both questions at once. What q asks comes first, nothing comes
// twice, and q's project wins unless it has none.
func (q Question) Merge(other Question) Question {
	return Question{
		Programs:  q.Programs || other.Programs,
		Paths:     unitePaths(q.Paths, other.Paths),
		Sizes:     unitePaths(q.Sizes, other.Sizes),
		Links:     unitePaths(q.Links, other.Links),
		Variables: unite(q.Variables, other.Variables),
		Git:       q.Git || other.Git,
		Markers:   unite(q.Markers, other.Markers),
		Project:   cmp.Or(q.Project, other.Project),
	}
}

// All lists every path that is asked about, once.
func (q Question) All() []expr.Path { return unitePaths(q.Paths, q.Sizes) }

// Names lists every variable that is asked about, sorted.
func (q Question) Names() []string {
	names := slices.Clone(q.Variables)
	for _, list := range [][]expr.Path{q.Paths, q.Sizes, q.Links} {
		for _, p := range list {
			names = append(names, p.Variables()...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func unitePaths(lists ...[]expr.Path) []expr.Path { return uniteBy(expr.Path.String, lists...) }

func unite(lists ...[]string) []string {
	return uniteBy(func(text string) string { return text }, lists...)
}

// uniteBy joins lists, of what has the same key only the first.
func uniteBy[T any](key func(T) string, lists ...[]T) []T {
	var all []T
	seen := map[string]bool{}
	for _, one := range slices.Concat(lists...) {
		if k := key(one); !seen[k] {
			seen[k] = true
			all = append(all, one)
		}
	}
	return all
}
