package catalogue

import (
	"path"
	"strings"

	"bwrapgen/gen/expr"
)

// Sensitive is where the sensitive paths of a catalogue lie on one host.
type Sensitive struct{ places []place }

// place is where one sensitive path lies: its parts, which may hold a *.
type place struct {
	secret Secret
	parts  []string
}

// Sensitive finds the credentials, persistence files, states, control sockets
// and settings of the whole catalogue, once for many questions. Each lies where
// it is named and, if the caller knows of a link on the way, where that leads.
func (c Catalogue) Sensitive(env expr.Env, real func(Secret) (string, bool)) Sensitive {
	var all []Secret
	for _, t := range c.Tools {
		all = append(all, t.allSensitive()...)
	}
	var s Sensitive
	for _, secret := range sortSecrets(all) {
		if where, ok := secret.Eval(env); ok {
			s.places = append(s.places, place{secret, parts(where)})
		}
		if where, ok := real(secret); ok {
			secret.Led = true
			s.places = append(s.places, place{secret, parts(where)})
		}
	}
	return s
}

// Conflicts lists what lies at, below or above an absolute path: what it would
// make reachable. Symlinks are the caller's: a path and what it resolves to are
// two questions.
func (s Sensitive) Conflicts(at string) []Secret {
	var hits []Secret
	names := parts(at)
	for _, p := range s.places {
		if touches(names, p.parts) {
			hits = append(hits, p.secret)
		}
	}
	return hits
}

// touches reports whether one of two paths is, contains or lies below the
// other. The parts of the second may hold a *.
func touches(a, b []string) bool {
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
