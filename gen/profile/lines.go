package profile

import (
	"strconv"
	"strings"
)

// spot is where a key or an element begins in a source.
type spot struct{ line, offset int }

// scanner walks over TOML that is known to be valid and notes where keys and
// elements of arrays begin. The TOML library knows no positions for unknown
// keys, and for arrays only that of the first element.
type scanner struct {
	text   string
	at     int
	line   int
	spots  map[string]spot
	arrays map[string]int // elements so far of each [[array]]
	nested int            // values around the one that is read
	deep   int            // the line that nests too deep, or 0
}

// maxNested bounds how deep values and keys nest. The TOML library takes
// memory for each level that grows with the square of their number.
const maxNested = 32

// spots maps key paths such as filesystem.read[1] to where they begin. Where
// the text nests too deep it gives the line instead.
func spots(text string) (found map[string]spot, deep int) {
	s := scanner{text: text, line: 1, spots: map[string]spot{}, arrays: map[string]int{}}
	s.scan()
	return s.spots, s.deep
}

func (s *scanner) scan() {
	table := ""
	for s.blank(true); s.at < len(s.text); s.blank(true) {
		before := s.at
		if s.peek() == '[' {
			table = s.header()
		} else {
			s.pair(table)
		}
		if s.at == before {
			return // not TOML after all
		}
	}
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) has(prefix string) bool { return strings.HasPrefix(s.text[s.at:], prefix) }

// skip moves on by n bytes, counting lines.
func (s *scanner) skip(n int) {
	n = min(n, len(s.text)-s.at)
	s.line += strings.Count(s.text[s.at:s.at+n], "\n")
	s.at += n
}

// skipTo moves on to the first of some characters, or to the end.
func (s *scanner) skipTo(any string) {
	n := strings.IndexAny(s.text[s.at:], any)
	if n < 0 {
		n = len(s.text) - s.at
	}
	s.skip(n)
}

// blank skips spaces and, where asked, line breaks and comments.
func (s *scanner) blank(lines bool) {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t' || lines && (c == '\r' || c == '\n'):
			s.skip(1)
		case lines && s.has("\ufeff"):
			s.skip(len("\ufeff"))
		case lines && c == '#':
			s.skipTo("\n")
		default:
			return
		}
	}
}

func (s *scanner) note(key string) {
	if _, ok := s.spots[key]; !ok {
		s.spots[key] = spot{s.line, s.at}
	}
}

// header reads [table] or [[array]] and gives its key path.
func (s *scanner) header() string {
	start := spot{s.line, s.at}
	array := s.has("[[")
	s.skip(1)
	if array {
		s.skip(1)
	}
	parts := s.key()
	for range 2 {
		if s.peek() == ']' {
			s.skip(1)
		}
	}
	path := ""
	for i, part := range parts {
		path = join(path, part)
		if n := s.arrays[path]; n > 0 && len(path) <= maxPath && (i < len(parts)-1 || !array) {
			path += index(n - 1)
		}
		if _, ok := s.spots[path]; !ok {
			s.spots[path] = start
		}
	}
	if array {
		s.arrays[path]++
		path += index(s.arrays[path] - 1)
		s.spots[path] = start
	}
	return path
}

// pair reads KEY = VALUE below a table.
func (s *scanner) pair(table string) {
	start := spot{s.line, s.at}
	path := table
	for _, part := range s.key() {
		path = join(path, part)
		if _, ok := s.spots[path]; !ok {
			s.spots[path] = start
		}
	}
	if s.peek() == '=' {
		s.skip(1)
		s.blank(false)
		s.value(path)
	}
}

// key reads a dotted key up to what follows it.
func (s *scanner) key() []string {
	var parts []string
	for {
		s.blank(false)
		start := s.at
		switch s.peek() {
		case '"', '\'':
			s.quoted()
			parts = append(parts, unquote(s.text[start:s.at]))
		default:
			for s.at < len(s.text) && bare(s.text[s.at]) {
				s.at++
			}
			if start == s.at {
				return parts
			}
			parts = append(parts, s.text[start:s.at])
		}
		s.blank(false)
		if s.peek() != '.' || s.tooDeep(len(parts)) {
			return parts
		}
		s.skip(1)
	}
}

// tooDeep gives up, at the end of the text, on one that nests too deep.
func (s *scanner) tooDeep(levels int) bool {
	if levels < maxNested {
		return false
	}
	if s.deep == 0 {
		s.deep = s.line
	}
	s.at = len(s.text)
	return true
}

// value reads a value and notes what is inside it.
func (s *scanner) value(path string) {
	if s.tooDeep(s.nested) {
		return
	}
	s.nested++
	defer func() { s.nested-- }()
	switch s.peek() {
	case '"', '\'':
		s.quoted()
	case '[':
		s.list(']', func(i int) {
			inner := path
			if len(path) <= maxPath {
				inner += index(i)
			}
			s.note(inner)
			s.value(inner)
		})
	case '{':
		s.list('}', func(int) { s.pair(path) })
	default:
		s.skipTo(",]}#\n")
	}
}

// list reads what stands between brackets, element by element.
func (s *scanner) list(closing byte, element func(i int)) {
	s.skip(1)
	for i := 0; ; i++ {
		s.blank(true)
		before := s.at
		if s.peek() != closing {
			element(i)
			s.blank(true)
		}
		switch {
		case s.peek() == closing:
			s.skip(1)
			return
		case s.peek() == ',':
			s.skip(1)
		case s.at >= len(s.text) || s.at == before:
			return
		}
	}
}

// quoted skips a string of any of the four kinds.
func (s *scanner) quoted() {
	quote := s.text[s.at : s.at+1]
	escapes := quote == `"`
	if long := strings.Repeat(quote, 3); s.has(long) {
		quote = long
	}
	s.skip(len(quote))
	for s.at < len(s.text) && !s.has(quote) {
		if escapes && s.peek() == '\\' {
			s.skip(1)
		}
		s.skip(1)
	}
	s.skip(len(quote))
	// A long string may end in one or two quotes of its own.
	for range 2 {
		if len(quote) == 3 && s.peek() == quote[0] {
			s.skip(1)
		}
	}
}

// unquote gives the text of a quoted key; one with escapes that Go does not
// know stays as it is, which costs its line only.
func unquote(key string) string {
	if strings.HasPrefix(key, `'`) {
		return strings.Trim(key, `'`)
	}
	if text, err := strconv.Unquote(key); err == nil {
		return text
	}
	return key
}

func bare(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// maxPath bounds the key paths of hostile sources; no key of the schema comes
// near it. What lies deeper has the line of what it lies in.
const maxPath = 4096

// join appends a part to a key path, quoted where TOML wants it so.
func join(path, part string) string {
	if len(path) > maxPath {
		return path
	}
	plain := part != ""
	for i := range len(part) {
		plain = plain && bare(part[i])
	}
	if !plain {
		part = quote(part)
	}
	if path == "" {
		return part
	}
	return path + "." + part
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }
