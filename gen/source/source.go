// Package source reads the TOML that people write, and knows where in it a key
// stands.
//
// It is pure, and it does not know what a key means: that is for packages
// profile and catalogue.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"bwrapgen/gen/problem"
)

// Text is one document that was read.
type Text struct {
	Values map[string]any
	text   []byte
	found  map[string]int // where keys and elements begin
}

// MaxBytes bounds a text.
const MaxBytes = 256 << 10

// Read reads a text, or says why it cannot be read.
func Read(data []byte) (Text, *problem.Problem) {
	if len(data) > MaxBytes {
		return Text{}, &problem.Problem{What: fmt.Sprintf("larger than %d bytes", MaxBytes), Hint: "split it in two"}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	t := Text{Values: map[string]any{}, text: data, found: locate(data)}
	if err := toml.Unmarshal(data, &t.Values); err != nil {
		return t, syntax(err)
	}
	return t, nil
}

func syntax(err error) *problem.Problem {
	line := 0
	var parse *toml.DecodeError
	if errors.As(err, &parse) {
		line, _ = parse.Position()
	}
	message := strings.TrimPrefix(err.Error(), "toml: ")
	hint := "a text stands in quotes, a list in [ ]; a line has one key"
	switch {
	case strings.Contains(message, "already"):
		hint = "a key and a table stand once: join the two"
	case strings.Contains(message, "control characters"), strings.Contains(message, "UTF-8"):
		hint = "take this byte out of the file"
	}
	if !problem.Printable(message) {
		message = strconv.Quote(message)
	}
	return &problem.Problem{Line: line, What: "not valid TOML: " + message, Hint: hint}
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
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
