package catalogue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// str reads a text. Absent is empty.
func (r *reader) str(key string, raw any) string {
	text, ok := raw.(string)
	switch {
	case raw != nil && !ok:
		what, hint := wrongType(raw, "a text", "it in quotes")
		r.add(key, "", what, hint)
	case strings.ContainsRune(text, 0):
		r.add(key, "", "holds a NUL byte", "take this byte out of the file")
	}
	return text
}

func (r *reader) flag(key string, raw any) bool {
	value, ok := raw.(bool)
	if raw != nil && !ok {
		what, hint := wrongType(raw, "true or false", "it without quotes")
		r.add(key, "", what, hint)
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
		r.add(key, text, what, hint)
		return 0
	}
	return i
}

// items reads a list of anything.
func (r *reader) items(key string, raw any) []any {
	switch list := raw.(type) {
	case nil:
		return nil
	case []any:
		return list
	case []map[string]any:
		all := make([]any, len(list))
		for i, table := range list {
			all[i] = table
		}
		return all
	}
	what, hint := wrongType(raw, "a list", "it in brackets: [ ]")
	r.add(key, "", what, hint)
	return nil
}

func (r *reader) strings(key string, raw any) []string {
	var all []string
	for i, item := range r.items(key, raw) {
		text, ok := item.(string)
		if !ok {
			what, hint := wrongType(item, "a text", "it in quotes")
			r.add(fmt.Sprintf("%s[%d]", key, i), "", what, hint)
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
		at := fmt.Sprintf("%s[%d]", key, i)
		switch {
		case !form.MatchString(name):
			r.add(at, name, fmt.Sprintf("is not a name: %q", name), "take out what no such name holds")
		case slices.Contains(all[:i], name):
			r.add(at, name, fmt.Sprintf("is listed twice: %q", name), "take one of them out")
		}
	}
	return all
}

// add notes a problem at the key, near the value where one is given.
func (r *reader) add(key, value, what, hint string) {
	r.problems = append(r.problems, Problem{
		File: r.file, Line: line(r.text, key, value), Key: key, What: what, Hint: hint,
	})
}

// line finds the line of a key of one of these files: the line on which the
// outermost key stands or, where it is found from there on, the one that holds
// the value. The TOML library keeps positions to itself.
func line(text, key, value string) int {
	if key == "" {
		return 0
	}
	outer, _, _ := strings.Cut(key, ".")
	outer, _, _ = strings.Cut(outer, "[")
	start := regexp.MustCompile(`(?m)^[ \t]*\[{0,2}"?` + regexp.QuoteMeta(outer) + `"?[\s.=\]]`).FindStringIndex(text)
	if start == nil {
		return 0
	}
	at := start[0]
	if value != "" {
		if i := strings.Index(text[at:], value); i >= 0 {
			at += i
		}
	}
	return 1 + strings.Count(text[:at], "\n")
}
