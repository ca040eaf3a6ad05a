package catalogue

import (
	"fmt"
	"maps"
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/source"
)

// settings reads the table of variables to set.
func (r *reader) settings(raw any) []Setting {
	table, ok := raw.(map[string]any)
	if raw != nil && !ok {
		what, hint := wrongType(raw, "a table", `[set], and below it NAME = "value"`)
		r.add("set", what, hint)
	}
	var all []Setting
	for _, name := range slices.Sorted(maps.Keys(table)) {
		key := source.Join("set", name)
		if !variableName.MatchString(name) {
			r.add(key, fmt.Sprintf("is not a variable's name: %q", name), "letters, digits and _, not a digit first")
		}
		all = append(all, r.setting(key, name, table[name]))
	}
	return all
}

// setting reads NAME = "value" or NAME = { value or path, why }.
func (r *reader) setting(key, name string, raw any) Setting {
	table, ok := raw.(map[string]any)
	if !ok {
		return Setting{Name: name, Value: r.str(key, raw)}
	}
	r.unknown(key, table, []string{"value", "path", "why"})
	s := Setting{Name: name, Value: r.str(key+".value", table["value"]), Why: r.str(key+".why", table["why"])}
	if (table["path"] == nil) == (table["value"] == nil) {
		r.add(key, "has not exactly one of value and path", `write NAME = "value", or NAME = { path = "~/.x" }`)
	}
	if text, ok := table["path"].(string); ok {
		p, err := expr.Parse(text)
		if err != nil {
			what, hint := wrongPath(text, err)
			r.add(key+".path", what, hint)
		}
		s.Path = p
	}
	return s
}

func (r *reader) endpoints(raw any) []Endpoint {
	var all []Endpoint
	for i, item := range r.items("endpoints", raw) {
		key := "endpoints" + source.Index(i)
		table, ok := item.(map[string]any)
		if !ok {
			what, hint := wrongType(item, "a table with name and why", `{ name = "tcp:127.0.0.1:80", why = "..." }`)
			r.add(key, what, hint)
			continue
		}
		r.unknown(key, table, []string{"name", "why"})
		e := Endpoint{Name: r.str(key+".name", table["name"]), Why: r.str(key+".why", table["why"])}
		if !endpointName.MatchString(e.Name) {
			r.add(key+".name", fmt.Sprintf("is not tcp:, abstract: or dbus: with an address: %q", e.Name), `write name = "tcp:127.0.0.1:80"`)
		}
		all = append(all, e)
	}
	return all
}
