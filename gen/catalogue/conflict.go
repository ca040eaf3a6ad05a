package catalogue

import (
	"path"
	"strings"

	"bwrapgen/gen/expr"
)

// Sensitive is where the sensitive paths of a catalogue lie on one host.
type Sensitive []placed

// placed is where one sensitive path lies.
type placed struct {
	Secret
	at string
}

// Sensitive finds the credentials, persistence files, states, control sockets
// and settings of the whole catalogue, once for many questions. Each lies where
// it is named and, if the caller knows of a link on the way, where that leads.
func (c Catalogue) Sensitive(env expr.Env, real func(Secret) (string, bool)) Sensitive {
	var all Sensitive
	for _, secret := range c.allSensitive() {
		if at, ok := secret.Eval(env); ok {
			all = append(all, placed{secret, at})
		}
		if where, ok := real(secret); ok {
			secret.ByLink = true
			all = append(all, placed{secret, path.Clean(where)})
		}
	}
	return all
}

// Conflicts lists what lies at, below or above an absolute path: what it would
// make reachable. Symlinks are the caller's: a path and what it resolves to are
// two questions.
func (s Sensitive) Conflicts(at string) []Secret {
	var hits []Secret
	at = path.Clean(at)
	for _, p := range s {
		if Meets(at, p.at) {
			hits = append(hits, p.Secret)
		}
	}
	return hits
}

// Meets reports whether an absolute path is, contains or lies below another one, which
// may hold a *.
func Meets(at, pattern string) bool {
	if !isGlob(pattern) {
		return expr.Within(at, pattern) || expr.Below(pattern, at)
	}
	a, b := parts(at), parts(pattern)
	for i := range min(len(a), len(b)) {
		if !matchPart(b[i], a[i]) {
			return false
		}
	}
	return true
}

// Within reports whether an absolute path is another one, which may hold a *, or lies
// below it.
func Within(at, pattern string) bool {
	return len(parts(at)) >= len(parts(pattern)) && Meets(at, pattern)
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
