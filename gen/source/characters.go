package source

import (
	"strconv"
	"strings"
)

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
