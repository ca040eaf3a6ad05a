package profile

import (
	"path"
	"slices"
	"strings"
)

// gap is a value of the schema that no launcher can keep yet.
type gap struct {
	key   string // with * for any tool
	value string // as printed; empty: any that asks for something
}

// gaps is the whole list. A line goes when its feature comes.
func gaps() []gap {
	return []gap{
		{"network.mode", "allow"},
	}
}

// Unsupported reports what a profile asks for in writing and no launcher can
// keep yet. Load and Parse have asked it already.
func (p Profile) Unsupported() Problems {
	var problems Problems
	for _, s := range p.settings() {
		text := strings.Trim(s.text, `"`)
		missing := func(g gap) bool {
			match, _ := path.Match(g.key, s.field.key)
			return match && (g.value == text || g.value == "")
		}
		if s.asks() && slices.ContainsFunc(gaps(), missing) {
			f := unsupported(s.text)
			problems = append(problems, Problem{s.origin, f.what, f.hint})
		}
	}
	return problems
}
