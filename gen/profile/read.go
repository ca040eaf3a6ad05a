package profile

import (
	"maps"
	"slices"
	"strings"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// reader applies one document to the profile that its parents made.
type reader struct {
	document
	into    *Profile
	dropped map[string]bool // what earlier documents dropped
	report  func(Origin, problem.Problem)
	places  map[string]Rule // the document's own rules
	tables  []string        // of the schema
}

// fail reports a problem at a key.
func (r *reader) fail(key string, p problem.Problem) { r.report(r.origin(key), p) }

// read applies every key of the document, in the order of the schema, and
// reports the keys that the schema does not know.
func (r *reader) read() {
	caches, _ := r.source.Values["caches"].(map[string]any)
	for name, value := range caches {
		if table, _ := value.(map[string]any); len(table) > 0 {
			r.into.Caches.add(name)
		}
	}
	known := fields(r.into)
	values := map[string]any{}
	r.leaves(values, "", r.source.Values)
	for _, f := range known {
		value, ok := values[f.key]
		if ok && f.read(r, f.key, value) {
			r.into.Origins[f.key] = r.origin(f.key)
		}
	}
	r.narrowNetwork(values)
	delete(values, "drop")
	names := append(keys(known), "extends")
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, key) {
			r.unknown(key, key, values[key], names)
		}
	}
}

// leaves finds what stands in a table by its key, in those of the schema and of single
// tools, too.
func (r *reader) leaves(all map[string]any, path string, table map[string]any) {
	for name, value := range table {
		key := source.Join(path, name)
		inner, isTable := value.(map[string]any)
		isKnown := name != "drop" && slices.Contains(r.tables, strings.TrimPrefix(key, "drop."))
		if isTable && (isKnown || path == "caches") {
			r.leaves(all, key, inner)
			continue
		}
		all[key] = value
	}
}

// unknown reports what the schema does not know, by its name there.
func (r *reader) unknown(key, name string, value any, known []string) {
	_, isTable := value.(map[string]any)
	outer, _, _ := strings.Cut(name, ".")
	isInner := slices.Contains(r.tables, outer) && outer != name
	switch {
	case isTable && !isInner:
		r.fail(key, r.unknownTable(name))
	case slices.Contains(r.tables, name):
		r.fail(key, wrongType(value, "a table", "["+name+"]"))
	default:
		r.fail(key, unknownKey(name, known))
	}
}

// list reads a list, element by element.
func (r *reader) list(key string, value any, each func(at string, v any)) bool {
	list, ok := value.([]any)
	if !ok {
		r.fail(key, wrongType(value, "a list", lastPart(key)+` = ["..."]`))
	}
	for i, v := range list {
		each(key+source.Index(i), v)
	}
	return ok
}

// table reads a table of names that are free, in the order of the document.
func (r *reader) table(key string, value any, example string, each func(at, name string, v any)) {
	table, ok := value.(map[string]any)
	if !ok {
		r.fail(key, wrongType(value, "a table", example))
	}
	for _, name := range r.source.Names(table, key) {
		each(source.Join(key, name), name, table[name])
	}
}

// texts reads a list of texts, each checked; what is wrong is left out.
func (r *reader) texts(key string, value any, check check) ([]Item, bool) {
	var items []Item
	ok := r.list(key, value, func(at string, v any) {
		text, isText := v.(string)
		bad := wrongType(v, "a text", `["..."]`)
		if isText {
			bad = check(text)
		}
		if bad.What != "" {
			r.fail(at, bad)
			return
		}
		items = append(items, Item{text, r.origin(at)})
	})
	return items, ok
}

// inline reads a table in one line, key by key, and reports whether all is right.
func (r *reader) inline(key, what string, table map[string]any, known []field) bool {
	good := true
	for _, name := range r.source.Names(table, key) {
		at := source.Join(key, name)
		i := slices.Index(keys(known), name)
		if i < 0 {
			r.fail(at, wrong(what+" here knows "+strings.Join(keys(known), ", "), "unknown key in %s: %q", what, name))
			good = false
			continue
		}
		good = known[i].read(r, at, table[name]) && good
	}
	return good
}

// inline prints a table in one line, without what says nothing.
func inline(fields []field) string {
	var parts []string
	for _, f := range fields {
		if text := f.text(); !slices.Contains([]string{`""`, "[]", "0", "false"}, text) {
			parts = append(parts, f.key+" = "+text)
		}
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// removed maps keys of older versions to what to write instead. A key of
// [caches.NAME] is listed as one of [caches].
var removed = map[string]string{
	"kernel.require":  "removed in 0.1: leave it out; a launcher refuses to start where it cannot keep a promise",
	"caches.store":    `removed in 0.1: leave it out; caches.mode = "ephemeral" is memory, "keep" and "session" are on disk`,
	"caches.fallback": "removed in 0.1: leave it out; a cache that cannot be overlaid is empty and kept in the store",
}

func unknownKey(key string, known []string) problem.Problem {
	table, name := splitKey(key)
	first, _, _ := strings.Cut(table, ".")
	var same []string
	for _, k := range known {
		if t, name := splitKey(k); t == table {
			same = append(same, name)
		}
	}
	hint, near := removed[first+"."+name], nearestKey(key, known)
	switch {
	case hint != "":
	case near != "":
		hint = "did you mean " + near + "?"
	case table == "":
		hint = "outside of tables stand " + strings.Join(same, ", ")
	case len(same) > 0:
		hint = "[" + table + "] knows " + strings.Join(same, ", ")
	}
	return problem.New("unknown key", hint)
}

// nearestKey also finds a key that stands in another table.
func nearestKey(key string, known []string) string {
	if near := source.Nearest(key, known); near != "" {
		return near
	}
	i := slices.IndexFunc(known, func(k string) bool { return lastPart(k) == lastPart(key) })
	if i < 0 {
		return ""
	}
	return known[i]
}

func (r *reader) unknownTable(name string) problem.Problem {
	hint := "the tables are " + strings.Join(r.tables, ", ")
	if near := source.Nearest(name, r.tables); near != "" {
		hint = "did you mean [" + near + "]?"
	}
	return problem.New("unknown table", hint)
}

// splitKey cuts a key at its last part, which is never quoted.
func splitKey(key string) (table, name string) {
	at := strings.LastIndexByte(key, '.')
	return key[:max(at, 0)], key[at+1:]
}

func lastPart(key string) string {
	_, name := splitKey(key)
	return name
}

// narrowNetwork forgets inherited hosts and ports where the document chooses another
// mode without naming them: a child overrides its parent.
func (r *reader) narrowNetwork(values map[string]any) {
	if values["network.mode"] == nil {
		return
	}
	n := &r.into.Network
	forget := func(key string, list *[]Item, modes ...NetworkMode) {
		if values[key] == nil && !slices.Contains(modes, n.Mode) {
			*list = nil
		}
	}
	forget("network.allow", &n.Allow, NetworkAllow)
	forget("network.publish", &n.Publish, NetworkAllow, NetworkPrivate)
	forget("network.reach", &n.Reach, NetworkAllow, NetworkPrivate)
	if values["network.proxy"] == nil && !n.own() {
		n.Proxy = ""
		delete(r.into.Origins, "network.proxy")
	}
}

// drop takes out of the inherited lists what the document drops. Dropping what
// is not there is only reported where the inherited profiles are right, since
// it could be there otherwise.
func (r *reader) drop(inheritedRight bool) {
	value, ok := r.source.Values["drop"]
	drops, isTable := value.(map[string]any)
	if ok && !isTable {
		r.fail("drop", wrongType(value, "a table", `drop.filesystem.read = ["~/.gitconfig"]`))
	}
	known := fields(r.into)
	values := map[string]any{}
	r.leaves(values, "drop", drops)
	for _, at := range slices.Sorted(maps.Keys(values)) {
		key := strings.TrimPrefix(at, "drop.")
		i := slices.Index(keys(known), key)
		switch {
		case i < 0:
			r.unknown(at, key, values[at], listed(known))
		case known[i].drop == nil:
			r.fail(at, problem.New("only what a list holds can be dropped", "to change "+key+", write it anew"))
		default:
			r.dropList(at, known[i], values[at], inheritedRight)
		}
	}
}

func (r *reader) dropList(key string, f field, value any, inheritedRight bool) {
	items, _ := r.texts(key, value, every())
	for _, item := range items {
		mark := f.key + "\x00" + item.Text
		if f.drop(item.Text, r.document) {
			r.dropped[mark] = true
			continue
		}
		// A sibling may have dropped what both inherit.
		if inheritedRight && !r.dropped[mark] {
			r.report(item.Origin, wrong("the inherited "+f.key+" does not hold it; profiles show --resolved lists what it holds",
				"drops what is not there: %q", item.Text))
		}
	}
}
