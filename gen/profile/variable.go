package profile

import (
	"errors"
	"maps"
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// variables reads environment.set: texts, and paths as { path = "..." }.
func (r *reader) variables(f field, to *[]Variable, value any) {
	table, ok := value.(map[string]any)
	if !ok {
		r.fail(f.key, wrongType(value, "a table", `set = { CI = "1" }`))
		return
	}
	set := slices.Clone(*to)
	for _, name := range r.source.Names(table, f.key) {
		v, ok := r.variable(source.Join(f.key, name), name, table[name])
		if !ok {
			continue
		}
		at := slices.IndexFunc(set, func(o Variable) bool { return o.Name == name })
		if at >= 0 {
			set[at] = v
		} else {
			set = append(set, v)
		}
	}
	*to = set
}

func (r *reader) variable(key, name string, value any) (Variable, bool) {
	v := Variable{Name: name, Origin: r.origin(key)}
	if bad := checkVariable(name); bad.What != "" {
		r.fail(key, bad)
		return v, false
	}
	var bad problem.Problem
	switch value := value.(type) {
	case string:
		v.Text, bad = value, checkArgument(value)
	case map[string]any:
		v.Path, bad = pathValue(value)
	default:
		bad = wrongType(value, "a text", name+` = "..." or `+name+` = { path = "~/..." }`)
	}
	if bad.What != "" {
		r.fail(key, bad)
	}
	return v, bad.What == ""
}

var errDollar = errors.New("has a variable that does not stand at its beginning")

// pathValue reads { path = "..." }.
func pathValue(values map[string]any) (expr.Path, problem.Problem) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != "path" {
			return expr.Path{}, entryKey(name, []string{"path"})
		}
	}
	value, ok := values["path"]
	text, isText := value.(string)
	switch {
	case !ok:
		return expr.Path{}, noPath()
	case !isText:
		return expr.Path{}, wrongType(value, "a text", `path = "~/..."`)
	}
	p, err := parse(text)
	if err == nil && dollar(p) {
		err = errDollar
	}
	if err != nil {
		return expr.Path{}, badPath(err, text)
	}
	return p, problem.Problem{}
}
