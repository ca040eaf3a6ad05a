package profile

import (
	_ "embed" // what the reference says of the keys
	"errors"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
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
	all := docs("", fields(&p))
	extends := KeyDoc{Key: "extends", Type: "a list of texts", Default: "[]", shape: listOf(typed("string"))}
	all = slices.Insert(all, 1, extends)
	all = append(all, KeyDoc{Key: "drop", Type: "tables", shape: drops(fields(&p))})
	var entry Rule
	return slices.Concat(all, docs("entry.", entry.allFields()), docs("expect.", new(Expectation).fields()))
}

// docs are what the schema says of keys in a table.
func docs(table string, fields []field) []KeyDoc {
	var all []KeyDoc
	for _, f := range fields {
		d := KeyDoc{Key: table + f.key, Type: f.kind, Default: f.setting(nil).text, shape: f.shape}
		if table != "" {
			d.Default = strings.Trim(d.Default, `"[]`)
		}
		all = append(all, d)
	}
	return all
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
