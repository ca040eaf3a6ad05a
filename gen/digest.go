package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/seccomp"
)

// Digest is a fingerprint of what a command can see, reach and use: the same
// for plans that say the same in other words or another order, and different
// for all others. It covers what the plan decides, paths and variables as the
// expressions that a launcher evaluates; not what a launch finds: which
// optional paths exist, what is in them, what bwrap can do.
func Digest(p plan.Plan) (string, error) {
	program, err := filterProgram(p)
	if err != nil {
		return "", err
	}
	p.Name, p.About, p.Source, p.Command, p.Arches, p.Confirm, p.System.Zone = "", "", "", nil, nil, profile.Confirm{}, ""
	if p.Limits.Timeout == 0 {
		p.Limits.KillAfter, p.Limits.MaxTimeout = 0, 0
	}
	p.Environ.Reasons, p.Hidden, p.Led = nil, plan.Hidden{}, nil
	p.Groups, p.Inside = flat(p.Groups), flat(p.Inside)
	text, err := json.Marshal(struct {
		Plan   plan.Plan
		Filter []byte
	}{p, program})
	if err != nil {
		return "", err
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return "", err
	}
	if text, err = json.Marshal(essence(tree)); err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// filterProgram is the filter of one machine, for the rules of all.
func filterProgram(p plan.Plan) ([]byte, error) {
	level, err := seccomp.ParseLevel(p.Kernel.Seccomp.String())
	if err != nil || level == seccomp.None {
		return nil, err
	}
	return seccomp.Program("x86_64", level, seccomp.Options{NestedUserns: p.Kernel.NestedUserns, Terminal: p.Terminal == profile.TerminalJobControl})
}

// flat is all mounts in one group, since the groups are for readers.
func flat(groups []plan.Group) []plan.Group {
	var all []plan.Mount
	for _, g := range groups {
		all = append(all, g.Mounts...)
	}
	return []plan.Group{{Mounts: all}}
}

// essence is a tree without what is there for people, and with lists in one
// order: the most specific path wins, in whatever order paths are named.
func essence(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		for key, value := range tree {
			switch key {
			case "Origin", "Why", "About", "Tool":
				delete(tree, key)
			default:
				tree[key] = essence(value)
			}
		}
	case []any:
		for i, value := range tree {
			tree[i] = essence(value)
		}
		sortByText(tree)
	}
	return tree
}

// sortByText sorts a list by what its items print.
func sortByText(list []any) {
	type printed struct {
		text []byte
		item any
	}
	texts := make([]printed, len(list))
	for i, item := range list {
		texts[i] = printed{appendTree(nil, item), item}
	}
	slices.SortStableFunc(texts, func(a, b printed) int { return bytes.Compare(a.text, b.text) })
	for i, t := range texts {
		list[i] = t.item
	}
}

// appendTree prints a tree as fmt does, in a fraction of the time.
func appendTree(b []byte, tree any) []byte {
	switch tree := tree.(type) {
	case string:
		return append(b, tree...)
	case []any:
		b = append(b, '[')
		for i, item := range tree {
			if i > 0 {
				b = append(b, ' ')
			}
			b = appendTree(b, item)
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, "map["...)
		for i, key := range slices.Sorted(maps.Keys(tree)) {
			if i > 0 {
				b = append(b, ' ')
			}
			b = append(append(b, key...), ':')
			b = appendTree(b, tree[key])
		}
		return append(b, ']')
	}
	return fmt.Append(b, tree)
}
