package profile

import (
	"regexp"
	"strings"

	"bwrapgen/gen/problem"
)

// patternName is one name of a pattern. In brackets stand only characters that mean
// the same to bash and to path.Match, quoted or not.
var patternName = regexp.MustCompile(`^([^[*?\\]|\*|\?|\[[!^]?([A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9_.,@+[*?])+\])*$`)

// starName is a path outside of the project in whose last name stands a *.
var starName = regexp.MustCompile(`^[^*]*/[A-Za-z0-9._*-]+$`)

// isPattern reports whether the launcher has to expand a path of the project.
func isPattern(rest string) bool { return strings.ContainsAny(rest, "*?[") }

// checkNames judges the names of a pattern one by one.
func checkNames(rest string) problem.Problem {
	for name := range strings.SplitSeq(rest, "/") {
		if strings.Contains(name, "**") {
			return wrong(`a * stands for a part of one name: list each depth, as ".env", "*/.env", "*/*/.env"`,
				"holds a **: %q", rest[1:])
		}
		if !patternName.MatchString(name) {
			return wrong("* is any text, ? one character, [abc], [a-z] or [!0-9] one of some; "+
				"for a name that holds one of them, write [*], [?] or [[]",

				"not a pattern: %q", rest[1:])
		}
	}
	return problem.Problem{}
}
