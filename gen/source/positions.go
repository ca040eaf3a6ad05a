package source

import "github.com/pelletier/go-toml/v2/unstable"

// positions notes where keys and elements of lists begin, by key paths such as
// filesystem.read[1].
type positions struct {
	parser unstable.Parser
	found  map[string]int // offsets in the text
	arrays map[string]int // elements so far of each [[array]]
}

// locate finds the positions in a text, as far as it is TOML.
func locate(text []byte) map[string]int {
	p := positions{found: map[string]int{}, arrays: map[string]int{}}
	p.parser.Reset(text)
	table := ""
	for p.parser.NextExpression() {
		switch e := p.parser.Expression(); e.Kind {
		case unstable.KeyValue:
			p.value(p.key(table, e.Key(), nil), e.Value())
		case unstable.Table:
			table = p.key("", e.Key(), nil)
		case unstable.ArrayTable:
			table = p.key("", e.Key(), p.arrays)
		}
	}
	return p.found
}

// key notes each part of a dotted key, which begins where its first part stands. The
// last part of an [[array]]'s key is one more element.
func (p *positions) key(path string, parts unstable.Iterator, more map[string]int) string {
	offset := -1
	for parts.Next() {
		part := parts.Node()
		if offset < 0 {
			offset = int(part.Raw.Offset)
		}
		path = Join(path, string(part.Data))
		p.note(path, offset)
		if more != nil && parts.IsLast() {
			more[path]++
		}
		if n := p.arrays[path]; n > 0 {
			path = element(path, n-1)
			p.note(path, offset)
		}
	}
	return path
}

// value notes what is inside a value.
func (p *positions) value(path string, value *unstable.Node) {
	inner := value.Children()
	for i := 0; inner.Next(); i++ {
		switch child := inner.Node(); {
		case value.Kind == unstable.InlineTable:
			p.value(p.key(path, child.Key(), nil), child.Value())
		case child.Raw.Length > 0:
			p.note(element(path, i), int(child.Raw.Offset))
			p.value(element(path, i), child)
		default: // a list, whose own position is not known
			p.value(element(path, i), child)
		}
	}
}

// note keeps the first position of a key.
func (p *positions) note(key string, offset int) {
	if _, ok := p.found[key]; !ok {
		p.found[key] = offset
	}
}

// element is the key path of an element of a list.
func element(path string, i int) string {
	if len(path) > maxPath {
		return path
	}
	return path + Index(i)
}
