package gen

import (
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// hidden is what no variable and no link may lead to at launch.
type hidden struct {
	Movers        []bash.Word
	Bounds        []bash.Word // writable directories out of which what lies in them may not lead
	Led, Known    []bash.Word // of Led each second one is where the first would be without variables
	Names, Caches below
	Open          below
	Never         []never

	Movable       [][]bash.Word // variables, some to a line, that may not lead into what is listed first in Led:
	Own, Reasoned int           // so many words of that are a user's own; from here on they say why
	Reasons       bool          // some do
	Writes        bool          // some are writable
	Hidden        []bash.Word   // what the profile hides, where there are such variables
}

// never is a directory of home that a variable must not name.
type never struct {
	Variable  bash.Name
	Directory bash.Word
}

// below are names of directories, as a pattern for what lies in one of them.
type below []bash.Word

// String joins them.
func (b below) String() string {
	var all strings.Builder
	for _, word := range b {
		all.WriteString(word.String() + "/*|")
	}
	return strings.TrimSuffix(all.String(), "|")
}

func (w *viewer) hidden(p plan.Plan) hidden {
	h := hidden{
		Movers: w.quoted(p.Hidden.Movers), Open: w.quoted(p.Hidden.Open),
		Names: w.quoted(p.Hidden.Bare), Caches: w.quoted(p.Hidden.Caches),
	}
	for _, n := range p.Hidden.Never {
		h.Never = append(h.Never, never{w.name(n.Variable), w.quote(n.Directory)})
	}
	if len(p.Led) > 0 && p.Project.Access != profile.AccessRead {
		h.Bounds = append(h.Bounds, w.keep(bash.Join(bash.Part{Var: "project"})))
	}
	w.movable(&h, p)
	for _, led := range p.Led {
		usual := led.Usual
		if usual.IsZero() {
			usual = expr.MustParse("/proc/nonexistent")
		}
		h.Led = append(h.Led, w.shownPath(led.Path), w.shownPath(usual))
		h.Known = append(h.Known, w.paths(led.Known)...)
		for _, above := range led.Above {
			if root := w.shownPath(above); !slices.Contains(h.Bounds, root) {
				h.Bounds = append(h.Bounds, root)
			}
		}
	}
	return h
}

// movable is what the launcher needs to judge variables by the profile's own entries.
func (w *viewer) movable(h *hidden, p plan.Plan) {
	if len(p.Hidden.Movable) == 0 {
		return
	}
	words, err := bash.Braces(p.Hidden.Movable)
	w.note(err)
	h.Movable = rows(words, wide)
	for _, led := range p.Led {
		if led.Own {
			h.Own += 2
			h.Writes = h.Writes || led.Writable
		}
		if led.Own && !led.Reason {
			h.Reasoned += 2
		}
	}
	h.Reasons = h.Reasoned < h.Own
	for _, m := range p.Masks {
		if m.Tool == "" && m.Target.Base != expr.Project && m.Target.Base != expr.Variable {
			h.Hidden = append(h.Hidden, w.path(m.Target))
		}
	}
}
