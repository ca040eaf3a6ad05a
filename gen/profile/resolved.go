package profile

import (
	"fmt"
	"strings"

	"bwrapgen/gen/problem"
)

// Resolved prints the merged profile as TOML, each value followed by the file
// and line it comes from; defaults are comments. Parse reads it to the same
// profile, but for the origins, where it lies in the directory that the files
// of toolchains.files are relative to.
func (p Profile) Resolved() ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, from %s\n", problem.OneLine(p.Name), arrows(p.Sources))
	table := ""
	for _, s := range p.settings() {
		head, name := splitKey(s.field.key)
		ofTool := strings.Contains(head, ".")
		if ofTool && !s.written {
			continue
		}
		if head != table {
			table = head
			fmt.Fprintf(&b, "\n[%s]\n", table)
		}
		s.print(&b, name)
	}
	return []byte(b.String()), nil
}

// setting is one key of a merged profile, as it is printed.
type setting struct {
	field    field
	text     string    // of the value, in TOML; of lists: "[]" or "[...]"
	elements []element // of lists and tables
	origin   Origin    // of the value, or of the first element
	written  bool      // by some file; otherwise a default
}

// settings are all keys of the profile, those of single tools behind all others.
func (p Profile) settings() []setting {
	var all []setting
	for _, f := range fields(&p) {
		all = append(all, f.setting(p.Origins))
	}
	return all
}

func (f field) setting(origins map[string]Origin) setting {
	s := setting{field: f}
	s.origin, s.written = origins[f.key]
	if f.elements != nil {
		s.elements = f.elements()
	}
	if f.text != nil {
		s.text = f.text()
	}
	if s.text != "" {
		return s
	}
	s.text = "[]"
	if f.braces {
		s.text = "{}"
	}
	if len(s.elements) > 0 {
		s.text = s.text[:1] + "..." + s.text[1:]
		s.origin, s.written = s.elements[0].origin, true
	}
	return s
}

func (s setting) print(b *strings.Builder, name string) {
	switch {
	case !s.written:
		fmt.Fprintf(b, "# %s = %s # default\n", name, s.text)
	case len(s.elements) == 0:
		fmt.Fprintf(b, "%s = %s%s\n", name, s.text, s.origin.comment())
	case s.field.braces:
		for _, e := range s.elements {
			fmt.Fprintf(b, "%s.%s%s\n", name, e.text, e.origin.comment())
		}
	default:
		fmt.Fprintf(b, "%s = [\n", name)
		for _, e := range s.elements {
			fmt.Fprintf(b, "  %s,%s\n", e.text, e.origin.comment())
		}
		b.WriteString("]\n")
	}
}

func (o Origin) comment() string {
	if o.Line > 0 {
		return fmt.Sprintf(" # %s:%d", problem.OneLine(o.File), o.Line)
	}
	return " # " + problem.OneLine(o.File)
}
