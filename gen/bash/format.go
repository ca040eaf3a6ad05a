package bash

import (
	"bytes"
	"errors"

	"mvdan.cc/sh/v3/syntax"
)

// Script is a script that has been laid out. The zero value is an empty one.
type Script struct {
	text []byte
	file *syntax.File
}

// Bytes is the script's text.
func (s Script) Bytes() []byte { return s.text }

// Check is Check for this script, which is not read once more.
func (s Script) Check(rules Rules) error { return check(s.text, s.file, rules) }

// LayOut lays src out as every launcher is: two spaces of indentation, case arms
// indented, a line that goes on begins with its operator. Comments stay. The
// result is a fixed point: laying it out again changes nothing.
func LayOut(src []byte) (Script, error) {
	file, err := parse(src)
	if err != nil {
		return Script{}, err
	}
	once, err := printed(file)
	if err != nil {
		return Script{}, err
	}
	if file, err = parse(once); err != nil {
		return Script{}, err
	}
	twice, err := printed(file)
	if err != nil {
		return Script{}, err
	}
	if !bytes.Equal(once, twice) {
		return Script{}, errors.New("the script changes each time it is formatted")
	}
	return Script{once, file}, nil
}

// Format is the text that LayOut gives.
func Format(src []byte) ([]byte, error) {
	s, err := LayOut(src)
	return s.text, err
}

func printed(file *syntax.File) ([]byte, error) {
	var b bytes.Buffer
	printer := syntax.NewPrinter(
		syntax.Indent(2), syntax.SwitchCaseIndent(true), syntax.BinaryNextLine(true))
	err := printer.Print(&b, file)
	return b.Bytes(), err
}

func parse(src []byte) (*syntax.File, error) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	return parser.Parse(bytes.NewReader(src), "")
}
