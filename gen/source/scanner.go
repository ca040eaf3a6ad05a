package source

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
		path = Join(path, part)
		if n := s.arrays[path]; n > 0 && len(path) <= maxPath && (i < len(parts)-1 || !array) {
			path += Index(n - 1)
		}
		if _, ok := s.spots[path]; !ok {
			s.spots[path] = start
		}
	}
	if array {
		s.arrays[path]++
		path += Index(s.arrays[path] - 1)
		s.spots[path] = start
	}
	return path
}

// pair reads KEY = VALUE below a table.
func (s *scanner) pair(table string) {
	start := spot{s.line, s.at}
	path := table
	for _, part := range s.key() {
		path = Join(path, part)
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
	if levels < MaxNested {
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
				inner += Index(i)
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
