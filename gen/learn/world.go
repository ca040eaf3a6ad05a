package learn

import (
	"path"
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

// sensitiveVariable says why a variable of the caller may hold credentials; empty: it does not seem to.
func (w World) sensitiveVariable(name string) string {
	if why := plan.Sensitive(w.Catalogue, name); why != "" {
		return why
	}
	if plan.HoldsLogin(w.Variables[name]) {
		return "credentials, by its value"
	}
	return ""
}

// Listener is a writer for what the command prints. It keeps which variables of the caller are named there,
// and nothing else.
type Listener struct {
	World World
	word  []byte
	named []string
}

// longest is more than the name of any variable has.
const longest = 256

// Write reads a part of the text.
func (l *Listener) Write(text []byte) (int, error) {
	for _, c := range text {
		switch isOfName := c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'; {
		case !isOfName:
			l.endWord()
		case len(l.word) < longest:
			l.word = append(l.word, c)
		}
	}
	return len(text), nil
}

func (l *Listener) endWord() {
	name := string(l.word)
	l.word = l.word[:0]
	if len(name) > 2 && l.World.isClosed(name) && !slices.Contains(l.named, name) {
		l.named = append(l.named, name)
	}
}

// Named returns the variables that were named, after the last Write.
func (l *Listener) Named() []string {
	l.endWord()
	return l.named
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
