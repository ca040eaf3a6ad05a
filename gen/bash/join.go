package bash

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Part is one piece of a word: a text, or the value of a variable. A Part
// with neither is the empty text.
type Part struct {
	Text    string // taken as it is, whatever it holds
	Var     string // the name of a variable, such as home or XDG_CACHE_HOME
	Default []Part // what ${Var:-...} stands for if Var is unset or empty; nil: nothing, plain $Var
	Present []Part // what ${Var:+...} stands for if Var is set and not empty; nil: plain $Var
}

// Join returns one word for the parts in a row, such as "$home/.config" or
// "${GOMODCACHE:-${GOPATH:-$home/go}/pkg/mod}". Without a variable it is
// Quote; with one it is double-quoted, so it never splits, globs or vanishes.
//
// It refuses a NUL byte, a Var that is no name, a Part that is two things at
// once, no parts at all, and, inside a Default, what cannot be written there
// for every locale: unprintable characters, bytes that are not UTF-8, "<(" and
// ">(", and a backslash, backquote, dollar or double quote after a letter that
// is not ASCII.
func Join(parts ...Part) (Word, error) {
	if len(parts) == 0 {
		return Word{}, errors.New("a word needs at least one part")
	}
	if err := checkParts(parts, false); err != nil {
		return Word{}, err
	}
	parts = merge(parts)
	if len(parts) == 1 && parts[0].Var == "" {
		return Quote(parts[0].Text)
	}
	var j joiner
	for i, p := range parts {
		j.part(p, following(parts, i))
	}
	j.close()
	return Word{j.b.String()}, nil
}

// Assign returns one word NAME=value for the array that is handed to env:
// CI=1, A='b c', "TERM=${TERM:-dumb}".
func Assign(name string, value ...Part) (Word, error) {
	if _, err := Name(name); err != nil {
		return Word{}, err
	}
	hasVariable := func(p Part) bool { return p.Var != "" }
	if slices.ContainsFunc(value, hasVariable) {
		return Join(append([]Part{{Text: name + "="}}, value...)...)
	}
	w, err := Join(append([]Part{{}}, value...)...)
	if err != nil {
		return Word{}, err
	}
	return Word{name + "=" + w.s}, nil
}

// IfSet returns what is one word, "$NAME/rest", where a variable is set and not empty, and
// no word elsewhere: ${NAME:+"$NAME/rest"}. It stands in arrays. Besides what Join refuses it
// refuses what no Default can hold.
func IfSet(name, rest string) (Word, error) {
	if err := checkDefault([]Part{{Text: rest}}); err != nil {
		return Word{}, err
	}
	w, err := Join(Part{Var: name}, Part{Text: rest})
	if err != nil {
		return Word{}, err
	}
	return Word{"${" + name + ":+" + w.s + "}"}, nil
}

func checkParts(parts []Part, inDefault bool) error {
	for _, p := range parts {
		if err := checkPart(p); err != nil {
			return err
		}
		for _, inner := range [][]Part{p.Default, p.Present} {
			if err := checkParts(inner, true); err != nil {
				return err
			}
		}
	}
	if inDefault {
		return checkDefault(merge(parts))
	}
	return nil
}

func checkPart(p Part) error {
	switch {
	case strings.Contains(p.Text, "\x00"):
		return errNUL
	case p.Var == "":
		if p.Default != nil || p.Present != nil {
			return errors.New("a part without a variable cannot have a default")
		}
	case p.Text != "":
		return fmt.Errorf("a part is either a text or a variable, not both: %q, %q", p.Text, p.Var)
	case p.Default != nil && p.Present != nil:
		return errors.New("a part has either a default or what stands for its presence")
	case !isName(p.Var):
		return fmt.Errorf("not the name of a variable: %q", p.Var)
	}
	return nil
}

// What no quotes mend in a default, where bash takes the inner ones for the
// end of the outer ones: a backslash that a double-byte locale would swallow,
// and what looks like a process substitution.
var (
	wideEscape = regexp.MustCompile("[^\\x00-\\x7f][\\\\`$\"]")
	process    = regexp.MustCompile(`[<>]\(`)
)

func checkDefault(merged []Part) error {
	for _, p := range merged {
		if !printable(p.Text) {
			return fmt.Errorf("a default cannot hold unprintable characters: %q", p.Text)
		}
		if wideEscape.MatchString(p.Text) {
			return fmt.Errorf("a default cannot hold one of \\ ` $ \" after a letter that is not ASCII: %q", p.Text)
		}
		if process.MatchString(p.Text) {
			return fmt.Errorf("a default cannot hold <( or >(: %q", p.Text)
		}
	}
	return nil
}

// merge joins neighbouring texts and drops empty ones beside variables. Of
// nothing but texts it leaves exactly one.
func merge(parts []Part) []Part {
	var merged []Part
	for _, p := range parts {
		last := len(merged) - 1
		switch {
		case p.Var == "" && last >= 0 && merged[last].Var == "":
			merged[last].Text += p.Text
		case p.Var == "" && p.Text == "" && len(parts) > 1:
		default:
			merged = append(merged, p)
		}
	}
	if merged == nil && parts != nil {
		return []Part{{}}
	}
	return merged
}

// following returns the first byte of the text after parts[i], or 0.
func following(parts []Part, i int) byte {
	if i+1 < len(parts) && parts[i+1].Text != "" {
		return parts[i+1].Text[0]
	}
	return 0
}

// joiner writes parts, most of them inside double quotes.
type joiner struct {
	b      strings.Builder
	quoted bool
}

func (j *joiner) open() {
	if !j.quoted {
		j.b.WriteByte('"')
	}
	j.quoted = true
}

func (j *joiner) close() {
	if j.quoted {
		j.b.WriteByte('"')
	}
	j.quoted = false
}

func (j *joiner) part(p Part, next byte) {
	if p.Var != "" {
		j.open()
		j.expansion(p, next)
		return
	}
	for rest := p.Text; rest != ""; {
		run := sameRun(rest)
		if printable(run) {
			j.open()
			escape(&j.b, run)
		} else {
			j.close()
			j.b.WriteString(ansi(run))
		}
		rest = rest[len(run):]
	}
}

// sameRun returns the longest beginning of text that is all printable or all
// unprintable.
func sameRun(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	for i, r := range text[size:] {
		if shown(r) != shown(first) {
			return text[:size+i]
		}
	}
	return text
}

func (j *joiner) expansion(p Part, next byte) {
	operator, inner := ":-", p.Default
	if p.Present != nil {
		operator, inner = ":+", p.Present
	}
	switch {
	case inner != nil:
		j.b.WriteString("${" + p.Var + operator)
		j.defaults(merge(inner))
		j.b.WriteByte('}')
	case next == '[', next >= utf8.RuneSelf, isName("_" + string(rune(next))):
		j.b.WriteString("${" + p.Var + "}")
	default:
		j.b.WriteString("$" + p.Var)
	}
}

// bare matches the texts that need no quotes of their own in a default.
var bare = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,= -]*$`)

// defaults writes the right side of ${NAME:-...}. Although it is inside double
// quotes, there bash looks for the closing brace and for single quotes, and
// others for a tilde; what is not plain gets double quotes once more.
func (j *joiner) defaults(parts []Part) {
	for i, p := range parts {
		switch {
		case p.Var != "":
			j.expansion(p, following(parts, i))
		case bare.MatchString(p.Text):
			j.b.WriteString(p.Text)
		default:
			j.requoted(p.Text)
		}
	}
}

// requoted writes text in double quotes inside double quotes, but for opening
// braces: for brace expansion the inner quotes end the outer ones.
func (j *joiner) requoted(text string) {
	for i, piece := range strings.Split(text, "{") {
		if i > 0 {
			j.b.WriteByte('{')
		}
		if piece != "" {
			j.b.WriteByte('"')
			escape(&j.b, piece)
			j.b.WriteByte('"')
		}
	}
}
