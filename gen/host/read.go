package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
)

const again = "make it again with: bwrapgen probe"

// Read reads what JSON prints. It is strict: what it does not know, it refuses.
// Every error is a problem.Problem.
func Read(data []byte) (Facts, error) {
	if err := checkVersion(data); err != nil {
		return Facts{}, err
	}
	var f Facts
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return Facts{}, decodeProblem(err)
	}
	var wrong error
	f = f.mapped(func(text string) string {
		plain, err := unescape(text)
		wrong = cmp.Or(wrong, err)
		return plain
	})
	return f, cmp.Or(wrong, f.check())
}

// checkVersion looks at the version before all else, because a newer form may
// have fields that this one does not. It also sees text behind the facts, which
// a Decoder would leave alone.
func checkVersion(data []byte) error {
	var d struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return decodeProblem(err)
	}
	switch {
	case d.Version == nil:
		return problem.Problem{What: "has no version: not the facts about a host", Hint: again}
	case *d.Version > Version:
		return problem.Problem{
			Key:  "version",
			What: fmt.Sprintf("is %d, and this bwrapgen reads %d", *d.Version, Version),
			Hint: "use the bwrapgen that wrote it, or " + again,
		}
	case *d.Version != Version:
		return problem.Problem{Key: "version", What: fmt.Sprintf("is %d, not %d", *d.Version, Version), Hint: again}
	}
	return nil
}

// decodeProblem puts an error of encoding/json into our words.
func decodeProblem(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return problem.Problem{Key: kind.Field, What: "is of the wrong type: " + kind.Value, Hint: again}
	}
	what := strings.TrimPrefix(err.Error(), "json: ")
	if field, ok := strings.CutPrefix(what, "unknown field "); ok {
		return problem.Problem{What: "unknown key: " + field, Hint: "remove it, or " + again}
	}
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		what = "is not JSON: " + what
	}
	return problem.Problem{What: what, Hint: again}
}

// check looks at what the types do not say, in the order of the text.
func (f Facts) check() error {
	if f.Home != "" && !path.IsAbs(f.Home) {
		return relative("home", f.Home)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Variables)) {
		if !path.IsAbs(f.Variables[name]) {
			return relative(fmt.Sprintf("variables.%q", name), f.Variables[name])
		}
	}
	for _, s := range f.Git {
		if _, err := expr.Parse(s.Path.String()); err != nil {
			return problem.Problem{Key: fmt.Sprintf("git.%q", s.Path), What: err.Error(), Hint: again}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(f.Paths)) {
		if err := checkPath(key, f.Paths[key]); err != nil {
			return err
		}
	}
	return nil
}

func checkPath(key string, fact PathFact) error {
	where := fmt.Sprintf("paths.%q", key)
	p, err := expr.Parse(key)
	if err != nil {
		return problem.Problem{Key: where, What: err.Error(), Hint: "a path begins with /, ~/, ./ or a variable"}
	}
	if p.String() != key {
		return problem.Problem{Key: where, What: "is not in its shortest form", Hint: fmt.Sprintf("write %q", p)}
	}
	if !slices.Contains(kinds, string(fact.Kind)) {
		return problem.Problem{Key: where, What: fmt.Sprintf("unknown kind: %q", fact.Kind), Hint: "one of " + strings.Join(kinds, ", ")}
	}
	if fact.Target != "" && !path.IsAbs(fact.Target) {
		return relative(where+".target", fact.Target)
	}
	if fact.Size < 0 {
		return problem.Problem{Key: where + ".size", What: fmt.Sprintf("is negative: %d", fact.Size), Hint: again}
	}
	return nil
}

func relative(key, value string) error {
	return problem.Problem{Key: key, What: fmt.Sprintf("is not an absolute path: %q", value), Hint: "write one that begins with /"}
}
