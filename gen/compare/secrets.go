package compare

import (
	"path"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
)

// secrets finds what of the catalogue a place is or lies below.
type secrets struct {
	exact map[string]catalogue.Secret
	globs []placedSecret
}

type placedSecret struct {
	catalogue.Secret
	at string
}

func newSecrets(all []catalogue.Secret, env expr.Env) secrets {
	s := secrets{exact: map[string]catalogue.Secret{}}
	for _, one := range all {
		at, ok := one.Path.Eval(env)
		switch {
		case !ok:
		case strings.Contains(at, "*"):
			s.globs = append(s.globs, placedSecret{one, at})
		case s.exact[at].Kind == 0:
			s.exact[at] = one
		}
	}
	return s
}

// at says what a place holds that is secret: to be read or, of what the host would
// run later, to be changed.
func (s secrets) at(p expr.Path, env expr.Env, changed bool) string {
	at, ok := p.Eval(env)
	if !ok {
		return ""
	}
	for ; at != "/"; at = path.Dir(at) {
		if one, ok := s.place(at); ok && (one.Kind != catalogue.Persistence || changed) {
			return one.Kind.String() + " of " + one.Tool
		}
	}
	return ""
}

func (s secrets) place(at string) (catalogue.Secret, bool) {
	if one, ok := s.exact[at]; ok {
		return one, true
	}
	for _, g := range s.globs {
		if ok, _ := path.Match(g.at, at); ok || g.at == at {
			return g.Secret, true
		}
	}
	return catalogue.Secret{}, false
}
