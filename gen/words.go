package gen

import (
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
)

// words makes words of bash; its err is the first text that bash cannot hold.
type words struct{ err error }

// parts writes a path expression as bash will evaluate it. A path of the
// project begins with a dot.
func (w *words) parts(p expr.Path) []bash.Part { return expand(p) }

func expand(p expr.Path) []bash.Part {
	var base bash.Part
	switch p.Base {
	case expr.Home:
		base.Var = "home"
	case expr.Project:
		return []bash.Part{{Text: "." + p.Rest}} // the engine knows where the project is
	case expr.Variable:
		base.Var = p.Name
		base.Default = []bash.Part{{Text: "/proc/nonexistent"}} // an unset one leads nowhere
		if p.Default != nil {
			base.Default = expand(*p.Default)
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
func (w *words) present(p expr.Path) []bash.Part {
	if !needsVariable(p) {
		return expand(p)
	}
	set := []bash.Part{{Var: p.Name}}
	if p.Rest != "" {
		set = append(set, bash.Part{Text: p.Rest})
	}
	return []bash.Part{{Var: p.Name, Present: set}}
}

// needsVariable reports whether a path leads nowhere where its variable is unset.
func needsVariable(p expr.Path) bool { return p.Base == expr.Variable && p.Default == nil }

// rows breaks words into lines of a width.
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

func (w *words) note(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *words) keep(word bash.Word, err error) bash.Word {
	w.note(err)
	return word
}

func (w *words) quote(text string) bash.Word { return w.keep(bash.Quote(text)) }

func (w *words) quoted(texts []string) []bash.Word {
	words := make([]bash.Word, len(texts))
	for i, text := range texts {
		words[i] = w.quote(text)
	}
	return words
}

func (w *words) path(p expr.Path) bash.Word { return w.keep(bash.Join(expand(p)...)) }

func (w *words) paths(all []expr.Path) []bash.Word {
	words := make([]bash.Word, len(all))
	for i, p := range all {
		words[i] = w.path(p)
	}
	return words
}

// mask is a path that is hidden, which may hold a *.
func (w *words) mask(p expr.Path) bash.Word {
	first := strings.Index(p.Rest, "*")
	if first < 0 {
		return w.keep(bash.Join(w.present(p)...))
	}
	split := strings.LastIndex(p.Rest[:first], "/")
	names := p.Rest[split:]
	p.Rest = p.Rest[:split]
	if p.Base == expr.Root {
		return w.keep(bash.Files(p.Rest + names))
	}
	return w.keep(bash.Files(names, expand(p)...))
}

func (w *words) assign(name string, value ...bash.Part) bash.Word {
	return w.keep(bash.Assign(name, value...))
}

func (w *words) name(text string) bash.Name {
	name, err := bash.NewName(text)
	w.note(err)
	return name
}

// line joins the words of one line.
func line(words []bash.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.String()
	}
	return strings.Join(texts, " ")
}
