package profile

import (
	"maps"
	"strings"
)

// JSONSchema describes profiles for editors and other programs: draft 2020-12, ready
// to be encoded. It knows keys, types and closed sets; that paths make sense, and
// what agrees with what, only the program itself can tell.
func JSONSchema() (map[string]any, error) {
	all, err := Reference()
	if err != nil {
		return nil, err
	}
	top, entry, expectation := object(), object(), object()
	apart := map[string]map[string]any{"entry": entry, "expect": expectation}
	for _, d := range all {
		shape := map[string]any{"description": d.Meaning}
		if d.Default != "" && !strings.HasPrefix(d.Key, "entry.") {
			shape["description"] = d.Meaning + " Default: " + d.Default
		}
		maps.Copy(shape, d.shape)
		table, name, nested := strings.Cut(d.Key, ".")
		switch {
		case !nested:
			properties(top)[d.Key] = shape
		case apart[table] != nil:
			properties(apart[table])[name] = shape
		default:
			properties(inner(top, table))[name] = shape
		}
	}
	entry["required"] = []string{"path"}
	caches := inner(top, "caches")
	one := object()
	properties(one)["mode"] = properties(caches)["mode"]
	caches["additionalProperties"] = one
	top["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	top["title"] = "A profile of bwrapgen"
	top["$defs"] = map[string]any{"entry": entry, "expectation": expectation}
	return top, nil
}

func typed(name string) map[string]any { return map[string]any{"type": name} }

func listOf(items map[string]any) map[string]any {
	return map[string]any{"type": "array", "items": items}
}

func either(shapes ...any) map[string]any { return map[string]any{"anyOf": shapes} }

// object is a table without keys.
func object() map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{}, "additionalProperties": false}
}

func properties(table map[string]any) map[string]any { return table["properties"].(map[string]any) }

// inner is a table in a table, which is made where it is missing.
func inner(table map[string]any, name string) map[string]any {
	all := properties(table)
	if all[name] == nil {
		all[name] = object()
	}
	return all[name].(map[string]any)
}

// drops is the shape of the table drop.
func drops(all []field) map[string]any {
	top := object()
	for _, key := range listed(all) {
		if table, name, nested := strings.Cut(key, "."); nested {
			properties(inner(top, table))[name] = listOf(typed("string"))
		}
	}
	return top
}
