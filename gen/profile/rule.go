package profile

import (
	"maps"
	"slices"
	"strings"
)

// rules reads the tables [caches.NAME].
func (r *reader) rules() {
	caches, _ := r.raw["caches"].(map[string]any)
	for _, name := range r.keys(caches, "caches") {
		values, ok := caches[name].(map[string]any)
		key := join("caches", name)
		if !ok || len(values) == 0 || slices.Contains(Keys(), key) {
			continue
		}
		if f := checkTool(name); f.what != "" {
			r.fail(key, f)
			continue
		}
		r.rule(name, key, values)
	}
}

func (r *reader) rule(name, key string, values map[string]any) {
	tools := maps.Clone(r.into.Caches.Tools)
	if tools == nil {
		tools = map[string]CacheRule{}
	}
	rule := tools[name]
	var known []string
	for _, f := range ruleFields(key, &rule) {
		known = append(known, f.key)
		if value, ok := values[strings.TrimPrefix(f.key, key+".")]; ok {
			r.field(f, value)
		}
	}
	for _, inner := range r.keys(values, key) {
		if !slices.Contains(known, join(key, inner)) {
			r.fail(join(key, inner), unknownKey(join(key, inner), known))
		}
	}
	tools[name] = rule
	r.into.Caches.Tools = tools
}
