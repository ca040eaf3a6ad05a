package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
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
	p.Environ.Reasons, p.Environ.Wanted, p.Hidden, p.Led, p.Plain, p.Revealed = nil, nil, plan.Hidden{}, nil, nil, plan.Revealed{}
	p.Groups, p.Inside = oneGroup(p.Groups), oneGroup(p.Inside) // groups are for readers
	text, err := json.Marshal(essence(reflect.ValueOf(struct {
		Plan   plan.Plan
		Filter []byte
	}{p, program})))
	if err != nil {
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
	return seccomp.Program("x86_64", level, FilterOptions(p))
}

func oneGroup(groups []plan.Group) []plan.Group {
	return []plan.Group{{Mounts: flat(groups)}}
}

// essence is a value as the tree that its JSON would be read as, without what is
// there for people, and with lists in one order: the most specific path wins, in
// whatever order paths are named.
func essence(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		if v.IsNil() {
			return nil
		}
	}
	switch value := v.Interface().(type) {
	case encoding.TextMarshaler:
		if text, err := value.MarshalText(); err == nil {
			return string(text)
		}
	case []byte:
		return base64.StdEncoding.EncodeToString(value)
	}
	switch v.Kind() {
	case reflect.Struct:
		return members(v)
	case reflect.Pointer:
		return essence(v.Elem())
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = essence(v.Index(i))
		}
		sortByText(list)
		return list
	case reflect.Map:
		tree := map[string]any{}
		for key, value := range v.Seq2() {
			tree[key.String()] = essence(value)
		}
		return tree
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	}
	return v.Convert(reflect.TypeFor[float64]()).Float()
}

// members are the fields of a struct, by their names.
func members(v reflect.Value) map[string]any {
	tree := make(map[string]any, v.NumField())
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch {
		case !field.IsExported(), field.Tag.Get("json") == ",omitempty" && v.Field(i).IsZero():
		case field.Name == "Origin", field.Name == "Why", field.Name == "About", field.Name == "Tool":
		default:
			tree[field.Name] = essence(v.Field(i))
		}
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
