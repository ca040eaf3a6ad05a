package gen

import (
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
	p.Name, p.About, p.Source, p.Command, p.Arches, p.Confirm, p.System.Zone = "", "", "", nil, nil, profile.Default().Confirm, ""
	if p.Limits.Timeout == 0 {
		p.Limits.KillAfter, p.Limits.MaxTimeout = 0, 0
	}
	p.Mounts = p.Mounts.Where(func(m plan.Mount) bool { return m.View() || m.Scope != plan.ScopeBase }) // the host shows it
	p.OldBwrap, p.Project.Unknown = false, nil
	p.Environ.Reasons, p.Environ.Wanted, p.Open, p.Revealed = nil, nil, nil, plan.Revealed{}
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
	reduce(tree)
	if text, err = json.Marshal(tree); err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// filterProgram is the filter of one machine, for the rules of all.
func filterProgram(p plan.Plan) ([]byte, error) {
	level := seccomp.Level(p.Kernel.Seccomp)
	if level == seccomp.None {
		return nil, nil
	}
	return seccomp.Program("x86_64", level, FilterOptions(p))
}

// reduce takes out of a value, as JSON has it, what is there for people, and puts lists
// in one order: the most specific path wins, in whatever order paths are named.
func reduce(tree any) {
	switch tree := tree.(type) {
	case map[string]any:
		for _, name := range []string{"Origin", "Why", "About", "Tool"} {
			delete(tree, name)
		}
		for _, inner := range tree {
			reduce(inner)
		}
	case []any:
		for _, item := range tree {
			reduce(item)
		}
		sortByText(tree)
	}
}

// sortByText sorts a list by what its items print.
func sortByText(list []any) {
	texts := make(map[string][]any, len(list))
	for _, item := range list {
		text := fmt.Sprint(item)
		texts[text] = append(texts[text], item)
	}
	i := 0
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		i += copy(list[i:], texts[text])
	}
}
