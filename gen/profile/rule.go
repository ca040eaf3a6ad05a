package profile

import (
	"maps"
	"slices"
	"strings"

	"bwrapgen/gen/source"
)

// rules reads the tables [caches.NAME].
func (r *reader) rules() {
	caches, _ := r.source.Values["caches"].(map[string]any)
	for _, name := range r.source.Names(caches, "caches") {
		values, ok := caches[name].(map[string]any)
		key := source.Join("caches", name)
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
	for _, inner := range r.source.Names(values, key) {
		if !slices.Contains(known, source.Join(key, inner)) {
			r.fail(source.Join(key, inner), unknownKey(source.Join(key, inner), known))
		}
	}
	tools[name] = rule
	r.into.Caches.Tools = tools
}
