package profile

import (
	"slices"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// variables is environment.set: texts, and paths as { path = "..." }.
func variables(key string, to *[]Variable) field {
	value := object()
	properties(value)["path"] = typed("string")
	return field{
		key: key, kind: "a table", braces: true,
		shape: map[string]any{"type": "object", "additionalProperties": either(typed("string"), value)},
		read: func(r *reader, key string, value any) bool {
			set := slices.Clone(*to)
			r.table(key, value, `set = { CI = "1" }`, func(at, name string, value any) {
				v := Variable{Name: name, Origin: r.origin(at)}
				i := slices.IndexFunc(set, v.isNamed)
				switch {
				case !r.variable(&v, value):
				case i < 0:
					set = append(set, v)
				default:
					set[i] = v
				}
			})
			*to = set
			return false
		},
		elements: func() []element {
			return elements(*to, Variable.toml, func(v Variable) Origin { return v.Origin })
		},
		drop: func(text string, _ document) bool { return without(to, Variable{Name: text}.isNamed) },
	}
}

func (v Variable) isNamed(other Variable) bool { return v.Name == other.Name }

func (r *reader) variable(v *Variable, value any) bool {
	bad := checkVariable(v.Name)
	table, isTable := value.(map[string]any)
	text, isText := value.(string)
	_, hasPath := table["path"]
	switch {
	case bad.What != "":
	case isText:
		v.Text, bad = text, checkArgument(text)
	case !isTable:
		bad = wrongType(value, "a text", v.Name+` = "..." or `+v.Name+` = { path = "~/..." }`)
	case !r.inline(v.Origin.Key, "a variable", table, v.fields()):
		return false
	case !hasPath:
		bad = noPath()
	}
	if bad.What != "" {
		r.fail(v.Origin.Key, bad)
	}
	return bad.What == ""
}

func (v *Variable) fields() []field {
	return []field{pathText("path", &v.Path, func(text string) (bad problem.Problem) {
		v.Path, bad = parseConstant(text)
		return bad
	})}
}

func (v Variable) toml() string {
	if v.Path.IsZero() {
		return v.Name + " = " + source.Quote(v.Text)
	}
	return v.Name + " = " + inline(v.fields())
}
