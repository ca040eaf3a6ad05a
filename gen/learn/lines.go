package learn

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
)

// kinds are in the order in which profiles have their keys.
var kinds = []Kind{Read, Write, Tool, Variable, Host}

// Append adds what is proposed to the text of a profile, which is or will be like p. Home is
// written as ~.
func Append(text string, needs []Need, p profile.Profile, home string) (string, error) {
	for _, kind := range kinds {
		elements := elementsOf(needs, kind, home)
		isProjects := kind == Tool && p.Toolchains.Use.Kind == profile.UseProject
		if isProjects && len(elements) > 0 {
			elements = append([]string{`"project"`}, elements...)
		}
		var err error
		if text, err = appendTo(text, kind, elements); err != nil {
			return "", err
		}
	}
	return text, nil
}

// elementsOf are what a list of a profile gets for the needs of a kind that are proposed.
func elementsOf(needs []Need, kind Kind, home string) []string {
	var all []string
	for _, n := range needs {
		switch {
		case n.Kind != kind, n.Mark != "":
		case kind.isPath():
			all = append(all, fmt.Sprintf("{ path = %s, why = %s }", source.Quote(Short(n.Name, home)), source.Quote(n.Why)))
		default:
			all = append(all, source.Quote(n.Name))
		}
	}
	return all
}

// Short is a path with ~ for home.
func Short(name, home string) string {
	if rest, ok := strings.CutPrefix(name, home+"/"); ok {
		return "~/" + rest
	}
	return name
}

// appendTo adds elements to a list of a profile: where the profile has that list, to it; else
// to its table, or in a new one.
func appendTo(text string, kind Kind, elements []string) (string, error) {
	if len(elements) == 0 {
		return text, nil
	}
	read, wrong := source.Read([]byte(text))
	if wrong != nil {
		return "", fmt.Errorf("line %d: %s", wrong.Line, wrong.What)
	}
	table, name, _ := strings.Cut(string(kind), ".")
	inner, hasTable := read.Values[table].(map[string]any)
	value, hasKey := inner[name]
	written := name + " = [\n  " + strings.Join(elements, ",\n  ") + ",\n]\n"
	header := regexp.MustCompile(`(?m)^[ \t]*\[[ \t]*` + table + `[ \t]*\][^\n]*\n?`).FindStringIndex(text)
	switch {
	case hasKey:
		return extend(text, read.Line(string(kind)), value, elements)
	case header != nil:
		head := strings.TrimSuffix(text[:header[1]], "\n") + "\n"
		return head + written + text[header[1]:], nil
	case hasTable: // by dotted keys alone: so is this one, before all tables
		return table + "." + written + text, nil
	}
	if text != "" {
		text = strings.TrimRight(text, "\n") + "\n\n"
	}
	return text + "[" + table + "]\n" + written, nil
}

// extend adds elements to the list that begins in a line. A single text becomes a list.
func extend(text string, line int, value any, elements []string) (string, error) {
	start := 0
	for range line - 1 {
		start += strings.IndexByte(text[start:], '\n') + 1
	}
	equals := strings.IndexByte(text[start:], '=')
	if equals < 0 {
		return "", fmt.Errorf("line %d: no list", line)
	}
	start += equals + 1
	if single, ok := value.(string); ok {
		end := start + strings.IndexByte(text[start:]+"\n", '\n')
		all := slices.Concat([]string{source.Quote(single)}, elements)
		return text[:start] + " [" + strings.Join(all, ", ") + "]" + text[end:], nil
	}
	last, end := closing(text, start)
	if end < 0 {
		return "", fmt.Errorf("line %d: no list", line)
	}
	comma := ","
	if strings.IndexByte(",[", text[last]) >= 0 {
		comma = ""
	}
	head := text[:last+1] + comma + strings.TrimRight(text[last+1:end], " \t\n")
	return head + "\n  " + strings.Join(elements, ",\n  ") + ",\n" + text[end:], nil
}

// token is the next one of a list in TOML: a space, a comment, a text, or else one letter.
var token = regexp.MustCompile(`(?s)^(?:\s+|#[^\n]*|"(?:\\.|[^"\\])*"|'[^']*'|.)`)

// closing finds the bracket at which a list ends, and what stands last before it, but for
// comments.
func closing(text string, at int) (last, end int) {
	depth := 0
	for at < len(text) {
		found := token.FindString(text[at:])
		switch found[0] {
		case ' ', '\t', '\n', '\r', '#':
			at += len(found)
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth == 0 {
			return last, at
		}
		at += len(found)
		last = at - 1
	}
	return -1, -1
}
