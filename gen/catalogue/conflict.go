package catalogue

import (
	"path"
	"strings"

	"bwrapgen/gen/expr"
)

// Conflicts lists what lies at, below or above an absolute path: the
// credentials, persistence files, states, control sockets and settings of the
// whole catalogue that it would make reachable. Symlinks are the caller's: a
// path and what it resolves to are two questions.
func (c Catalogue) Conflicts(at string, env expr.Env) []Secret {
	var hits []Secret
	for _, t := range c.Tools {
		for _, s := range t.allSensitive() {
			if where, ok := s.Eval(env); ok && touches(at, where) {
				hits = append(hits, s)
			}
		}
	}
	return sortSecrets(hits)
}

// touches reports whether one of two absolute paths is, contains or lies below
// the other. The second may hold a * in its parts.
func touches(at, pattern string) bool {
	a, b := parts(at), parts(pattern)
	for i := range min(len(a), len(b)) {
		if !matchPart(b[i], a[i]) {
			return false
		}
	}
	return true
}

// matchPart matches one part of a path. A * is the only wildcard: the other
// characters of path.Match are ordinary in a file's name.
func matchPart(pattern, name string) bool {
	if !isGlob(pattern) {
		return pattern == name
	}
	ok, _ := path.Match(quoteMeta.Replace(pattern), name)
	return ok
}

var quoteMeta = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `?`, `\?`)

func isGlob(text string) bool { return strings.Contains(text, "*") }

// parts splits a clean absolute path; the root has none.
func parts(p string) []string {
	p = strings.Trim(p, "/")
	if p == "" {
		return nil
	}
	return strings.Split(p, "/")
}
