package catalogue

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// reader turns one decoded file into a Tool and collects what is wrong.
type reader struct {
	file     string
	source   source.Text
	problems problem.List
}

// add notes a problem at the key.
func (r *reader) add(key, what, hint string) {
	r.problems = append(r.problems, problem.New(what, hint).At(r.file, r.source.Line(key), key))
}

func (r *reader) wrongType(key string, got any, want, example string) {
	r.add(key, fmt.Sprintf("is %s, not %s", source.TypeName(got), want), "write "+example)
}

// reading takes what stands at a key path; nil: nothing does.
type reading func(key string, raw any)

// field is a key that a table may have, and what reads it.
type field struct {
	name string
	read reading
}

// table reads the fields of a table, and reports what else it has.
func (r *reader) table(key string, table map[string]any, fields []field) {
	var known []string
	for _, f := range fields {
		known = append(known, f.name)
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(known, name) {
			r.unknown(source.Join(key, name), name, known)
		}
	}
	for _, f := range fields {
		f.read(source.Join(key, f.name), table[f.name])
	}
}

func (r *reader) unknown(key, name string, known []string) {
	hint := "the keys here are " + strings.Join(known, ", ")
	if near := source.Nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	r.add(key, "unknown key", hint)
}

// value takes what is of one type. Absent, or of another type, it is that type's zero.
func value[T any](r *reader, key string, raw any, want, example string) T {
	v, ok := raw.(T)
	if raw != nil && !ok {
		r.wrongType(key, raw, want, example)
	}
	return v
}

func (r *reader) text(to *string) reading {
	return func(key string, raw any) {
		*to = value[string](r, key, raw, "a text", "it in quotes")
		if strings.ContainsRune(*to, 0) {
			r.add(key, "holds a NUL byte", "take this byte out of the file")
		}
	}
}

func (r *reader) flag(to *bool) reading {
	return func(key string, raw any) { *to = value[bool](r, key, raw, "true or false", "it without quotes") }
}

// word reads one of a closed list of words.
func (r *reader) word(to *string, words ...string) reading {
	return func(key string, raw any) {
		r.text(to)(key, raw)
		if raw == nil || slices.Contains(words, *to) {
			return
		}
		hint := "one of " + strings.Join(words, ", ")
		if near := source.Nearest(*to, words); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		r.add(key, fmt.Sprintf("unknown word: %q", *to), hint)
	}
}

// items reads a list of anything.
func (r *reader) items(key string, raw any) []any {
	return value[[]any](r, key, raw, "a list", "it in brackets: [ ]")
}

func (r *reader) texts(key string, raw any) []string {
	var all []string
	for i, item := range r.items(key, raw) {
		if text, ok := item.(string); ok {
			all = append(all, text)
		} else {
			r.wrongType(key+source.Index(i), item, "a text", "it in quotes")
		}
	}
	return all
}

// names reads a list of names of one form, without repetition.
func (r *reader) names(to *[]string, form *regexp.Regexp) reading {
	return func(key string, raw any) {
		*to = r.texts(key, raw)
		for i, name := range *to {
			at := key + source.Index(i)
			switch {
			case !form.MatchString(name):
				r.add(at, fmt.Sprintf("is not a name: %q", name), "take out what no such name holds")
			case slices.Contains((*to)[:i], name):
				r.add(at, fmt.Sprintf("is listed twice: %q", name), "take one of them out")
			}
		}
	}
}

// parsed is a path expression; false where it is none.
func (r *reader) parsed(key, text string) (expr.Path, bool) {
	p, err := expr.Parse(text)
	if err != nil {
		r.add(key, fmt.Sprintf("%q %v", text, err), "a path begins with /, ~/, ./ or a variable, as in ${CARGO_HOME:-~/.cargo}/bin")
	}
	return p, err == nil
}
