package profile

import (
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
	places  map[string]Origin // of the document's own entries
	shapes  map[string]Rule
}

// fail reports a problem at a key.
func (r *reader) fail(key string, p problem.Problem) { r.report(r.origin(key), p) }

// read applies every key of the document, in the order of the schema, and
// reports the keys that the schema does not know.
func (r *reader) read() {
	r.shapes = map[string]Rule{}
	known := fields(r.into)
	for _, f := range known {
		if value, ok := lookup(r.source.Values, f.key); ok {
			r.field(f, value)
		}
	}
	r.narrowNetwork()
	r.unknown(Keys())
	r.caches()
}

// lookup finds the value of a key of at most two parts.
func lookup(raw map[string]any, key string) (any, bool) {
	table, rest, nested := strings.Cut(key, ".")
	value, ok := raw[table]
	if !nested {
		return value, ok
	}
	inner, isTable := value.(map[string]any)
	if !isTable {
		return nil, false
	}
	value, ok = inner[rest]
	return value, ok
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
			r.fail(key, unknownTable(name, tables()))
		default:
			r.fail(key, unknownKey(key, append(slices.Clone(known), "extends")))
		}
	}
}

func (r *reader) unknownIn(table string, values map[string]any, known []string) {
	for _, name := range r.source.Names(values, table) {
		_, isTable := values[name].(map[string]any)
		key := source.Join(table, name)
		if !slices.Contains(known, key) && !(table == "caches" && isTable) {
			r.fail(key, unknownKey(key, known))
		}
	}
}

// field reads one value and, where it is right, puts or merges it.
func (r *reader) field(f field, value any) {
	switch to := f.to.(type) {
	case *[]Item:
		r.items(f, to, value)
	case *Rules:
		r.entries(f, value)
	case *[]Link:
		r.links(f, value)
	case *[]Variable:
		r.variables(f, to, value)
	case *[]Expectation:
		r.expectations(f, to, value)
	default:
		if r.scalar(f, value) {
			r.into.Origins[f.key] = r.origin(f.key)
		}
	}
}

// narrowNetwork forgets inherited hosts and ports where the document chooses another
// mode without naming them: a child overrides its parent.
func (r *reader) narrowNetwork() {
	n := &r.into.Network
	forget := func(key string) bool {
		_, mode := lookup(r.source.Values, "network.mode")
		_, named := lookup(r.source.Values, key)
		return mode && !named
	}
	if n.Mode != NetworkAllow && forget("network.allow") {
		n.Allow = nil
	}
	if n.Mode == NetworkAllow || n.Mode == NetworkPrivate {
		return
	}
	if forget("network.publish") {
		n.Publish = nil
	}
	if forget("network.reach") {
		n.Reach = nil
	}
	if forget("network.proxy") {
		n.Proxy = ""
		delete(r.into.Origins, "network.proxy")
	}
}
