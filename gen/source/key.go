package source

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Line is that of a key path such as filesystem.read[1], from 1. Where the text
// has no such key it is the line of what the key would lie in, or 0.
func (t Text) Line(key string) int {
	for {
		if offset, ok := t.found[key]; ok {
			return 1 + bytes.Count(t.text[:offset], []byte("\n"))
		}
		above := strings.LastIndexAny(key, ".[")
		if above < 0 {
			return 0
		}
		key = key[:above]
	}
}

// Names lists the keys of a table in the order in which they stand in the text.
// The table's own key path is empty for the whole text.
func (t Text) Names(table map[string]any, key string) []string {
	return slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		return cmp.Or(
			t.found[Join(key, a)]-t.found[Join(key, b)],
			strings.Compare(a, b),
		)
	})
}

// maxPath bounds the key paths of hostile texts; no key of a schema comes
// near it. What lies deeper has the line of what it lies in.
const maxPath = 4096

// Join appends a part to a key path, quoted where TOML wants it so.
func Join(path, part string) string {
	if len(path) > maxPath {
		return path
	}
	if !bare.MatchString(part) {
		part = Quote(part)
	}
	if path == "" {
		return part
	}
	return path + "." + part
}

// Index is what a key path has behind it for an element of a list.
func Index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// bare is a part of a key that needs no quotes.
var bare = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// Quote prints a text as a basic string of TOML.
func Quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"', c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case unicode.IsGraphic(c):
			b.WriteRune(c)
		case c <= 0xffff:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			fmt.Fprintf(&b, `\U%08X`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
