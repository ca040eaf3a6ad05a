package main

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/huandu/xstrings"

	"bwrapgen/gen/plan"
)

// planJSON is a plan for programs: its members are named as a profile's keys are, and
// those that say nothing are left out.
func planJSON(p plan.Plan) ([]byte, error) {
	var hosts []string
	for _, d := range p.Allowed {
		hosts = append(hosts, d.String())
	}
	text, err := json.Marshal(struct {
		plan.Plan
		Allowed []string
	}{p, hosts})
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	member(member(tree, "Project"), "Root")["Kind"] = p.Project.Root.Kind.String()
	limits := member(tree, "Limits")
	for name, limit := range map[string]time.Duration{
		"Timeout": p.Limits.Timeout, "KillAfter": p.Limits.KillAfter, "MaxTimeout": p.Limits.MaxTimeout, "CPUTime": p.Limits.CPUTime,
	} {
		if limit > 0 {
			limits[name] = limit.String()
		}
	}
	return asJSON(telling(tree)), nil
}

func member(tree map[string]any, name string) map[string]any { return tree[name].(map[string]any) }

// telling is a value with its members renamed, without those that say nothing.
func telling(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, inner := range value {
			if inner = telling(inner); !silent(inner) {
				kept[xstrings.ToKebabCase(name)] = inner
			}
		}
		return kept
	case []any:
		for i, item := range value {
			value[i] = telling(item)
		}
	}
	return value
}

func silent(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	}
	return slices.Contains([]any{nil, "", "0", false, 0.0}, value)
}
