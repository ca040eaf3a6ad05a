package profile

import (
	"bwrapgen/gen/catalogue"
	"strings"
	"time"
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
	for _, d := range all {
		shape := map[string]any{"description": d.Meaning}
		if d.Default != "" && !strings.HasPrefix(d.Key, "entry.") {
			shape["description"] = d.Meaning + " Default: " + d.Default
		}
		for name, value := range d.shape {
			shape[name] = value
		}
		table, name, nested := strings.Cut(d.Key, ".")
		switch {
		case table == "entry":
			shape["type"] = "string"
			if d.Type == "true or false" {
				shape["type"] = "boolean"
			}
			properties(entry)[name] = shape
		case nested && table == "expect":
			properties(expectation)[name] = shape
		case nested:
			properties(inner(top, table))[name] = shape
		default:
			properties(top)[d.Key] = shape
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

// shape is the JSON Schema of a field's value.
func (f field) shape() map[string]any {
	switch f.to.(type) {
	case *bool:
		return typed("boolean")
	case *int:
		return map[string]any{"type": "integer", "minimum": 0}
	case *time.Duration, *Size:
		return either(typed("string"), typed("integer"))
	case *[]string, *[]Item:
		items := typed("string")
		if f.key == "sockets.pass" {
			items["enum"] = catalogue.SocketNames()
		}
		if f.numbers {
			items = either(items, typed("integer"))
		}
		return listOf(items)
	case *Rules:
		entry := map[string]any{"$ref": "#/$defs/entry"}
		if f.kind == KindCredential {
			return listOf(entry)
		}
		return listOf(either(typed("string"), entry))
	case *[]Link:
		return map[string]any{"type": "object", "additionalProperties": typed("string")}
	case *[]Variable:
		path := object()
		properties(path)["path"] = typed("string")
		return map[string]any{"type": "object", "additionalProperties": either(typed("string"), path)}
	case *[]Expectation:
		return listOf(map[string]any{"$ref": "#/$defs/expectation"})
	case *Use:
		return either(map[string]any{"enum": []string(f.closed())}, listOf(typed("string")))
	case *Root:
		return typed("string")
	}
	if values := f.closed(); len(values) > 0 {
		return map[string]any{"enum": []string(values)}
	}
	return typed("string")
}

// drops is the shape of the table drop.
func drops(all []field) map[string]any {
	top := object()
	for _, key := range listKeys(all) {
		if table, name, nested := strings.Cut(key, "."); nested {
			properties(inner(top, table))[name] = listOf(typed("string"))
		}
	}
	return top
}
