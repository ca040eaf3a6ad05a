package gen

import (
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
)

// parts writes a path expression as bash will evaluate it: home and project
// are variables of the launcher.
func parts(p expr.Path) []bash.Part {
	var base bash.Part
	switch p.Base {
	case expr.Home:
		base.Var = "home"
	case expr.Project:
		base.Var = "project"
	case expr.Variable:
		base.Var = p.Name
		base.Default = []bash.Part{{Text: "/proc/nonexistent"}} // an unset one leads nowhere
		if p.Default != nil {
			base.Default = parts(*p.Default)
		}
	default:
		return []bash.Part{{Text: p.Rest}}
	}
	if p.Rest == "" {
		return []bash.Part{base}
	}
	return []bash.Part{base, {Text: p.Rest}}
}

// present is like parts, but empty where a variable without a default is unset.
func (w *viewer) present(p expr.Path) []bash.Part {
	if !needsVariable(p) {
		return w.parts(p)
	}
	return []bash.Part{{Var: p.Name, Present: parts(p)}}
}

// needsVariable reports whether a path leads nowhere where its variable is unset.
func needsVariable(p expr.Path) bool { return p.Base == expr.Variable && p.Default == nil }

// set is like parts where the variable is known to be set.
func set(p expr.Path) []bash.Part { return []bash.Part{{Var: p.Name}, {Text: p.Rest}} }

// bare names the variable without which a mount cannot be.
func bare(m plan.Mount) string {
	for _, p := range []expr.Path{m.Source, m.Target} {
		for p.Base == expr.Variable {
			if p.Default == nil {
				return p.Name
			}
			p = *p.Default
		}
	}
	return ""
}

// columns is where lists of words break, and wide where a table does that nobody
// reads from left to right.
const columns, wide = 96, 180

// rows breaks words into lines.
func rows(words []bash.Word, columns int) [][]bash.Word {
	var all [][]bash.Word
	width := 0
	for _, word := range words {
		if width += 1 + len(word.String()); width > columns || len(all) == 0 {
			all = append(all, nil)
			width = len(word.String())
		}
		last := len(all) - 1
		all[last] = append(all[last], word)
	}
	return all
}

// filled puts flags that stand one under the other on one line, as far as they
// fit.
func filled(lines [][]bash.Word) [][]bash.Word {
	var all [][]bash.Word
	for _, words := range lines {
		last := len(all) - 1
		if last < 0 || len(line(all[last]))+1+len(line(words)) > columns {
			all = append(all, nil)
			last++
		}
		all[last] = append(all[last], words...)
	}
	return all
}

func (w *viewer) note(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *viewer) keep(word bash.Word, err error) bash.Word {
	w.note(err)
	return word
}

func (w *viewer) quote(text string) bash.Word { return w.keep(bash.Quote(text)) }

func (w *viewer) quoted(texts []string) []bash.Word {
	words := make([]bash.Word, len(texts))
	for i, text := range texts {
		words[i] = w.quote(text)
	}
	return words
}

func (w *viewer) path(p expr.Path) bash.Word { return w.keep(bash.Join(w.parts(p)...)) }

func (w *viewer) paths(all []expr.Path) []bash.Word {
	words := make([]bash.Word, len(all))
	for i, p := range all {
		words[i] = w.path(p)
	}
	return words
}

// shownPath is a path that is empty where a variable without a default is unset.
func (w *viewer) shownPath(p expr.Path) bash.Word { return w.keep(bash.Join(w.present(p)...)) }

func (w *viewer) sentence(before string, p expr.Path, after string) bash.Word {
	all := append([]bash.Part{{Text: before}}, parts(p)...)
	return w.keep(bash.Join(append(all, bash.Part{Text: after})...))
}

// mask is a path that is hidden, which may hold a *.
func (w *viewer) mask(p expr.Path, parts func(expr.Path) []bash.Part) bash.Word {
	first := strings.Index(p.Rest, "*")
	if first < 0 {
		return w.keep(bash.Join(parts(p)...))
	}
	split := strings.LastIndex(p.Rest[:first], "/")
	names := p.Rest[split:]
	p.Rest = p.Rest[:split]
	if p.Base == expr.Root {
		return w.keep(bash.Files(p.Rest + names))
	}
	return w.keep(bash.Files(names, parts(p)...))
}

func (w *viewer) assign(name string, value ...bash.Part) bash.Word {
	return w.keep(bash.Assign(name, value...))
}

func (w *viewer) name(text string) bash.Name {
	name, err := bash.NewName(text)
	w.note(err)
	return name
}

// pass is a variable's name, or the names that begin with a prefix.
func (w *viewer) pass(text string) bash.Word {
	if strings.HasSuffix(text, "*") {
		return w.keep(bash.Names(text))
	}
	return w.keep(bash.Quote(w.name(text).String()))
}
