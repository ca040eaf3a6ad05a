// Package source reads the TOML that people write, and knows where in it a key
// stands.
//
// It is pure, and it does not know what a key means: that is for packages
// profile and catalogue.
package source

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Text is one document that was read.
type Text struct {
	Values map[string]any
	spots  map[string]spot
}

// Fault is why a text cannot be read.
type Fault struct {
	Line       int // from 1; 0: the text as a whole
	What, Hint string
}

// What bounds a text. The TOML library takes time and memory for each level
// that grow with the square of their number.
const (
	MaxBytes  = 256 << 10
	MaxNested = 32 // values and keys in one another
)

// Read reads a text, or says why it cannot be read.
func Read(data []byte) (Text, *Fault) {
	if len(data) > MaxBytes {
		return Text{}, &Fault{What: fmt.Sprintf("larger than %d bytes", MaxBytes), Hint: "split it in two"}
	}
	found, deep := spots(string(data))
	if deep > 0 {
		return Text{}, &Fault{deep, fmt.Sprintf("nests more than %d levels deep", MaxNested), "no key needs more than four"}
	}
	t := Text{map[string]any{}, found}
	if _, err := toml.Decode(string(data), &t.Values); err != nil {
		return t, syntax(err)
	}
	return t, nil
}

func syntax(err error) *Fault {
	line, message := 0, err.Error()
	var parse toml.ParseError
	if errors.As(err, &parse) {
		line = parse.Position.Line
		if parse.Message != "" {
			message = parse.Message
		}
	}
	hint := "a text stands in quotes, a list in [ ]; a line has one key"
	switch {
	case strings.Contains(message, "already been defined"):
		hint = "a key and a table stand once: join the two"
	case strings.Contains(message, "control characters"), strings.Contains(message, "UTF-8"):
		hint = "take this byte out of the file"
	}
	message = strings.TrimSuffix(message, ".")
	if !utf8.ValidString(message) || strings.ContainsFunc(message, func(r rune) bool { return !unicode.IsPrint(r) }) {
		message = strconv.Quote(message)
	}
	return &Fault{line, "not valid TOML: " + message, hint}
}

// TypeName says of what type a value is.
func TypeName(value any) string {
	switch value.(type) {
	case string:
		return "a text"
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case []any, []map[string]any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
