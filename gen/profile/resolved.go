package profile

import (
	"fmt"
	"slices"
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
	for _, s := range grouped(p.settings()) {
		head, name := splitKey(s.field.key)
		if head != table {
			table = head
			fmt.Fprintf(&b, "\n[%s]\n", table)
		}
		s.print(&b, name)
	}
	return []byte(b.String()), nil
}

// grouped leaves out what no file says about a single tool. The tables of
// tools stand behind all others, as settings gives them.
func grouped(all []setting) []setting {
	return slices.DeleteFunc(all, func(s setting) bool {
		table, _ := splitKey(s.field.key)
		return strings.Contains(table, ".") && !s.written
	})
}

// splitKey cuts a key at its last part, which is never quoted.
func splitKey(key string) (table, name string) {
	at := strings.LastIndexByte(key, '.')
	return key[:max(at, 0)], key[at+1:]
}

func (s setting) print(b *strings.Builder, name string) {
	switch {
	case !s.written:
		fmt.Fprintf(b, "# %s = %s # default\n", name, s.text)
	case len(s.elements) == 0:
		fmt.Fprintf(b, "%s = %s%s\n", name, s.text, s.origin.comment())
	case s.field.brackets() == "{}":
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
