package profile

import (
	"path"
	"strings"
	"testing"

	"bwrapgen/gen/expr"
)

// TestPattern: names of the project may be patterns, in the long form, too; a ? at the
// end of the short one is a suffix. Elsewhere such characters stand for themselves.
func TestPattern(t *testing.T) {
	for _, test := range []struct {
		entries string
		pattern bool
	}{
		{`project.hide = [".env*"]`, true},
		{`project.protect = ["apps/*/.env"]`, true},
		{`project.protect = ["a?b", ".env[._]?"]`, true},
		{`project.hide = [{ path = "*", why = "w" }]`, true},
		{`project.hide = [{ path = "a?" }]`, true},
		{`project.hide = ["[!a-c]/[[]slug]"]`, true},
		{`project.hide = ["a?"]`, false},
		{`project.hide = ["a]b"]`, false},
		{`filesystem.hide = [{ path = "./a*" }]`, false},
		{`filesystem.read = ["~/a?b", "~/[c]"]`, false},
	} {
		p, problems := load("w.toml", test.entries, Loader{})
		if len(problems) > 0 {
			t.Errorf("%s: %v", test.entries, problems)
		}
		for _, e := range p.Rules {
			if e.Pattern != test.pattern {
				t.Errorf("%s: %s is a pattern: %v", test.entries, e.Path, e.Pattern)
			}
		}
	}
}

// FuzzPattern: what is taken for a pattern, path.Match takes for one, too.
func FuzzPattern(f *testing.F) {
	for _, text := range []string{".env*", "[a-z]?", "[[]slug]", "[!*]", "a\\", "[]]", "[^-]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.Contains(name, "/") || checkNames(name).What != "" {
			return
		}
		if _, err := path.Match(strings.ReplaceAll(name, "[!", "[^"), "x"); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		expr.Matches(name, "x")
	})
}
