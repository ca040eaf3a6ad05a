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
		if len(elements) == 0 {
			continue
		}
		if kind == Tool && p.Toolchains.Use.Kind == profile.UseProject {
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
		return extend(text, name, read.Line(string(kind)), value, elements)
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

// extend adds elements to the list of a name that begins in a line, before what it holds. A
// single text becomes a list.
func extend(text, name string, line int, value any, elements []string) (string, error) {
	start := 0
	for range line - 1 {
		start += strings.IndexByte(text[start:], '\n') + 1
	}
	key := regexp.MustCompile(`\b` + name + `[ \t]*=[ \t]*`).FindStringIndex(text[start:])
	if key == nil {
		return "", fmt.Errorf("line %d: no list", line)
	}
	head, tail := text[:start+key[1]], text[start+key[1]:]
	if single, ok := value.(string); ok {
		all := slices.Concat([]string{source.Quote(single)}, elements)
		end := strings.IndexByte(tail+"\n", '\n')
		return head + "[" + strings.Join(all, ", ") + "]" + tail[end:], nil
	}
	held, isList := strings.CutPrefix(tail, "[")
	if !isList {
		return "", fmt.Errorf("line %d: no list", line)
	}
	held = strings.TrimLeft(held, " \t")
	switch held[0] {
	case '\n':
		held = held[1:]
	case ']':
	default:
		held = "  " + held
	}
	return head + "[\n  " + strings.Join(elements, ",\n  ") + ",\n" + held, nil
}
