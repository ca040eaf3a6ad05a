package profile

import (
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
)

// parse reads a path expression. A base directory whose variable is unset is where
// the XDG specification has it; the runtime directory is nowhere then.
func parse(text string) (expr.Path, problem.Problem) {
	p, err := expr.Parse(text)
	if err == nil {
		return based(p), problem.Problem{}
	}
	what, hint := strings.TrimPrefix(err.Error(), "is "), ""
	for _, known := range []struct{ word, hint string }{
		{"climbs", "write the path without .."},
		{"empty", "write a path, or leave the element out"},
		{"NUL", "no path, argument or variable can hold one"},
		{"another user", "write the path in full"},
		{"variable", expansions},
		{"$", expansions},
		{"absolute", "a path begins with /, ~/, ./ (the project) or a variable such as $XDG_CACHE_HOME/"},
	} {
		if strings.Contains(what, known.word) {
			hint = known.hint
		}
	}
	return expr.Path{}, wrong(hint, "%s: %q", what, text)
}

const expansions = "write $NAME/rest or ${NAME:-~/fallback}/rest; nothing else is expanded"

// parseConstant reads a path in which no $ stands but at its beginning.
func parseConstant(text string) (expr.Path, problem.Problem) {
	p, bad := parse(text)
	if bad.What == "" && dollar(p) {
		bad = wrong(expansions, "has a variable that does not stand at its beginning: %q", text)
	}
	return p, bad
}

func based(p expr.Path) expr.Path {
	usual := map[string]string{
		"XDG_CACHE_HOME": "/.cache", "XDG_CONFIG_HOME": "/.config",
		"XDG_DATA_HOME": "/.local/share", "XDG_STATE_HOME": "/.local/state",
	}[p.Name]
	switch {
	case p.Default != nil:
		inner := based(*p.Default)
		p.Default = &inner
	case usual != "":
		p.Default = &expr.Path{Base: expr.Home, Rest: usual}
	}
	return p
}

// dollar reports whether a $ stands where it is not expanded.
func dollar(p expr.Path) bool {
	return strings.Contains(p.Rest, "$") || p.Default != nil && dollar(*p.Default)
}
