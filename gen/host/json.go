package host

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// JSON prints the facts in the form that Read reads. The same facts give the
// same bytes: keys are sorted, one path stands on one line.
func (f Facts) JSON() []byte {
	f = f.mapped(escape)
	f.Version = Version
	paths := f.Paths
	f.Paths = nil
	text := encode(f, "  ")
	if len(paths) == 0 {
		return text
	}
	b := bytes.NewBuffer(bytes.TrimSuffix(text, []byte("\n}\n")))
	comma := ",\n  \"paths\": {"
	for _, key := range slices.Sorted(maps.Keys(paths)) {
		b.WriteString(comma + "\n    ")
		b.Write(bytes.TrimSpace(encode(key, "")))
		b.WriteString(": ")
		b.Write(bytes.TrimSpace(encode(paths[key], "")))
		comma = ","
	}
	b.WriteString("\n  }\n}\n")
	return b.Bytes()
}

// encode is for values of this package's own types, which all can be encoded.
func encode(v any, indent string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		panic("host: " + err.Error())
	}
	return b.Bytes()
}

// mapped is the facts with each of the machine's texts changed.
func (f Facts) mapped(change func(string) string) Facts {
	for _, text := range []*string{&f.OS, &f.Arch, &f.Home, &f.UsernsWhy, &f.Timezone} {
		*text = change(*text)
	}
	f.Markers = each(f.Markers, change)
	for _, p := range []*Program{&f.Bwrap, &f.Bash, &f.Env} {
		*p = Program{change(p.Path), change(p.Version), each(p.Options, change)}
	}
	f.Git = each(f.Git, func(s Setting) Setting {
		s.Path.Rest = change(s.Path.Rest)
		return Setting{change(s.Key), s.Path, change(s.Program)}
	})
	variables, paths := f.Variables, f.Paths
	f.Variables, f.Paths = map[string]string{}, map[string]PathFact{}
	for name, value := range variables {
		f.Variables[change(name)] = change(value)
	}
	for key, fact := range paths {
		fact.Target = change(fact.Target)
		f.Paths[change(key)] = fact
	}
	return f
}

// each is what becomes of each element of a list.
func each[T, U any](list []T, change func(T) U) []U {
	var all []U
	for _, one := range list {
		all = append(all, change(one))
	}
	return all
}
