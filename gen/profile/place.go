package profile

import (
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/source"
)

// place reads where project or home appear inside.
func (r *reader) place(key string, to *expr.Path, text string) bool {
	if text == "" {
		*to = expr.Path{}
		return true
	}
	p, err := parse(text)
	switch {
	case err != nil && text[0] == '/':
		r.fail(key, badPath(err, text))
	case err != nil, p.Base != expr.Root:
		r.fail(key, notAbsolute(text))
	case SystemDirectory(p.Rest):
		r.fail(key, refusedPlace(text))
	default:
		*to = p
		return true
	}
	return false
}

// root reads "git", "cwd" or the path of the one project.
func (r *reader) root(key string, to *Root, text string) bool {
	if i := slices.Index(rootNames(), text); i >= 0 {
		*to = Root{Kind: RootKind(i)}
		return true
	}
	p, err := parse(text)
	switch {
	case err != nil && !strings.ContainsAny(text, "/$~"), err == nil && p.Base == expr.Project:
		r.fail(key, projectRoot(text))
	case err != nil:
		r.fail(key, badPath(err, text))
	case strings.Contains(text, "*"), dollar(p):
		r.fail(key, projectRoot(text))
	case wide(p) != "":
		r.fail(key, wideProject(text))
	default:
		*to = Root{RootPath, p}
		return true
	}
	return false
}

// links reads the table of links and merges it.
func (r *reader) links(f field, value any) {
	table, ok := value.(map[string]any)
	if !ok {
		r.fail(f.key, wrongType(value, "a table", `link = { "/bin" = "usr/bin" }`))
		return
	}
	for _, name := range r.source.Names(table, f.key) {
		key := source.Join(f.key, name)
		if l, ok := r.link(key, name, table[name]); ok {
			r.into.clear(l.Path)
			r.into.Filesystem.Link = append(r.into.Filesystem.Link, l)
		}
	}
}

func (r *reader) link(key, name string, value any) (Link, bool) {
	l := Link{Origin: r.origin(key)}
	target, ok := value.(string)
	p, err := parse(name)
	switch {
	case !ok:
		r.fail(key, wrongType(value, "a text", `"/bin" = "usr/bin"`))
	case err != nil:
		r.fail(key, badPath(err, name))
	case dollar(p):
		r.fail(key, badPath(errDollar, name))
	case reserved(p), p.Rest == "":
		r.fail(key, refusedPlace(name))
	case target == "":
		r.fail(key, linkTarget())
	case strings.ContainsRune(target, 0):
		r.fail(key, hasNUL(target))
	default:
		l.Path, l.Target = p, target
		return l, r.claimLink(l)
	}
	return l, false
}

func (r *reader) claimLink(l Link) bool {
	place := l.Path.String()
	if first, taken := r.places[place]; taken {
		r.fail(l.Origin.Key, contradicts(place, first, samePlace()))
		return false
	}
	r.places[place] = l.Origin
	return true
}
