package catalogue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// str reads a text. Absent is empty.
func (r *reader) str(key string, raw any) string {
	text, ok := raw.(string)
	switch {
	case raw != nil && !ok:
		what, hint := wrongType(raw, "a text", "it in quotes")
		r.add(key, what, hint)
	case strings.ContainsRune(text, 0):
		r.add(key, "holds a NUL byte", "take this byte out of the file")
	}
	return text
}

func (r *reader) flag(key string, raw any) bool {
	value, ok := raw.(bool)
	if raw != nil && !ok {
		what, hint := wrongType(raw, "true or false", "it without quotes")
		r.add(key, what, hint)
	}
	return value
}

// word reads one of a closed list of words and gives its index. Absent is the
// first, which may be the empty word.
func (r *reader) word(key string, raw any, words ...string) int {
	text := r.str(key, raw)
	if raw == nil {
		return 0
	}
	i := slices.Index(words, text)
	if i < 0 || text == "" {
		what, hint := wrongWord(text, slices.DeleteFunc(words, func(w string) bool { return w == "" }))
		r.add(key, what, hint)
		return 0
	}
	return i
}

// items reads a list of anything.
func (r *reader) items(key string, raw any) []any {
	list, ok := raw.([]any)
	if ok || raw == nil {
		return list
	}
	what, hint := wrongType(raw, "a list", "it in brackets: [ ]")
	r.add(key, what, hint)
	return nil
}

func (r *reader) strings(key string, raw any) []string {
	var all []string
	for i, item := range r.items(key, raw) {
		text, ok := item.(string)
		if !ok {
			what, hint := wrongType(item, "a text", "it in quotes")
			r.add(key+source.Index(i), what, hint)
			continue
		}
		all = append(all, text)
	}
	return all
}

// names reads a list of names of one form, without repetition.
func (r *reader) names(key string, raw any, form *regexp.Regexp) []string {
	all := r.strings(key, raw)
	for i, name := range all {
		at := key + source.Index(i)
		switch {
		case !form.MatchString(name):
			r.add(at, fmt.Sprintf("is not a name: %q", name), "take out what no such name holds")
		case slices.Contains(all[:i], name):
			r.add(at, fmt.Sprintf("is listed twice: %q", name), "take one of them out")
		}
	}
	return all
}

// add notes a problem at the key.
func (r *reader) add(key, what, hint string) {
	r.problems = append(r.problems, problem.New(what, hint).At(r.file, r.source.Line(key), key))
}
