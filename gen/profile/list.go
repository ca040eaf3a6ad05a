package profile

import (
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/source"
)

// words is a list of texts that replaces the inherited one.
func words(key string, to *[]string) field {
	read := func(r *reader, at string, value any) bool {
		items, ok := r.texts(at, value, checkArgument)
		if len(items) > 0 && items[0].Text == "" {
			r.fail(items[0].Origin.Key, wrong("name the program that is to run", "the command's name is empty"))
		}
		*to = Texts(items)
		return ok
	}
	print := func() string {
		var quoted []string
		for _, text := range *to {
			quoted = append(quoted, source.Quote(text))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return field{key: key, kind: "a list of texts", shape: listOf(typed("string")), read: read, text: print}
}

// Texts are those of the items of a list.
func Texts(items []Item) []string {
	var all []string
	for _, i := range items {
		all = append(all, i.Text)
	}
	return all
}

// list is a list of texts that joins the inherited one.
func list(key string, to *[]Item, check check) field {
	return field{
		key: key, kind: "a list of texts", shape: listOf(typed("string")),
		read: func(r *reader, at string, value any) bool {
			items, _ := r.texts(at, value, check)
			*to = merged(*to, items)
			return false
		},
		elements: func() []element {
			return elements(*to, func(i Item) string { return source.Quote(i.Text) }, Item.origin)
		},
		drop: func(text string, _ document) bool {
			return without(to, func(i Item) bool { return i.Text == text })
		},
	}
}

func (i Item) origin() Origin { return i.Origin }

// element is one line of a list or table.
type element struct {
	text   string
	origin Origin
}

// elements are the lines of a list.
func elements[T any](all []T, text func(T) string, origin func(T) Origin) []element {
	var lines []element
	for _, one := range all {
		lines = append(lines, element{text(one), origin(one)})
	}
	return lines
}

// merged appends what is not there yet.
func merged(old, more []Item) []Item {
	all := slices.Clone(old)
	for _, item := range more {
		if !slices.ContainsFunc(all, func(o Item) bool { return o.Text == item.Text }) {
			all = append(all, item)
		}
	}
	return all
}

// without deletes what matches and reports whether something did.
func without[S ~[]T, T any](list *S, match func(T) bool) bool {
	kept := slices.DeleteFunc(slices.Clone(*list), match)
	found := len(kept) < len(*list)
	*list = kept
	return found
}

// numbers is a list of texts in which a number stands for its digits.
func numbers(f field) field {
	read := f.read
	f.shape = listOf(either(typed("string"), typed("integer")))
	f.read = func(r *reader, at string, value any) bool {
		list, _ := value.([]any)
		list = slices.Clone(list)
		for i, v := range list {
			if n, ok := v.(int64); ok {
				list[i] = strconv.FormatInt(n, 10)
			}
		}
		if list != nil {
			value = list
		}
		return read(r, at, value)
	}
	return f
}

// files is a list of files, which the profile names from where it is itself.
func files(key string, to *[]Item) field {
	f := list(key, to, checkToolFile)
	f.read = func(r *reader, at string, value any) bool {
		items, _ := r.texts(at, value, checkToolFile)
		for i := range items {
			if r.builtin {
				r.fail(items[i].Origin.Key, fileInBuiltin(items[i].Text))
			}
			items[i].Text = r.relative(items[i].Text)
		}
		*to = merged(*to, items)
		return false
	}
	f.drop = func(text string, d document) bool {
		return without(to, func(i Item) bool { return i.Text == text || i.Text == d.relative(text) })
	}
	return f
}

// use is "project", "host" or names; names join inherited ones.
func use(key string, to *Use) field {
	alone := []string{string(UseProject), string(UseHost)}
	f := list(key, &to.Names, checkTool)
	names := f.read
	f.words, f.kind = alone, quotedOr(append(alone, ""))+"a list of texts"
	f.shape = either(map[string]any{"enum": alone}, f.shape)
	f.read = func(r *reader, at string, value any) bool {
		text, isText := value.(string)
		_, isList := value.([]any)
		switch {
		case isList:
			names(r, at, value)
			to.Kind = UseNames
		case !isText:
			r.fail(at, wrongType(value, "a text or a list", `use = "project", or use = ["go", "node"]`))
			return false
		case !slices.Contains(alone, text):
			bad := notOneOf(alone, text)
			if source.Nearest(text, alone) == "" {
				bad.Hint = `or a list of names: use = ["go", "node"]`
			}
			r.fail(at, bad)
			return false
		default:
			*to = Use{Kind: UseKind(text)}
		}
		return true
	}
	f.text = func() string {
		if to.Kind == UseNames {
			return ""
		}
		return source.Quote(string(to.Kind))
	}
	return f
}
