// Package bash knows how bash reads text: how a word is quoted so that it
// stays one word with the very bytes it was made of, how prose becomes a
// comment that cannot end early, and which constructs a policy may hold.
//
// It decides nothing about sandboxes and touches neither the file system nor
// any process.
//
// A word from this package means the same in every locale of the caller.
// Hence no \u escape, which bash expands only where the locale has that
// character, and no backslash directly after a byte above 127, which a
// double-byte locale would take for the second half of one character.
package bash

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/shell"
	"mvdan.cc/sh/v3/syntax"
)

// Word is one shell word, quoted. Only the functions of this package make
// one. The zero Word is no word at all.
type Word struct{ s string }

// String returns the word as it stands in a script.
func (w Word) String() string { return w.s }

var errNUL = errors.New("a word of bash cannot hold a NUL byte")

// Quote returns the word that bash expands to text, with the least quoting
// that is safe: none, single quotes, double quotes, or $'...' where text has
// unprintable characters or is not UTF-8. A NUL byte is refused.
func Quote(text string) (Word, error) {
	switch {
	case strings.Contains(text, "\x00"):
		return Word{}, errNUL
	case !printable(text):
		return Word{ansi(text)}, nil
	case strings.Contains(text, "'"):
		var b strings.Builder
		b.WriteByte('"')
		escape(&b, text)
		b.WriteByte('"')
		return Word{b.String()}, nil
	}
	s, err := syntax.Quote(text, syntax.LangBash)
	if err != nil {
		return Word{}, err
	}
	if s == text && !ascii(text) {
		s = "'" + s + "'" // a byte above 127 may be a blank in the caller's locale
	}
	return Word{s}, nil
}

// printable reports whether text is UTF-8 that shows all it holds: no control
// byte, no invisible or reordering character, no space but the plain one.
func printable(text string) bool {
	for _, r := range text {
		if !shown(r) {
			return false
		}
	}
	return true
}

// shown is printable for one rune. U+FFFD does not count, because ranging
// over a text yields it for every byte that is not UTF-8.
func shown(r rune) bool { return r != utf8.RuneError && unicode.IsPrint(r) }

func ascii(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// escape writes text for the inside of double quotes.
func escape(b *strings.Builder, text string) {
	for i := range len(text) {
		if strings.IndexByte("\"\\`$", text[i]) >= 0 {
			separate(b)
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
}

// separate closes and reopens the double quotes after a byte above 127. In
// GBK, Big5 and Shift JIS a backslash, a backquote and a brace can be the
// second half of a character; a double quote cannot.
func separate(b *strings.Builder) {
	if s := b.String(); s != "" && s[len(s)-1] >= utf8.RuneSelf {
		b.WriteString(`""`)
	}
}

// ansi returns text as $'...', in ASCII.
func ansi(text string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(text) {
		b.WriteString(ansiByte(text[i]))
	}
	b.WriteByte('\'')
	return b.String()
}

func ansiByte(c byte) string {
	if i := strings.IndexByte("\a\b\f\n\r\t\v\\'", c); i >= 0 {
		return `\` + `abfnrtv\'`[i:i+1]
	}
	if c < ' ' || c > '~' {
		return fmt.Sprintf(`\x%02x`, c)
	}
	return string(rune(c))
}

// Name returns text if bash would take it for the name of a variable.
func Name(text string) (string, error) {
	if !isName(text) {
		return "", fmt.Errorf("not the name of a variable: %q", text)
	}
	return text, nil
}

// isName reports whether bash takes a text for a variable's name: letters, digits
// and _, not a digit first.
func isName(text string) bool { return syntax.ValidName(text) }

// Words splits a command line as bash does, with a home directory for ~ and no other
// variable. A command substitution is an error.
func Words(line, home string) ([]string, error) {
	return shell.Fields(line, func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	})
}
