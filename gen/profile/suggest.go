package profile

import (
	"strings"

	"bwrapgen/gen/source"
)

// nearestKey also finds a key that stands in another table.
func nearestKey(key string, known []string) string {
	last := key[strings.LastIndexByte(key, '.')+1:]
	if near := source.Nearest(key, known); near != "" {
		return near
	}
	for _, k := range known {
		if k[strings.LastIndexByte(k, '.')+1:] == last {
			return k
		}
	}
	return ""
}
