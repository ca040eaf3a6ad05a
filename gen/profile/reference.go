package profile

import (
	_ "embed" // what the reference says of the keys
	"encoding"
	"errors"
	"slices"
	"strings"
	"time"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/source"
)

//go:embed reference.toml
var referenceText []byte

// KeyDoc is what the reference says of one key of a profile.
type KeyDoc struct {
	Key     string // project.root; of a path that is written as a table, entry.at
	Type    string // for people: "true or false", "a list of paths"
	Default string // as TOML; empty where there is none
	Meaning string // a few sentences, with code in backquotes
	Example string // a line of the key's table

	shape map[string]any // of its value, in JSON Schema
}

// Reference describes every key, in the order in which profiles are printed, and
// then those of a path that is written as a table, and of an expectation.
func Reference() ([]KeyDoc, error) {
	text, wrong := source.Read(referenceText)
	if wrong != nil {
		return nil, errors.New(wrong.What)
	}
	sockets := "`" + strings.Join(catalogue.SocketNames(), "`, `") + "`"
	all := known()
	for i, d := range all {
		row, ok := text.Values[d.Key].(map[string]any)
		if !ok {
			return nil, errors.New("gen/profile/reference.toml does not tell of the key " + d.Key)
		}
		meaning, _ := row["meaning"].(string)
		all[i].Meaning = strings.ReplaceAll(meaning, "{sockets}", sockets)
		all[i].Example, _ = row["example"].(string)
	}
	return all, nil
}

// known are all keys that may stand in a profile, as the schema has them.
func known() []KeyDoc {
	p := Default()
	var all []KeyDoc
	for _, f := range fields(&p) {
		all = append(all, KeyDoc{Key: f.key, Type: f.typeName(), Default: f.setting(nil).text, shape: f.shape()})
	}
	names := KeyDoc{Key: "extends", Type: "a list of texts", Default: "[]", shape: listOf(typed("string"))}
	all = slices.Insert(all, 1, names)
	all = append(all, KeyDoc{Key: "drop", Type: "tables", shape: drops(fields(&p))})
	for _, name := range entryNames() {
		d := KeyDoc{Key: "entry." + name, Type: "a text"}
		if slices.Contains([]string{"optional", "create", "links"}, name) {
			d.Type, d.Default = "true or false", "false"
		}
		all = append(all, d)
	}
	for _, name := range expectNames() {
		d := KeyDoc{Key: "expect." + name, Type: "a text", shape: shapeOfExpectation(name)}
		switch name {
		case "run":
			d.Type = "a list of texts"
		case "status":
			d.Type, d.Default = "a number", "0"
		}
		all = append(all, d)
	}
	return all
}

// entryNames are the keys of a path that is written as a table.
func entryNames() []string {
	return []string{"path", "at", "optional", "create", "content", "links", "why"}
}

// closed gives the values of a closed set; of others, nothing.
func (f field) closed() names {
	switch f.to.(type) {
	case *Root:
		return rootNames()
	case *Use:
		return useNames()
	}
	to, ok := f.to.(encoding.TextUnmarshaler)
	if !ok {
		return nil
	}
	var foreign notInSet
	errors.As(to.UnmarshalText([]byte("\x00")), &foreign)
	return foreign.names
}

// typeName says what a value may be, for people.
func (f field) typeName() string {
	switch f.to.(type) {
	case *Root:
		return quotedOr(append(rootNames(), "")) + "a path"
	case *Use:
		return quotedOr(append(useNames(), "")) + "a list of texts"
	case *string:
		return "a text"
	case *expr.Path:
		return "a path"
	case *[]string, *[]Item:
		return "a list of texts"
	case *Rules:
		return "a list of paths"
	case *[]Link, *[]Variable:
		return "a table"
	case *[]Expectation:
		return "a list of tables"
	case *bool:
		return "true or false"
	case *int:
		return "a number"
	case *time.Duration:
		return "a time"
	case *Size:
		return "a size"
	}
	return quotedOr(f.closed())
}

// quotedOr joins values as a sentence does; an empty last one leaves room for words.
func quotedOr(values []string) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		if value != "" {
			quoted[i] = source.Quote(value)
		}
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
