package gen

import (
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
)

// environmentView is what the templates see of the command's environment.
type environmentView struct {
	Exports, Given []bash.Word // what the command gets, and the names of all that
	Path           *bash.Word  // what its PATH is, if it has one
	TakePath       bool        // that is the caller's, filtered
	PathRoots      []bash.Word // it keeps what lies there
	Everywhere     bool        // all of the host is there, and PathRoots is empty
	PathDenied     []bash.Word // but not what lies there
	Temporary      bool        // TMPDIR is passed, or required
	Locale         bool        // LC_ALL is passed
	OwnLocale      *bash.Word  // LC_ALL is this
}

func (w *viewer) environment(p plan.Plan) environmentView {
	var v environmentView
	e := p.Environ
	w.export(&v, "HOME", placed([]bash.Part{{Var: "HOME"}}, p.Places)...)
	if p.System.Accounts {
		w.export(&v, "USER", bash.Part{Var: "user"})
		w.export(&v, "LOGNAME", bash.Part{Var: "user"})
	}
	if v.TakePath = e.TakePath; v.TakePath {
		w.search(&v, e)
	}
	for _, s := range e.Set {
		if s.Path.IsZero() {
			w.export(&v, s.Name, bash.Part{Text: s.Text})
		} else {
			w.export(&v, s.Name, placed(parts(s.Path), p.Places)...)
		}
	}
	for _, name := range e.Pass {
		if name == "TMPDIR" {
			v.Temporary = true
			continue
		}
		prefix, many := strings.CutSuffix(name, "*")
		v.Locale = v.Locale || name == "LC_ALL" || many && strings.HasPrefix("LC_ALL", prefix)
		v.Exports = append(v.Exports, w.pass(name))
		v.Given = append(v.Given, w.pass(name))
	}
	return v
}

// search says which parts of the caller's PATH the command gets.
func (w *viewer) search(v *environmentView, e plan.Environ) {
	v.PathDenied = w.paths(e.Denied)
	isRoot := func(p expr.Path) bool { return p.Rest == "/" }
	if v.Everywhere = slices.ContainsFunc(e.Visible, isRoot); !v.Everywhere {
		v.PathRoots = w.paths(e.Visible)
	}
	w.export(v, "PATH", bash.Part{Var: "search", Default: []bash.Part{{Text: "/usr/local/bin:/usr/bin:/bin"}}})
}

// export gives the command a variable. PATH is that of the call of bwrap alone,
// and LC_ALL the command's: the launcher has its own.
func (w *viewer) export(v *environmentView, name string, value ...bash.Part) {
	switch name {
	case "PATH":
		word := w.keep(bash.Join(value...))
		v.Path = &word
		return
	case "LC_ALL":
		word := w.keep(bash.Join(value...))
		v.OwnLocale = &word
		return
	}
	v.Exports = append(v.Exports, w.assign(name, value...))
	v.Given = append(v.Given, w.quote(w.name(name).String()))
}
