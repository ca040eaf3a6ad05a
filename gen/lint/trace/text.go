package trace

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Text is what a word stands for, as far as the script tells: literal text, and
// values that are known by name alone. The zero Text is an empty one.
type Text []Piece

// Piece is a part of a Text.
type Piece struct {
	Literal string // where Name is empty
	Name    string // of the variable, or of the program whose output it is
	Default Text   // what stands there if the variable is unset; nil: nothing is said
	Caller  bool   // one of the script's own arguments
	Of      Text   // what the value is made of, as $(dirname "$x") of x; nil: nothing is said
	Either  []Text // the values of which it is one; nil: nothing is said
	Words   bool   // and each of them is words for bwrap, or nothing

	value int // which of the values that the name has in the script; 0: its first
}

// Inherited reports whether a piece is the value of a variable that the script
// has not set.
func (p Piece) Inherited() bool { return p.Name != "" && p.value == 0 }

func literal(text string) Text {
	if text == "" {
		return Text{}
	}
	return Text{{Literal: text}}
}

// Literal returns the whole text, if the script tells it.
func (t Text) Literal() (string, bool) {
	var b strings.Builder
	for _, p := range t {
		if p.Name != "" {
			return "", false
		}
		b.WriteString(p.Literal)
	}
	return b.String(), true
}

// Is reports whether the text is known and the same as another.
func (t Text) Is(text string) bool {
	known, ok := t.Literal()
	return ok && known == text
}

// String returns the text as a sentence shows it: $HOME/.ssh.
func (t Text) String() string {
	var b strings.Builder
	before := ""
	for i, p := range t {
		switch {
		case p.Name == "":
			b.WriteString(p.Literal)
		case p.Name == "*" && strings.ContainsAny(before, "*?["): // what a pattern stands for
		case joins.MatchString(t[i+1:].beginning()):
			b.WriteString("${" + p.Name + "}")
		default:
			b.WriteString("$" + p.Name)
		}
		before = p.Literal
	}
	return b.String()
}

// joins is a text that would become part of the name before it.
var joins = regexp.MustCompile(`^[A-Za-z0-9_]`)

// First is the first piece of a text, or nothing.
func (t Text) First() Text { return t[:min(1, len(t))] }

// beginning is the literal text with which a text begins.
func (t Text) beginning() string {
	if len(t) == 0 {
		return ""
	}
	return t[0].Literal
}

// Values are what a text of one value may stand for: its default, or what the ways through
// the script make of it.
func (t Text) Values() []Text {
	if len(t) != 1 {
		return nil
	}
	return append(t[0].Either[:len(t[0].Either):len(t[0].Either)], t[0].Default)
}

// Caller reports whether one of the script's own arguments is a part of the text.
func (t Text) Caller() bool {
	return slices.ContainsFunc(t, func(p Piece) bool { return p.Caller })
}

// MadeOf reports whether a variable that the script has not set is a part of the
// text, or of what the text is made of.
func (t Text) MadeOf(name string) bool {
	return slices.ContainsFunc(t, func(p Piece) bool {
		isIt := p.Name == name && p.Inherited()
		return isIt || slices.Concat(p.Of, p.Default).MadeOf(name)
	})
}

// Key is the same for two texts that stand for the same.
func (t Text) Key() string {
	var b strings.Builder
	for _, p := range t {
		if p.Name == "" {
			b.WriteString(p.Literal)
		} else {
			fmt.Fprintf(&b, "\x00%s\x00%d\x00", p.Name, p.value)
		}
	}
	return b.String()
}

// The bounds of a text that is followed. A longer one is not known.
const (
	maxText   = 1 << 16 // bytes
	maxPieces = 256
)

func (t Text) long() bool {
	n := 0
	for _, p := range t {
		n += len(p.Literal)
	}
	return n > maxText || len(t) > maxPieces
}

// plus appends a text, and joins literal neighbours.
func (t Text) plus(more Text) Text {
	if t.long() || more.long() {
		return Text{{Name: "...", value: -1}}
	}
	sum := t[:len(t):len(t)]
	for _, p := range more {
		if last := len(sum) - 1; last >= 0 && p.Name == "" && sum[last].Name == "" {
			joined := append(Text{}, sum[:last]...)
			sum = append(joined, Piece{Literal: sum[last].Literal + p.Literal})
			continue
		}
		sum = append(sum, p)
	}
	return sum
}
