package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"
)

// document is a value as JSON shows it: members named as the profile's keys
// are, in the order of the fields, and none that says nothing.
func document(v reflect.Value) any {
	if text, ok := text(v); ok {
		return text
	}
	switch v.Kind() {
	case reflect.Struct:
		return members(v)
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = document(v.Index(i))
		}
		return list
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return document(v.Elem())
		}
		return nil
	}
	return v.Interface()
}

// text is what a value calls itself: a path, a word of a closed set, a duration.
func text(v reflect.Value) (string, bool) {
	switch t := v.Interface().(type) {
	case encoding.TextMarshaler:
		text, err := t.MarshalText()
		return string(text), err == nil
	case time.Duration:
		return t.String(), true
	case fmt.Stringer:
		return t.String(), true
	}
	return "", false
}

func members(v reflect.Value) object {
	all := object{}
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.IsExported() && !silent(v.Field(i)) {
			all = append(all, member{kebab(field.Name), document(v.Field(i))})
		}
	}
	return all
}

// silent reports whether a value says nothing. The first word of a closed set
// says something.
func silent(v reflect.Value) bool {
	said, ok := text(v)
	if v.Kind() == reflect.Struct && !ok {
		return len(members(v)) == 0
	}
	return v.IsZero() && (!ok || v.Kind() != reflect.Uint8 || said == "")
}

// object is a JSON object that keeps its order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// kebab turns CPUTime into cpu-time.
func kebab(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		begins := i > 0 && unicode.IsUpper(r) && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
