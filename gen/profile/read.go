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
}

// fail reports a problem at a key.
func (r *reader) fail(key string, p problem.Problem) { r.report(r.origin(key), p) }

// read applies every key of the document, in the order of the schema, and
// reports the keys that the schema does not know.
func (r *reader) read() {
	for _, f := range fields(r.into) {
		if value, ok := lookup(r.source.Values, f.key); ok {
			r.field(f, value)
		}
	}
	r.narrowNetwork()
	r.unknown(Keys())
	r.caches()
}

// field reads one value and, where it is right, puts or merges it.
func (r *reader) field(f field, value any) {
	if f.read(r, f.key, value) {
		r.into.Origins[f.key] = r.origin(f.key)
	}
}

// lookup finds the value of a key of at most two parts.
func lookup(raw map[string]any, key string) (any, bool) {
	table, rest, nested := strings.Cut(key, ".")
	value, ok := raw[table]
	if !nested {
		return value, ok
	}
	inner, _ := value.(map[string]any)
	value, ok = inner[rest]
	return value, ok
}

// texts reads a list of texts, each checked; what is wrong is left out.
func (r *reader) texts(key string, value any, check func(text string) problem.Problem) ([]Item, bool) {
	list, ok := value.([]any)
	if !ok {
		r.fail(key, wrongType(value, "a list", lastPart(key)+` = ["..."]`))
		return nil, false
	}
	var items []Item
	for i, v := range list {
		at := key + source.Index(i)
		text, ok := v.(string)
		bad := wrongType(v, "a text", `["..."]`)
		if ok {
			bad = check(text)
		}
		if bad.What != "" {
			r.fail(at, bad)
			continue
		}
		items = append(items, Item{text, r.origin(at)})
	}
	return items, true
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

// unknown reports what is not in the schema, each table once.
func (r *reader) unknown(known []string) {
	for _, name := range r.source.Names(r.source.Values, "") {
		value := r.source.Values[name]
		table, isTable := value.(map[string]any)
		key := source.Join("", name)
		switch {
		case name == "extends", name == "drop", slices.Contains(known, key):
		case slices.Contains(tables(), name) && isTable:
			r.unknownIn(name, table, known)
		case slices.Contains(tables(), name):
			r.fail(name, wrongType(value, "a table", "["+name+"]"))
		case isTable:
			r.fail(key, unknownTable(name))
		default:
			r.fail(key, unknownKey(key, append(slices.Clone(known), "extends")))
		}
	}
}

func (r *reader) unknownIn(table string, values map[string]any, known []string) {
	for _, name := range r.source.Names(values, table) {
		_, isTable := values[name].(map[string]any)
		isTool := table == "caches" && isTable
		if key := source.Join(table, name); !isTool && !slices.Contains(known, key) {
			r.fail(key, unknownKey(key, known))
		}
	}
}

// retired are keys of older versions, and what to write instead. A key of
// [caches.NAME] stands here as one of [caches].
var retired = map[string]string{
	"caches.store":    `leave it out: caches.mode = "ephemeral" is memory, "keep" and "session" are on disk`,
	"caches.fallback": "leave it out: a cache that cannot be overlaid is empty and kept in the store",
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
	hint, near := retired[first+"."+name], nearestKey(key, known)
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

func unknownTable(name string) problem.Problem {
	hint := "the tables are " + strings.Join(tables(), ", ")
	if near := source.Nearest(name, tables()); near != "" {
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
func (r *reader) narrowNetwork() {
	if _, chosen := lookup(r.source.Values, "network.mode"); !chosen {
		return
	}
	n := &r.into.Network
	forget := func(key string, list *[]Item, modes ...NetworkMode) {
		_, named := lookup(r.source.Values, key)
		if !named && !slices.Contains(modes, n.Mode) {
			*list = nil
		}
	}
	forget("network.allow", &n.Allow, NetworkAllow)
	forget("network.publish", &n.Publish, NetworkAllow, NetworkPrivate)
	forget("network.reach", &n.Reach, NetworkAllow, NetworkPrivate)
	if _, named := lookup(r.source.Values, "network.proxy"); !named && !n.own() {
		n.Proxy = ""
		delete(r.into.Origins, "network.proxy")
	}
}

// caches reads the tables [caches.NAME].
func (r *reader) caches() {
	caches, _ := r.source.Values["caches"].(map[string]any)
	for _, name := range r.source.Names(caches, "caches") {
		values, ok := caches[name].(map[string]any)
		key := source.Join("caches", name)
		if !ok || len(values) == 0 || slices.Contains(Keys(), key) {
			continue
		}
		if bad := checkTool(name); bad.What != "" {
			r.fail(key, bad)
			continue
		}
		r.cache(name, key, values)
	}
}

func (r *reader) cache(name, key string, values map[string]any) {
	mode := r.into.Caches.For(name)
	f := cacheField(key, &mode)
	if value, ok := values["mode"]; ok {
		r.field(f, value)
	}
	for _, inner := range r.source.Names(values, key) {
		if at := source.Join(key, inner); at != f.key {
			r.fail(at, unknownKey(at, []string{f.key}))
		}
	}
	tools := map[string]CacheMode{}
	maps.Copy(tools, r.into.Caches.Tools)
	tools[name] = mode
	r.into.Caches.Tools = tools
}

// drop takes out of the inherited lists what the document drops. Dropping what
// is not there is only reported where the inherited profiles are right, since
// it could be there otherwise.
func (r *reader) drop(inheritedRight bool) {
	value, ok := r.source.Values["drop"]
	if !ok {
		return
	}
	const example = `drop.filesystem.read = ["~/.gitconfig"]`
	drops, ok := value.(map[string]any)
	if !ok {
		r.fail("drop", wrongType(value, "a table", example))
	}
	for _, name := range r.source.Names(drops, "drop") {
		table, ok := drops[name].(map[string]any)
		key := source.Join("drop", name)
		switch {
		case slices.Contains(Keys(), name):
			r.fail(key, notADrop(name))
		case !slices.Contains(tables(), name), name == "drop":
			r.fail(key, unknownTable(name))
		case !ok:
			r.fail(key, wrongType(drops[name], "a table", example))
		default:
			r.dropTable(name, table, inheritedRight)
		}
	}
}

func (r *reader) dropTable(name string, table map[string]any, inheritedRight bool) {
	known := fields(r.into)
	for _, inner := range r.source.Names(table, source.Join("drop", name)) {
		key := source.Join(name, inner)
		at := slices.Index(keys(known), key)
		switch {
		case at < 0:
			r.fail("drop."+key, unknownKey(key, listed(known)))
		case known[at].drop == nil:
			r.fail("drop."+key, notADrop(key))
		default:
			r.dropList(known[at], table[inner], inheritedRight)
		}
	}
}

func notADrop(key string) problem.Problem {
	return problem.New("only what a list holds can be dropped", "to change "+key+", write it anew")
}

func (r *reader) dropList(f field, value any, inheritedRight bool) {
	items, _ := r.texts("drop."+f.key, value, func(string) problem.Problem { return problem.Problem{} })
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
