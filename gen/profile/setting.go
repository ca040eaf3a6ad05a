package profile

import (
	"encoding"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"bwrapgen/gen/source"
)

// setting is one key of a merged profile, as it is printed.
type setting struct {
	field    field
	text     string    // of the value, in TOML; of lists: "" or "[...]"
	elements []element // of lists and tables
	origin   Origin    // of the value, or of the first element
	written  bool      // by some file; otherwise a default
}

// element is one line of a list or table.
type element struct {
	text   string
	origin Origin
}

// settings are all keys of the profile, those of single tools included.
func (p Profile) settings() []setting {
	known := fields(&p)
	for _, name := range slices.Sorted(maps.Keys(p.Caches.Tools)) {
		mode := p.Caches.Tools[name]
		known = append(known, cacheField(source.Join("caches", name), &mode))
	}
	all := make([]setting, 0, len(known))
	for _, f := range known {
		all = append(all, f.setting(p.Origins))
	}
	return all
}

func (f field) setting(origins map[string]Origin) setting {
	s := setting{field: f, elements: f.elements()}
	s.origin, s.written = origins[f.key]
	s.text = f.scalar()
	if s.text == "" {
		opening := f.brackets()
		s.text = opening
		if len(s.elements) > 0 {
			s.text = opening[:1] + "..." + opening[1:]
			s.origin, s.written = s.elements[0].origin, true
		}
	}
	return s
}

// brackets of the field's list or table.
func (f field) brackets() string {
	switch f.to.(type) {
	case *[]Link, *[]Variable:
		return "{}"
	}
	return "[]"
}

// scalar prints a value that stands in one line; of others, nothing.
func (f field) scalar() string {
	switch to := f.to.(type) {
	case *[]Item, *Rules, *[]Link, *[]Variable, *[]Expectation:
		return ""
	case *string:
		return source.Quote(*to)
	case *[]string:
		return quoteAll(*to)
	case *bool:
		return strconv.FormatBool(*to)
	case *int:
		return strconv.Itoa(*to)
	case *time.Duration:
		if *to == 0 {
			return `""`
		}
		return source.Quote(formatDuration(*to))
	case *Size:
		if *to == 0 {
			return `""`
		}
		return source.Quote(to.String())
	case *Root:
		if to.Kind == RootPath {
			return source.Quote(to.Path.String())
		}
		return source.Quote(to.Kind.String())
	case *Use:
		if to.Kind == UseNames {
			return ""
		}
		return source.Quote(to.Kind.String())
	case encoding.TextMarshaler:
		text, err := to.MarshalText()
		if err == nil {
			return source.Quote(string(text))
		}
	}
	panic("profile: no text for " + f.key)
}

// elements prints the elements of a list or table.
func (f field) elements() []element {
	var all []element
	switch to := f.to.(type) {
	case *[]Item:
		for _, i := range *to {
			all = append(all, element{source.Quote(i.Text), i.Origin})
		}
	case *Use:
		for _, i := range to.Names {
			all = append(all, element{source.Quote(i.Text), i.Origin})
		}
	case *Rules:
		for _, e := range to.under(f.key) {
			all = append(all, element{e.toml(inProject(f.key)), e.Origin})
		}
	case *[]Link:
		for _, l := range *to {
			all = append(all, element{source.Join("", l.Path.String()) + " = " + source.Quote(l.Target), l.Origin})
		}
	case *[]Variable:
		for _, v := range *to {
			all = append(all, element{v.toml(), v.Origin})
		}
	case *[]Expectation:
		for _, e := range *to {
			all = append(all, element{e.toml(), e.Origin})
		}
	}
	return all
}

// toml prints the short form where it says all, else the table.
func (e Rule) toml(project bool) string {
	path := e.Path.String()
	if e.Dir {
		path += "/"
	}
	short := path
	if e.Optional {
		short += "?"
	}
	if e.Create {
		short += "!"
	}
	if project {
		short = strings.TrimPrefix(short, "./")
	}
	again := Rule{Kind: e.Kind}
	if again.parse(short, project).What == "" && again.equal(e) && e.Kind != KindCredential {
		return source.Quote(short)
	}
	parts := []string{"path = " + source.Quote(path)}
	if !e.At.IsZero() {
		parts = append(parts, "at = "+source.Quote(e.At.String()))
	}
	if e.Optional {
		parts = append(parts, "optional = true")
	}
	switch {
	case e.Content != "":
		parts = append(parts, "content = "+source.Quote(e.Content))
	case e.Create:
		parts = append(parts, "create = true")
	}
	if e.Links {
		parts = append(parts, "links = true")
	}
	if e.Why != "" {
		parts = append(parts, "why = "+source.Quote(e.Why))
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func (v Variable) toml() string {
	if v.Path.IsZero() {
		return v.Name + " = " + source.Quote(v.Text)
	}
	return v.Name + " = { path = " + source.Quote(v.Path.String()) + " }"
}

// quoteAll prints a list of texts in one line.
func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = source.Quote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
