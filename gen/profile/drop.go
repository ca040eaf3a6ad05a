package profile

import (
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/source"
)

// drop takes out of the inherited lists what the document drops. Dropping what
// is not there is only reported where the inherited profiles are right, since
// it could be there otherwise.
func (r *reader) drop(inheritedRight bool) {
	value, ok := r.source.Values["drop"]
	if !ok {
		return
	}
	drops, ok := value.(map[string]any)
	if !ok {
		r.fail("drop", wrongType(value, "a table", `drop.filesystem.read = ["~/.gitconfig"]`))
		return
	}
	for _, name := range r.source.Names(drops, "drop") {
		table, ok := drops[name].(map[string]any)
		key := source.Join("drop", name)
		switch {
		case slices.Contains(Keys(), name):
			r.fail(key, notADrop(name))
		case !slices.Contains(tables(), name), name == "drop":
			r.fail(key, unknownTable(name, tables()))
		case !ok:
			r.fail(key, wrongType(drops[name], "a table", `drop.filesystem.read = ["~/.gitconfig"]`))
		default:
			r.dropTable(name, table, inheritedRight)
		}
	}
}

func (r *reader) dropTable(name string, table map[string]any, inheritedRight bool) {
	known := fields(r.into)
	for _, inner := range r.source.Names(table, source.Join("drop", name)) {
		key := source.Join(source.Join("", name), inner)
		at := slices.IndexFunc(known, func(f field) bool { return f.key == key })
		switch {
		case at < 0:
			r.fail(source.Join("drop."+name, inner), unknownKey(key, listKeys(known)))
		case !known[at].isList():
			r.fail("drop."+key, notADrop(key))
		default:
			r.dropList(known[at], table[inner], inheritedRight)
		}
	}
}

// listKeys are the keys that can be dropped from.
func listKeys(known []field) []string {
	var keys []string
	for _, f := range known {
		if f.isList() {
			keys = append(keys, f.key)
		}
	}
	return keys
}

func (r *reader) dropList(f field, value any, inheritedRight bool) {
	for _, item := range r.texts(field{}, "drop."+f.key, value) {
		mark := f.key + "\x00" + item.Text
		if f.remove(item.Text, r.document) {
			r.dropped[mark] = true
			continue
		}
		// A sibling may have dropped what both inherit.
		if inheritedRight && !r.dropped[mark] {
			r.report(item.Origin, dropsAbsent(item.Text, f.key))
		}
	}
}

// remove takes an element out of a list and reports whether it was there.
func (f field) remove(text string, d document) bool {
	switch to := f.to.(type) {
	case *Rules:
		return without(to, func(e Rule) bool { return e.Key == f.key && meant(e.Path, text, inProject(f.key)) })
	case *[]Link:
		return without(to, func(l Link) bool { return meant(l.Path, text, false) })
	case *[]Variable:
		return without(to, func(v Variable) bool { return v.Name == text })
	case *[]Item:
		file := f.key == "toolchains.files"
		return without(to, func(i Item) bool { return i.Text == text || file && i.Text == d.relative(text) })
	case *Use:
		return without(&to.Names, func(i Item) bool { return i.Text == text })
	}
	return false
}

// without deletes what matches and reports whether something did.
func without[S ~[]T, T any](list *S, match func(T) bool) bool {
	kept := slices.DeleteFunc(slices.Clone(*list), match)
	found := len(kept) < len(*list)
	*list = kept
	return found
}

// meant reports whether a text, with or without its suffix, names a path.
func meant(p expr.Path, text string, project bool) bool {
	for _, t := range []string{text, strings.TrimRight(text, "?!")} {
		e := Rule{}
		if e.parsePath(t, project).What == "" && e.Path.Equal(p) {
			return true
		}
	}
	return false
}
