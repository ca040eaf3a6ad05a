package gen

import (
	"path"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
)

// words makes words of bash; its err is the first text that bash cannot hold.
type words struct {
	places places
	err    error
}

// parts writes a path expression as bash will evaluate it. A path of the
// project begins with a dot.
func (w *words) parts(p expr.Path) []bash.Part {
	base := p
	base.Rest = ""
	switch p.Base {
	case expr.Project:
		return []bash.Part{{Text: "." + p.Rest}} // the engine knows where the project is
	case expr.Root:
		return []bash.Part{{Text: p.Rest}}
	}
	part := w.base(base)
	if p.Rest == "" {
		return []bash.Part{part}
	}
	return []bash.Part{part, {Text: p.Rest}}
}

// base is the beginning of an expression: home, or a variable. Where the policy
// has a name for it, that.
func (w *words) base(p expr.Path) bash.Part {
	switch {
	case p.Base == expr.Home:
		return bash.Part{Var: "home"}
	case needsVariable(p): // an unset one leads nowhere
		return bash.Part{Var: p.Name, Default: []bash.Part{{Text: "/proc/nonexistent"}}}
	}
	if name := w.places.use(p); name != "" {
		return bash.Part{Var: name}
	}
	return w.variableOr(p)
}

// variableOr is a variable, or else another path.
func (w *words) variableOr(p expr.Path) bash.Part {
	return bash.Part{Var: p.Name, Default: w.parts(*p.Default)}
}

// present is like parts, but empty where a variable without a default is unset.
func (w *words) present(p expr.Path) []bash.Part {
	if !needsVariable(p) {
		return w.parts(p)
	}
	set := []bash.Part{{Var: p.Name}}
	if p.Rest != "" {
		set = append(set, bash.Part{Text: p.Rest})
	}
	return []bash.Part{{Var: p.Name, Present: set}}
}

// orEmpty is a path, or the empty word where a variable without a default is unset.
func (w *words) orEmpty(p expr.Path) bash.Word { return w.keep(bash.Join(w.present(p)...)) }

// needsVariable reports whether a path leads nowhere where its variable is unset.
func needsVariable(p expr.Path) bool { return p.Base == expr.Variable && p.Default == nil }

// fill puts texts into lines of a width.
func fill(texts []string, separator string, width int) []string {
	var lines []string
	for _, text := range texts {
		last := len(lines) - 1
		if last < 0 || len(lines[last])+len(separator)+len(text) > width {
			lines = append(lines, text)
			continue
		}
		lines[last] += separator + text
	}
	return lines
}

// texts are words as bash reads them.
func texts(words []bash.Word) []string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = word.String()
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

func (w *words) path(p expr.Path) bash.Word { return w.keep(bash.Join(w.parts(p)...)) }

// paths are words for the paths of an array. Neighbours in one directory share a word, with
// braces, that is narrower than a line.
func (w *words) paths(all []expr.Path) []bash.Word {
	var words []bash.Word
	for len(all) > 0 {
		n := neighbours(all)
		if n < 3 {
			words = append(words, w.ifSet(all[0]))
			all = all[1:]
			continue
		}
		var names []string
		for _, p := range all[:n] {
			names = append(names, path.Base(p.Rest))
		}
		directory := w.parts(all[0].Above()[0])
		start := w.keep(bash.Join(directory...)).String()
		for _, row := range fill(names, " ", columns-12-len(start)) {
			words = append(words, w.keep(bash.Braces(strings.Fields(row), directory...)))
		}
		all = all[n:]
	}
	return words
}

// ifSet is a path, or no word at all where it leads nowhere.
func (w *words) ifSet(p expr.Path) bash.Word {
	if needsVariable(p) && (p.Rest == "" || simple.MatchString(p.Rest)) {
		return w.keep(bash.IfSet(p.Name, p.Rest))
	}
	return w.path(p)
}

// neighbours counts the paths at the beginning of a list that lie in one
// directory, with plain names.
func neighbours(all []expr.Path) int {
	n := 0
	for ; n < len(all); n++ {
		above := all[n].Above()
		if len(above) == 0 || !bash.IsPlainName(path.Base(all[n].Rest)) || !above[0].Equal(all[0].Above()[0]) {
			break
		}
	}
	return n
}

// mask is a path that is hidden, which may hold a *.
func (w *words) mask(p expr.Path) bash.Word {
	first := strings.Index(p.Rest, "*")
	if first < 0 {
		return w.orEmpty(p)
	}
	split := strings.LastIndex(p.Rest[:first], "/")
	names := p.Rest[split:]
	p.Rest = p.Rest[:split]
	if p.Base == expr.Root {
		return w.keep(bash.Files(p.Rest + names))
	}
	return w.keep(bash.Files(names, w.parts(p)...))
}

func (w *words) assign(name string, value ...bash.Part) bash.Word {
	return w.keep(bash.Assign(name, value...))
}

func (w *words) name(text string) string {
	name, err := bash.Name(text)
	w.note(err)
	return name
}
