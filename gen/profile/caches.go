package profile

import (
	"maps"
	"slices"

	"bwrapgen/gen/source"
)

// caches reads the tables [caches.NAME].
func (r *reader) caches() {
	caches, _ := r.source.Values["caches"].(map[string]any)
	for _, name := range r.source.Names(caches, "caches") {
		values, ok := caches[name].(map[string]any)
		key := source.Join("caches", name)
		if !ok || len(values) == 0 || slices.Contains(Keys(), key) {
			continue
		}
		if f := checkTool(name); f.What != "" {
			r.fail(key, f)
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
