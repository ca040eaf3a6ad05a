package learn

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
)

// ordinary are variables that the launcher sets itself, or that a shell keeps.
var ordinary = []string{"HOME", "PATH", "PWD", "USER", "SHELL", "LOGNAME", "SHLVL", "OLDPWD"}

// Closed counts the caller's variables that do not come in.
func (w World) Closed() int {
	count := 0
	for name := range w.Variables {
		if w.isClosed(name) {
			count++
		}
	}
	return count
}

// isClosed reports whether a variable is the caller's, and does not come in.
func (w World) isClosed(name string) bool {
	_, isCallers := w.Variables[name]
	return isCallers && !w.Plan.Environ.Passes(name) && !slices.Contains(ordinary, name)
}

var loginInAddress = regexp.MustCompile(`://[^/\s]*@`)

// isLogin reports whether a variable of the caller's is a login, or holds one.
func (w World) isLogin(name string) bool {
	isKey := func(t catalogue.Tool) bool { return slices.Contains(t.Keys, name) }
	return slices.ContainsFunc(w.Catalogue.Tools, isKey) || plan.LooksLikeLogin(name) || loginInAddress.MatchString(w.Variables[name])
}

// tool is the one of the catalogue that brings a path of the host; empty: none does.
func (w World) tool(name string) string {
	for _, t := range w.Catalogue.Tools {
		for _, e := range slices.Concat(t.Toolchain, t.Path, t.Caches) {
			at, ok := e.Eval(w.Host)
			switch {
			case !ok, e.Glob(), at == w.Host.Home:
				continue
			case expr.Within(name, at):
				return t.Name
			}
		}
	}
	return ""
}

// secret says what of the catalogue would be reached by a path of the host; empty: nothing.
func (c *collector) secret(name string, forWriting bool) string {
	for _, hit := range c.sensitive.Conflicts(name) {
		if forWriting || hit.Kind != catalogue.Config && hit.Kind != catalogue.Persistence {
			return "a " + hit.Kind.String() + " of " + hit.Tool
		}
	}
	return ""
}

// exists reports whether a path of the host is there.
func (w World) exists(name string) bool {
	_, isThere := w.Resolve(name)
	return isThere
}

// outside is where a path of the sandbox is on the host.
func (c *collector) outside(name string) string {
	switch {
	case expr.Within(name, c.inside.Project):
		return path.Join(c.Host.Project, strings.TrimPrefix(name, c.inside.Project))
	case expr.Within(name, c.inside.Home):
		return path.Join(c.Host.Home, strings.TrimPrefix(name, c.inside.Home))
	}
	return name
}
